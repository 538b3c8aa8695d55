import { expect, test } from 'vitest';
import { cleanUp } from '../support/clean-up.ts';
import { startProcess, temporaryFolder } from '../support/process.ts';
import { WALKED, walk } from './walk.ts';

/** A short one; `npm run walk` makes long ones, each with a seed of its own. */
test('60 random operations of three merchants: afterwards everything that must agree does', async () => {
  const folder = await temporaryFolder(cleanUp);
  const service = await startProcess({ ...WALKED, FLORIN_DATA: folder });
  cleanUp(async () => void (await service.end('SIGTERM')));
  await expect(walk(service, folder, { seed: 7, steps: 60, every: 30 })).resolves.toBeUndefined();
}, 300_000);
