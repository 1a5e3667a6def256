/** Starting n8n takes seconds, and far more on a busy machine. */
jest.setTimeout(300_000);
