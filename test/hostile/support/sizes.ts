const KILOBYTE = 1000;

/**
 * Just below the limits of `lib/email/text/limits.ts` and above them: half of a style sheet's family is the sheet, which may have
 * 150,000 characters.
 */
export const SIZES_AT_LIMITS = [140 * KILOBYTE, 290 * KILOBYTE, 400 * KILOBYTE] as const;

/** An input of these sizes may take as much processor time as this many newsletters of its size. */
export const MAX_NEWSLETTERS = 12;
