export interface EmailAttachment {
	/** A safe name: no folders, no control characters, never empty, unique in the email. */
	fileName: string;
	/** Such as `application/pdf`, lower case. */
	mimeType: string;
	size: number;
	/** Whether it is a picture that the HTML shows, such as a logo in a signature. */
	inline: boolean;
	/** The ID of `cid:…` links in the HTML, without angle brackets. */
	contentId: string | null;
	/** The file name of the attached email or winmail.dat that contains it; missing for the email's own files. */
	inside?: string;
	/** The binary field with the file; null if attachments were not requested. */
	binaryProperty: string | null;
}

export type ListedFile = Pick<EmailAttachment, 'fileName' | 'mimeType' | 'inline' | 'inside'>;

export interface EmailFile {
	binaryProperty: string;
	fileName: string;
	mimeType: string;
	content: Buffer;
}

/** What the service knows of a file. */
export type KnownAttachment = Pick<EmailAttachment, 'size' | 'inline' | 'contentId'> & {
	fileName: string | null;
	mimeType: string | null;
};

export interface DownloadOptions {
	/** Whether to return the files themselves. */
	attachments: boolean;
	/** Prefix of the binary fields: `attachment_` gives `attachment_0`, `attachment_1`, … */
	binaryPrefix: string;
}
