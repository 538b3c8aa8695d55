import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const PACK_SCRIPT = join(ROOT, 'scripts/pack/pack.ts');

export interface ClientPackage {
  name: string;
  version: string;
  fileName: string;
  bytes: Buffer;
  /** SHA-512 in base64: what npm writes into a lock file, after `sha512-`. */
  sha512: string;
}

/** The client as a package. The same sources produce the same bytes. */
export async function buildPackage(): Promise<ClientPackage> {
  const { name, version } = JSON.parse(await readFile(join(ROOT, 'sdk/package.json'), 'utf8'));
  const fileName = `florin-sdk-${version}.tgz`;
  // A release has no compiler: it carries the packed client instead.
  const bytes = existsSync(PACK_SCRIPT)
    ? await packFromSources(fileName)
    : await readFile(join(ROOT, 'sdk', fileName));
  return { name, version, fileName, bytes, sha512: hash('sha512', bytes, 'base64') };
}

/** Packs the client in a separate process, so that the compiler's memory is freed. */
async function packFromSources(fileName: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-sdk-'));
  try {
    await promisify(execFile)(process.execPath, [PACK_SCRIPT, 'sdk', '--output', folder]);
    return await readFile(join(folder, fileName));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
