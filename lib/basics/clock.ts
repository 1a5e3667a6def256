/** Milliseconds. Unlike the computer's clock, which someone may set, it makes no old value look fresh. */
export const monotonicNow = (): number => performance.now();

/** Milliseconds since 1970: for times that are stored, or that others write. */
export const wallClockNow = (): number => Date.now();
