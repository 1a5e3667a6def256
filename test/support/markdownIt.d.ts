/** A renderer of Markdown (CommonMark, with tables). */
declare module 'markdown-it' {
	export default class MarkdownIt {
		render(markdown: string): string;
	}
}
