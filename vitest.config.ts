import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'bench/**/*.test.ts',
      'sdk/**/*.test.ts',
      'sandbox-chain/**/*.test.ts',
      'web/**/*.test.ts',
    ],
    // The second one records how long everything took, for `npm run test:slow`.
    reporters: ['default', './scripts/slow-tests/timing-reporter.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Nothing passes or fails by time; this only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
  },
});
