import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export const DIST_FOLDER = join(root, 'web/dist');
export const STAMP_FILE = 'stamp.txt';

const FOLDERS = ['web/src', 'sdk/src'];
const FILES = [
  'web/build.ts',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'package-lock.json',
];

/** Hashes the sources of the dashboard: another hash means that the built files are of another version. */
export async function sourceStamp(): Promise<string> {
  const found = await Promise.all(FOLDERS.map((folder) => filesUnder(join(root, folder))));
  const paths = [...FILES.map((file) => join(root, file)), ...found.flat()].sort();
  const sum = createHash('sha256');
  for (const path of paths) sum.update(`${relative(root, path)}\0`).update(await readFile(path));
  return sum.digest('hex');
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name));
}
