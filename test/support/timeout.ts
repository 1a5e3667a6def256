// Only ends tests that hang: three times slower than usual is no failure. Mutation tests, where many hang, set less.
jest.setTimeout(Number(process.env.TEST_TIMEOUT_MS ?? 600_000));
