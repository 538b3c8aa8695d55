import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { closeToOthers } from '../../platform/db/private-folder.ts';
import { type KeySource, type SecretKey, secretKey } from '../../platform/lib/secret-box.ts';

/** The data folder's own keys: one line each, the current one first. */
export interface KeyFile {
  path: string;
  /** For processes that run for long: they see a changed file the next time they seal or miss a key. */
  source: KeySource;
  /** A new key becomes the current one; those before it stay readable. */
  addKey(): Promise<SecretKey>;
  /** Keeps only the current key, and moves each other into its own file beside it. Returns their paths. */
  setOldKeysAside(): Promise<string[]>;
}

/** Creates the file with a first key if there is none. */
export async function ensureKeyFile(folder: string): Promise<KeyFile> {
  const path = join(folder, 'secret.key');
  const exists = await readFile(path).then(
    () => true,
    () => false,
  );
  if (!exists) {
    const draft = await writeDraft(path, [newKey()]);
    // The link makes it appear complete, and only for one of two processes that start concurrently.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
  }
  await closeToOthers(path);
  return openKeyFile(path);
}

function openKeyFile(path: string): KeyFile {
  const source = cachedFile(path);
  return {
    path,
    source,
    async addKey() {
      const added = newKey();
      await replace(path, [added, ...source(true)]);
      return added;
    },
    async setOldKeysAside() {
      const [current, ...old] = source(true);
      const paths = old.map(({ id }) => `${path}.retired-${id}`);
      for (const [i, key] of old.entries()) await replace(paths[i]!, [key]);
      await replace(path, [current!]);
      return paths;
    },
  };
}

/** Reads the file again only when it is another than before. */
function cachedFile(path: string): KeySource {
  let keys = parse(path, readFileSync(path, 'utf8'));
  let version = versionOf(path);
  return (isFresh) => {
    if (isFresh && versionOf(path) !== version) {
      version = versionOf(path);
      keys = parse(path, readFileSync(path, 'utf8'));
    }
    return keys;
  };
}

/** Every change is a rename, so a changed file is another inode. */
function versionOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path);
  return `${ino} ${mtimeMs} ${size}`;
}

function parse(path: string, text: string): SecretKey[] {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'hex'));
  if (keys.length === 0 || keys.some((key) => key.length !== 32)) {
    throw new Error(`${path} does not hold 64 hex digits in each line`);
  }
  return keys.map(secretKey);
}

function newKey(): SecretKey {
  return secretKey(randomBytes(32));
}

async function replace(path: string, keys: readonly SecretKey[]): Promise<void> {
  await rename(await writeDraft(path, keys), path);
  // The rename itself must be on disk before anything is sealed with a key that is only there.
  const folder = await open(join(path, '..'), 'r');
  await folder.sync();
  await folder.close();
}

async function writeDraft(path: string, keys: readonly SecretKey[]): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(keys.map(({ bytes }) => `${bytes.toString('hex')}\n`).join(''));
    await file.sync();
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw new Error(`${path} cannot be written: ${(error as Error).message}`);
  } finally {
    await file.close();
  }
}
