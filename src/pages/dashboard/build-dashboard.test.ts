import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DIST_FOLDER } from './source-stamp.ts';

const WEB = join(DIST_FOLDER, '..');
const halfBuilt = async () => (await readdir(WEB)).filter((name) => name.startsWith('.dist-'));

test('a build that is ended leaves nothing behind, and what is built can be read by every user', async () => {
  const before = await halfBuilt();
  const build = spawn(process.execPath, [join(WEB, 'build.ts')], { stdio: 'ignore' });
  const ended = once(build, 'exit');
  const started = async () => (await halfBuilt()).filter((name) => !before.includes(name));
  await vi.waitFor(async () => expect(await started()).toHaveLength(1), { timeout: 30_000, interval: 5 });
  build.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
  expect(await started()).toEqual([]);
  expect((await stat(DIST_FOLDER)).mode & 0o777).toBe(0o755);
}, 60_000);
