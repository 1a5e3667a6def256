import { escapeHtml } from '../../../../../lib/basics';
import { htmlOfText } from '../emailContent';
import type { EmailQuestion, ToolCall } from './question';
import type { QuestionLinks } from './questionLink';

/** A link of the email with the words on it. */
interface ButtonLink {
	label: string;
	url: string;
	isPrimary: boolean;
}

/** The texts of an email that asks a question. */
export interface QuestionEmail {
	text: string;
	html: string;
}

/** Writes the email of a question. Its links open a page: they decide nothing. */
export function writeQuestionEmail(question: EmailQuestion, links: QuestionLinks): QuestionEmail {
	const all = linksOf(question, links);
	return { text: questionText(question, all), html: questionHtml(question, all) };
}

function linksOf({ answer }: EmailQuestion, { urlOf }: QuestionLinks): ButtonLink[] {
	if (answer.kind === 'freeText') return [{ label: answer.open, url: urlOf(), isPrimary: true }];
	const links = [{ label: answer.approve, url: urlOf('approve'), isPrimary: true }];
	const { decline } = answer;
	if (decline !== undefined) {
		links.push({ label: decline, url: urlOf('decline'), isPrimary: false });
	}
	return links;
}

function questionText({ message, toolCall }: EmailQuestion, links: ButtonLink[]): string {
	const parts = [message];
	if (toolCall !== undefined) parts.push(toolCallText(toolCall));
	for (const { label, url } of links) parts.push(`${label}:\n${url}`);
	return `${parts.join('\n\n')}\n`;
}

/** The other lines of a value are indented, so that none of them looks like another argument. */
function toolCallText({ tool, parameters }: ToolCall): string {
	const lines = parameters.map(({ name, value }) => `${name}: ${value.replaceAll('\n', '\n    ')}`);
	if (tool !== undefined) lines.unshift(tool);
	return lines.join('\n');
}

const BODY = 'margin:0;padding:24px;font-family:Arial,sans-serif;font-size:16px;line-height:1.5';
const COLUMN = 'max-width:600px;margin:0 auto';
const CELL = 'padding:4px 12px 4px 0;text-align:start;vertical-align:top';
const BUTTON =
	'display:inline-block;margin:0 12px 12px 0;padding:11px 23px;border:1px solid #1d5fa8;border-radius:6px;font-weight:bold;text-decoration:none';
const PRIMARY = `${BUTTON};background-color:#1d5fa8;color:#ffffff`;
const SECONDARY = `${BUTTON};background-color:#ffffff;color:#1d5fa8`;

function questionHtml({ message, toolCall }: EmailQuestion, links: ButtonLink[]): string {
	const buttons = links.map(({ label, url, isPrimary }) => {
		const style = isPrimary ? PRIMARY : SECONDARY;
		return `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`;
	});
	return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
</head>
<body style="${BODY}">
<div style="${COLUMN}">
<div dir="auto">${htmlOfText(message)}</div>
${toolCall === undefined ? '' : toolCallHtml(toolCall)}<div dir="auto" style="margin-top:24px">
${buttons.join('\n')}
</div>
</div>
</body>
</html>
`;
}

function toolCallHtml({ tool, parameters }: ToolCall): string {
	const rows = parameters.map(({ name, value }) => {
		const head = `<th style="${CELL}"><bdi>${escapeHtml(name)}</bdi></th>`;
		return `<tr>${head}<td dir="auto" style="${CELL}">${htmlOfText(value)}</td></tr>`;
	});
	if (tool !== undefined) {
		rows.unshift(`<tr><th colspan="2" style="${CELL}"><bdi>${escapeHtml(tool)}</bdi></th></tr>`);
	}
	return `<table style="margin-top:16px;border-collapse:collapse;font-size:14px">\n${rows.join('\n')}\n</table>\n`;
}
