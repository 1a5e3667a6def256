/** @param text of the email with a question @returns the addresses of its page, one for each button */
export function linksIn(text: string | null | undefined): string[] {
	return (text ?? '').split('\n').filter((line) => line.startsWith('http'));
}
