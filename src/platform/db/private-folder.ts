import { chmod, mkdir, stat } from 'node:fs/promises';
import { fileProblem, isFileProblem } from '../lib/file-problem.ts';

const STICKY = 0o1000;

/**
 * A folder that only its owner can read: created so, and fixed if it is ours and open to others. A shared one, such
 * as /tmp, is left alone.
 */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST') throw new Error(`${path} is a file, not a folder`, { cause });
    if (isFileProblem(cause)) throw new Error(fileProblem(cause, path, 'write'), { cause });
    throw cause;
  });
  const { mode, uid } = await stat(path);
  const isOpen = (mode & 0o077) !== 0;
  if (isOpen && uid === process.getuid?.() && !(mode & STICKY)) await chmod(path, mode & 0o700);
}

/** The same for a file that holds a secret. */
export async function closeToOthers(path: string): Promise<void> {
  const { mode, uid } = await stat(path);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(path, mode & 0o700);
}
