import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import type { FileTiming } from './slowest.ts';

export const TIMINGS_FILE = join(import.meta.dirname, '../../node_modules/.cache/test-timings.json');

/** Records how long each test file and each of its tests took. `npm run test:slow` reads it. */
export default class TimingReporter implements Reporter {
  readonly #file: string;
  #root = '';

  constructor({ file = TIMINGS_FILE }: { file?: string } = {}) {
    this.#file = file;
  }

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const timings = modules.map((module) => timingOf(module, this.#root));
    await mkdir(dirname(this.#file), { recursive: true });
    await writeFile(this.#file, `${JSON.stringify(timings)}\n`);
  }
}

/** A file costs more than its tests: it is imported, and its hooks start services and databases. */
function timingOf(module: TestModule, root: string): FileTiming {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } =
    module.diagnostic();
  return {
    file: relative(root, module.moduleId),
    ms: prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration,
    tests: [...module.children.allTests()].map((test) => ({
      name: test.fullName,
      ms: test.diagnostic()?.duration ?? 0,
    })),
  };
}
