import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'vite';
import { STAMP_FILE, sourceStamp } from '../src/pages/dashboard/source-stamp.ts';
import config from './vite.config.ts';

/** Builds the dashboard into web/dist. It is put there whole, so a service that starts meanwhile never serves a part of it. */
// The caller may have set another mode, as test runners do: React would come with its checks for development.
process.env.NODE_ENV = 'production';

const dist = join(import.meta.dirname, 'dist');
const fresh = await mkdtemp(join(import.meta.dirname, '.dist-'));
// Nothing is left of a build that fails or is ended.
process.once('exit', () => rmSync(fresh, { recursive: true, force: true }));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
const stamp = await sourceStamp();
await build({
  ...config,
  configFile: false,
  logLevel: 'warn',
  build: { ...config.build, outDir: fresh, emptyOutDir: true },
}).catch((error: Error) => {
  process.stderr.write(`${stripVTControlCharacters(error.message)}\n`);
  process.exit(1);
});
// The service may run as another user than the one who builds.
await chmod(fresh, 0o755);
await writeFile(join(fresh, STAMP_FILE), stamp);
await rm(dist, { recursive: true, force: true });
// If another build was a moment quicker, its files are the same as ours.
await rename(fresh, dist).catch(() => {});
