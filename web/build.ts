import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { STAMP_FILE, sourceStamp } from '../src/faces/dashboard/source-stamp.ts';
import config from './vite.config.ts';

/** Builds the dashboard into web/dist. It is put there whole, so a service that starts meanwhile never serves a part of it. */
// The caller may have set another mode, as test runners do: React would come with its checks for development.
process.env.NODE_ENV = 'production';

const dist = join(import.meta.dirname, 'dist');
const fresh = await mkdtemp(join(import.meta.dirname, '.dist-'));
const stamp = await sourceStamp();
await build({
  ...config,
  configFile: false,
  logLevel: 'warn',
  build: { ...config.build, outDir: fresh, emptyOutDir: true },
});
await writeFile(join(fresh, STAMP_FILE), stamp);
await rm(dist, { recursive: true, force: true });
// Where another build was quicker by a moment, its files are the same as ours.
await rename(fresh, dist).catch(() => rm(fresh, { recursive: true, force: true }));
