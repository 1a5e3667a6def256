import { readStructured } from '../../../../../lib/email/mime/contentHeader';
import { rows } from '../../../../support/rows';

const read = (header: string) => {
	const { value, parameters } = readStructured(header);
	return [value, ...[...parameters].map(([name, text]) => `${name}: ${text}`.trim())];
};

test.each(
	rows(String.raw`
		Text/PLAIN; Charset="UTF-8" | text/plain | charset: UTF-8
		attachment; ; filename=a.pdf; | attachment | filename: a.pdf
		attachment; quiet; filename=a.pdf | attachment | quiet: | filename: a.pdf
		attachment; filename=a.pdf; filename=b.pdf | attachment | filename: a.pdf
		attachment; filename= My  File.pdf ; x=1 | attachment | filename: My  File.pdf | x: 1
		attachment; filename="a;b=c.pdf"; x=1 | attachment | filename: a;b=c.pdf | x: 1
		attachment; filename="say \"hi\".txt" | attachment | filename: say "hi".txt
		attachment; filename="C:\Users\me\doc.pdf" | attachment | filename: C:\Users\me\doc.pdf
		attachment; filename=a=b.pdf | attachment | filename: a=b.pdf
		text/plain (a note); charset=x | text/plain | charset: x
		text/plain (a (nested) note); charset=x | text/plain | charset: x
		text/plain (not the \) end); charset=x | text/plain | charset: x
		text/plain (it"s not quoted); charset=x | text/plain | charset: x
		text/plain (no; parameter=here); charset=x | text/plain | charset: x
		text/plain; charset=x; (a note) format=flowed | text/plain | charset: x | format: flowed
		text/plain; charset=x (a note); format=flowed | text/plain | charset: x | format: flowed
		attachment; filename=Invoice(1).pdf | attachment | filename: Invoice(1).pdf
		attachment; filename=(1).pdf | attachment | filename: (1).pdf
		attachment; filename="a (1).pdf" | attachment | filename: a (1).pdf
		attachment; filename="a=b (1).pdf"; x=1 | attachment | filename: a=b (1).pdf | x: 1
		attachment; filename="\"(1).pdf"; x=(2) | attachment | filename: "(1).pdf | x: (2)
		attachment; filename=Invoice (1).pdf | attachment | filename: Invoice (1).pdf
		attachment; filename="a.pdf" (note) | attachment | filename: a.pdf
		attachment; filename*1=b.pdf; filename*0=a | attachment | filename: ab.pdf
		attachment; filename*0=5%25; filename*1*=%20a.pdf | attachment | filename: 5%25 a.pdf
		application/pdf; x-unix-mode=0600 name="invoice.rar" | application/pdf | x-unix-mode: 0600 | name: invoice.rar
		application/pdf name=a.pdf | application/pdf | name: a.pdf
		attachment filename*=utf-8''a%20b.pdf | attachment | filename: a b.pdf
		attachment; filename="a b.pdf" size=3 | attachment | filename: a b.pdf | size: 3
		attachment; filename=a b=c.pdf | attachment | filename: a b=c.pdf
		attachment; filename=a.pdf (never closed; x=1 | attachment | filename: a.pdf (never closed | x: 1
	`),
)('the parameters and comments of %s', (header, ...expected) => {
	expect(read(header)).toEqual(expected);
});
