import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');
const PACK_SCRIPT = join(ROOT, 'scripts/pack/pack.ts');

export interface ClientPackage {
  name: string;
  version: string;
  fileName: string;
  bytes: Buffer;
  /** SHA-512 in base64: what npm writes into a lock file, after `sha512-`. */
  sha512: string;
}

/**
 * Packs the client from sdk/ in a separate process, so that the compiler's memory is freed. The same sources produce
 * the same bytes.
 */
export async function buildPackage(): Promise<ClientPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-sdk-'));
  try {
    await promisify(execFile)(process.execPath, [PACK_SCRIPT, 'sdk', '--output', folder]);
    const [fileName] = await readdir(folder);
    const bytes = await readFile(join(folder, fileName!));
    const { name, version } = JSON.parse(await readFile(join(ROOT, 'sdk/package.json'), 'utf8'));
    return { name, version, fileName: fileName!, bytes, sha512: hash('sha512', bytes, 'base64') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
