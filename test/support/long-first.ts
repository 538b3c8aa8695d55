import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Browsers, guides and processes take longest, and none of them is to be left over at the end, alone on one core. */
const LONG = ['test/', 'sdk/', 'src/operations/backup/', 'src/platform/db/', 'src/accounts/members/'];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId, project }: TestSpecification) =>
      LONG.some((folder) => relative(project.config.root, moduleId).startsWith(folder));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
