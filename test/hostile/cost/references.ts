import type { Filling } from './input';

/** Something in an email that names something else in it. Its units have the name as `$`. */
export interface Reference {
	name: string;
	definition: Omit<Filling, 'way'>;
	use: Omit<Filling, 'way'>;
}

/** What refers to what. A new kind of reference is one line. */
export const REFERENCES: readonly Reference[] = [
	{
		name: 'Content-ID and cid',
		definition: { place: 'pictures', unit: 'Content-ID: <$>\r\n' },
		use: { place: 'html', unit: '<img src=cid:$>' },
	},
	{
		name: 'Content-Location and address',
		definition: { place: 'pictures', unit: 'Content-Location: $\r\n' },
		use: { place: 'html', unit: '<img src=$>' },
	},
	{
		name: 'base and address',
		definition: { place: 'containers', unit: 'Content-Base: http://a/$/\r\n' },
		use: { place: 'pictures', unit: 'Content-Location: $\r\n' },
	},
	{
		name: 'boundary and line',
		definition: { place: 'pictures', unit: 'Content-Type: multipart/mixed; boundary="$"\r\n' },
		use: { place: 'html', unit: '\r\n--$\r\n\r\nx' },
	},
	{
		name: 'class and selector',
		definition: { place: 'html', before: '<style>', unit: '.$ p{color:red}', after: '</style>' },
		use: { place: 'html', unit: '<p class="$">x' },
	},
	{
		name: 'id and selector',
		definition: { place: 'html', before: '<style>', unit: '#$ b{top:0}', after: '</style>' },
		use: { place: 'html', unit: '<p id="$">x' },
	},
	{
		name: 'charset and bytes',
		definition: { place: 'pictures', unit: 'Content-Type: text/plain; charset="$"\r\n' },
		use: { place: 'html', unit: '\udce9$ ' },
	},
	{
		name: 'link and label',
		definition: { place: 'html', unit: '<a href="https://$">' },
		use: { place: 'html', unit: 'https://$ ' },
	},
	{
		name: 'quotation and attribution',
		definition: {
			place: 'text',
			unit: 'On Sat, Nov 21, 2026 at 10:02 AM Ada <$@example.com> wrote:\n',
		},
		use: { place: 'text', unit: '> $\n' },
	},
];
