import { createHash } from 'crypto';

import { escapeHtml } from '../../../../../lib/basics';
import type { Approval, FreeText, EmailQuestion, ToolCall } from './question';
import type { Button } from './questionLink';

const STYLE = `
:root { color-scheme: light dark; --text: #1c1c1c; --soft: #555; --back: #f4f5f7; --card: #fff; --line: #8a8f98; --strong: #1d5fa8; --on-strong: #fff; }
@media (prefers-color-scheme: dark) { :root { --text: #ececec; --soft: #b8bcc4; --back: #16181c; --card: #212429; --line: #7d838d; --strong: #8ab8ee; --on-strong: #10243b; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 38rem; margin: 0 auto; padding: 1.25rem; background: var(--card); border-radius: .75rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.3rem; line-height: 1.3; }
.text { white-space: pre-wrap; margin: 0; }
dl { margin: 1.25rem 0 0; padding-inline-start: .75rem; border-inline-start: .25rem solid var(--line); }
dt { color: var(--soft); font-size: .9rem; }
dd { margin: 0 0 .75rem; white-space: pre-wrap; }
h2 { margin: 1.25rem 0 0; font-size: 1rem; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
textarea { width: 100%; min-height: 9rem; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit; font: inherit; }
button { width: 100%; min-height: 3rem; padding: .5rem 1rem; border: 1px solid var(--strong); border-radius: .5rem; background: transparent; color: var(--strong); font: inherit; font-weight: 600; overflow-wrap: anywhere; cursor: pointer; }
button.primary { background: var(--strong); color: var(--on-strong); }
button:focus-visible, textarea:focus-visible { outline: .2rem solid var(--strong); outline-offset: .15rem; }
@media (min-width: 30rem) { body { padding: 3rem 1rem; } main { padding: 2rem; } .buttons { grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); } }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded, no script runs, and only our own style is used, whatever gets into the page. */
const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'`;

/** The response headers of all pages. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
	'Content-Type': 'text/html; charset=utf-8',
	// A page in a sandbox has no origin, and so no access to n8n's own pages and cookies.
	'Content-Security-Policy': `${CONTENT_POLICY}; frame-ancestors 'none'; sandbox allow-forms`,
	'Cache-Control': 'no-store',
	// The link of the question is a secret.
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Robots-Tag': 'noindex, nofollow',
};

/** The field of the form with the button that was pressed. */
export const BUTTON_FIELD = 'answer';

/** The field of the form with the answer in own words. */
export const TEXT_FIELD = 'text';

/** The page of an open question. @param button that was pressed in the email */
export function writeQuestionPage(question: EmailQuestion, button: Button = 'approve'): string {
	const { subject, message, toolCall, answer } = question;
	const fields = answer.kind === 'approval' ? buttonsOf(answer, button) : textAreaOf(answer);
	return writePage(
		subject,
		`<h1 id="subject" dir="auto">${escapeHtml(subject)}</h1>
<p class="text" dir="auto">${escapeHtml(message)}</p>
${toolCall === undefined ? '' : toolCallOf(toolCall)}${fields}`,
	);
}

/** A page with nothing but a text. It does not show the question, because an old link may belong to another person. */
export function writeTextPage(text: string): string {
	return writePage(text, `<p class="text" dir="auto" role="status">${escapeHtml(text)}</p>`);
}

function toolCallOf({ tool, parameters }: ToolCall): string {
	const heading = tool === undefined ? '' : `<h2><bdi>${escapeHtml(tool)}</bdi></h2>\n`;
	const lines = parameters.map(({ name, value }) => {
		return `<dt><bdi>${escapeHtml(name)}</bdi></dt><dd dir="auto">${escapeHtml(value)}</dd>`;
	});
	return `${heading}<dl>\n${lines.join('\n')}\n</dl>\n`;
}

/** A form without an address posts to the page's own, also behind a proxy that changes it. */
function buttonsOf({ approve, decline }: Approval, pressed: Button): string {
	const buttons = [buttonOf('approve', approve, pressed)];
	if (decline !== undefined) buttons.push(buttonOf('decline', decline, pressed));
	return `<form method="post" class="buttons">\n${buttons.join('\n')}\n</form>`;
}

function buttonOf(value: Button, label: string, pressed: Button): string {
	const style = value === pressed ? ' class="primary"' : '';
	return `<button name="${BUTTON_FIELD}" value="${value}"${style}>${escapeHtml(label)}</button>`;
}

function textAreaOf({ submit }: FreeText): string {
	return `<form method="post">
<textarea name="${TEXT_FIELD}" aria-labelledby="subject" dir="auto" required></textarea>
<button class="primary">${escapeHtml(submit)}</button>
</form>`;
}

/** Without `lang`, because nobody said in which language the question is. The policy is here too, because n8n replaces the header. */
function writePage(title: string, content: string): string {
	return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}
