const ADDRESS_4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** How long the prefix of a network can be, and how it is written (RFC 7208, section 5.6 and appendix A). */
const PREFIXES: Readonly<Record<string, { form: RegExp; longest: readonly number[] }>> = {
	ip4: { form: /^(?:\/(\d{1,2}))?$/, longest: [32] },
	ip6: { form: /^(?:\/(\d{1,3}))?$/, longest: [128] },
	a: { form: /^(?:\/(\d{1,2}))?(?:\/\/(\d{1,3}))?$/, longest: [32, 128] },
	mx: { form: /^(?:\/(\d{1,2}))?(?:\/\/(\d{1,3}))?$/, longest: [32, 128] },
};

/** Whether it is an IPv4 address in four decimal numbers. */
export function isAddress4(text: string): boolean {
	return ADDRESS_4.test(text) && text.split('.').every((part) => Number(part) <= 255);
}

/** Whether it is an IPv6 address, judged by the URL standard, which is there wherever n8n runs. */
export function isAddress6(text: string): boolean {
	if (!/^[\da-f:.]{2,45}$/i.test(text)) return false;
	try {
		return new URL(`http://[${text}]/`).hostname.length > 2;
	} catch {
		return false;
	}
}

/**
 * Whether what follows a mechanism's name is the length of a prefix: `/24`, for `a` and `mx` also `/24//64`.
 *
 * @param written with its slash; empty where there is none
 * @param mechanism that it stands in
 */
export function isPrefix(written: string, mechanism: string): boolean {
	if (written === '') return true;
	const { form, longest } = PREFIXES[mechanism] ?? {};
	const lengths = form?.exec(written)?.slice(1);
	return lengths?.every((length, index) => Number(length ?? 0) <= (longest?.[index] ?? 0)) ?? false;
}
