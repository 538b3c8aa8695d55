import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'florin-mutants-';
/** Folders that tools keep in node_modules: they write in place, which would reach through a hard link. */
const TOOLS_OWN = ['.cache', '.vite', '.vite-temp', '.vitest-cache'];
const NOT_COPIED = ['.git', 'node_modules', 'data'];
const LINKED = ['node_modules', 'test/e-invoice/node_modules'];

/**
 * A copy of the tree at `root` as it is now, with changes not yet committed. Whatever happens in it, the tree itself
 * stays unchanged. The owner's process id is in its name, so that a later run can tell which copies are abandoned.
 */
export function createTemporaryTree(root: string): string {
  const tree = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  try {
    chmodSync(tree, 0o755);
    const filter = (path: string) => path === root || !NOT_COPIED.includes(basename(path));
    cpSync(root, tree, { recursive: true, filter });
    for (const modules of LINKED)
      if (existsSync(join(root, modules))) linkFolder(join(root, modules), join(tree, modules));
    mkdirSync(join(tree, '.tmp'));
  } catch (error) {
    removeTemporaryTree(tree);
    throw error;
  }
  return tree;
}

/** Ends what still runs in the tree, then removes it. */
export function removeTemporaryTree(tree: string): void {
  endProcesses(tree);
  for (const file of globSync('.tmp/**/postmaster.pid', { cwd: tree })) {
    const pid = Number(readFileSync(join(tree, file), 'utf8').split('\n')[0]);
    if (isRunning(pid)) process.kill(pid, 'SIGQUIT');
  }
  rmSync(tree, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** The trees of runs that were killed before they could remove them. */
export function removeAbandonedTrees(): string[] {
  const abandoned = readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length).split('-')[0])))
    .map((name) => join(tmpdir(), name));
  for (const tree of abandoned) removeTemporaryTree(tree);
  return abandoned;
}

/**
 * A run that was killed could not end the compiler or the tests it had started, and they would recreate the folder
 * after it is removed. A database is not killed: it ends by the signal that lets it clean up.
 */
function endProcesses(tree: string): void {
  for (let running = listProcesses(tree); running.length > 0; running = listProcesses(tree)) {
    for (const pid of running) killIfRunning(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

/** Lists processes that work in the tree, except databases. */
export function listProcesses(tree: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => {
      const folder = folderOf(pid);
      return isInside(tree, folder) && !existsSync(join(folder, 'PG_VERSION'));
    });
}

function isInside(tree: string, folder: string): boolean {
  return folder === tree || folder.startsWith(`${tree}/`);
}

/** Returns the working folder of a process; empty once it has ended. */
function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Thousands of packages without their weight: hard links, or copies where the temporary folder is another file system. */
function linkFolder(from: string, to: string): void {
  const copy = (options: string) => execFileSync('cp', [options, from, to], { stdio: 'ignore' });
  try {
    copy('-al');
  } catch {
    rmSync(to, { recursive: true, force: true });
    copy('-a');
  }
  if (lstatSync(to).isSymbolicLink()) return;
  for (const own of TOOLS_OWN) rmSync(join(to, own), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
