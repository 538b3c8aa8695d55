import { relative } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../../vitest.config.ts';

const order = (process.env.MUTANT_TESTS ?? '').split(',');

/** The likeliest to fail first, one after the other: a mutant's run ends with the first failure. */
class LikeliestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification) => order.indexOf(relative(process.cwd(), file.moduleId));
    return [...files].sort((a, b) => place(a) - place(b));
  }
}

export default mergeConfig(config, {
  test: {
    root: process.cwd(),
    // The time limits end a mutant that waits forever, which no test of the unchanged code does.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    bail: 1,
    sequence: { sequencer: LikeliestFirst },
  },
});
