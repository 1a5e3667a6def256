import { emailOf, fill } from './family';

const ROW = [
	'<tr><td style="padding:4px 8px;font-family:Arial,sans-serif"><a href="https://shop.example.com/p/1042?c=mail">Lamp',
	' &ldquo;Ada&rdquo;</a></td><td><b>49.00&nbsp;&euro;</b><br>',
	'In stock, at your door in two days.</td></tr>\r\n',
].join('');

/**
 * A newsletter as shops send it: HTML only, so that its text has to be made, which is the dearest that an honest email of
 * its size asks for.
 */
export function ordinaryEmail(size: number): string {
	return emailOf('text/html; charset=utf-8', `<html><body><table>${fill(size, ROW)}</table>`);
}
