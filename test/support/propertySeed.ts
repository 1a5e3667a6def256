import * as fc from 'fast-check';

/** `PROPERTY_SEED=random` draws other cases at every run, a number brings a run's cases back. */
const wanted = process.env.PROPERTY_SEED ?? '1';

if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
