declare const MAX_TEST_MS: number;

// Ends only tests that hang: ten times slower than usual is no failure. Mutation tests, where many hang, set less.
jest.setTimeout(Number(process.env.TEST_TIMEOUT_MS ?? MAX_TEST_MS));
