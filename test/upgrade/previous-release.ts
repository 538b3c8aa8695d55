import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

export interface PreviousRelease {
  /** Command that starts one of its processes. */
  command: readonly [string, ...string[]];
  /** Its command line, before the arguments. */
  cli: readonly [string, string];
  /** Number of migrations it knows. */
  schema: number;
}

/** An earlier release ready to start: from a file that `npm run pack` made, or from a tag or commit of this repository. */
export async function withPreviousRelease(
  from: string,
  use: (previous: PreviousRelease) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-previous-'));
  const isPacked = from.endsWith('.tgz');
  try {
    if (isPacked) await unpack(from, folder);
    else await checkOut(from, folder);
    const migrations = (await readdir(join(folder, 'migrations'))).filter((file) => /^\d{4}_/.test(file));
    const bin = join(folder, 'bin/florin.js');
    const main = isPacked ? [bin, 'start'] : [join(folder, 'src/main.ts')];
    await use({
      command: [process.execPath, ...main],
      cli: [process.execPath, bin],
      schema: migrations.length,
    });
  } finally {
    if (!isPacked) await run('git', ['worktree', 'remove', '--force', folder], { cwd: ROOT }).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

/** Unpacks a release as docs/installing.md says. */
async function unpack(file: string, folder: string): Promise<void> {
  await run('tar', ['-xzf', resolve(file), '-C', folder, '--strip-components=1']);
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder });
}

async function checkOut(commit: string, folder: string): Promise<void> {
  await run('git', ['worktree', 'add', '--detach', '--force', folder, commit], { cwd: ROOT });
  const lock = (root: string) => readFile(join(root, 'package-lock.json'), 'utf8');
  if ((await lock(ROOT)) === (await lock(folder))) await linkPackages(folder);
  else await run('npm', ['ci', '--ignore-scripts'], { cwd: folder });
}

/** The same packages as here, but the workspaces are the earlier ones. */
async function linkPackages(folder: string): Promise<void> {
  const own = join(folder, 'node_modules');
  await mkdir(join(own, '@florin'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@florin' && name !== '.cache')
      await symlink(join(ROOT, 'node_modules', name), join(own, name));
  for (const name of await readdir(join(ROOT, 'node_modules/@florin')))
    if (existsSync(join(folder, name))) await symlink(join(folder, name), join(own, '@florin', name));
}
