import { defineConfig } from 'vitest/config';
import { KINDS, listTests } from './test/support/kinds.ts';
import { LongFirst } from './test/support/long-first.ts';

const tests = listTests();

export default defineConfig({
  test: {
    // The second one records how long everything took, for `npm run test:slow`.
    reporters: ['default', './scripts/slow-tests/timing-reporter.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // One more than the cores of the smallest machine: tests also wait, for processes, locks and blocks.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: KINDS.map((name) => ({
      test: {
        name,
        include: tests[name],
        setupFiles: ['test/support/each-file.ts'],
        // Nothing passes or fails by time; this only ends what hangs.
        testTimeout: 300_000,
        hookTimeout: 300_000,
        expect: { poll: { timeout: 60_000 } },
        pool: 'forks',
        maxWorkers: 3,
        // A worker reads our modules once for all of its files: what it has compiled and made fast stays so.
        isolate: false,
        // Node reads them itself, as it does in production, and keeps what it has compiled for the next run.
        experimental: { viteModuleRunner: false, nodeLoader: false },
      },
    })),
  },
});
