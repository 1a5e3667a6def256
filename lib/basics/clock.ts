/**
 * Milliseconds since a moment of this process: for ages, waits and throttles. It runs on when someone sets the computer's
 * clock, which would make an old value look fresh for hours.
 */
export const monotonicNow = (): number => performance.now();

/** Milliseconds since 1970, from the computer's clock: for times that are stored, or that others write. */
export const wallClockNow = (): number => Date.now();
