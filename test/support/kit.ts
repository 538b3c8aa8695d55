/** The kit of the service itself, for tests in a folder that has another one. */
export * from '@solana/kit';
