/** An answer in the shape in which a mail program writes it, and what is new in it. */
export interface Reply {
	/** The mail program, and what is special. */
	mailer: string;
	/** ISO 639. */
	language: string;
	subject: string;
	/** The email as text, as HTML, or as both: each is read by itself. */
	text?: string;
	html?: string;
	/** As text, whichever it was written as. */
	newText: string;
}
