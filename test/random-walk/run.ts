import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProcess } from '../support/process.ts';
import { WALKED, walk } from './walk.ts';

/** `npm run walk -- --seed 7 --steps 1000`: without a seed a new one, which is printed. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string', default: '500' },
    walks: { type: 'string', default: '1' },
  },
});
const first = values.seed === undefined ? randomInt(1_000_000_000) : Number(values.seed);
for (let seed = first; seed < first + Number(values.walks); seed++) {
  process.stdout.write(`seed ${seed}, ${values.steps} steps\n`);
  const folder = await mkdtemp(join(tmpdir(), 'florin-walk-'));
  const service = await startProcess({ ...WALKED, FLORIN_DATA: folder });
  try {
    await walk(service, folder, { seed, steps: Number(values.steps), every: 50 });
    process.stdout.write(`seed ${seed}: the books agree\n`);
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    await service.end('SIGTERM');
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
