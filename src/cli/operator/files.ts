import { type FileHandle, open } from 'node:fs/promises';
import { fileProblem } from '../../platform/lib/file-problem.ts';
import { CommandFailed } from './context.ts';

/** A file that somebody named, to be read; what is wrong with the name is said before anything is believed of its content. */
export async function openGiven(file: string): Promise<FileHandle> {
  const handle = await open(file).catch((error: unknown) => {
    throw new CommandFailed(fileProblem(error, file));
  });
  // A folder can be opened, and only fails when it is read.
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new CommandFailed(`${file} is a folder, not a file`);
}

export async function readGiven(file: string): Promise<string> {
  const handle = await openGiven(file);
  return handle.readFile('utf8').finally(() => handle.close());
}

/** A new file that only its owner may read. */
export function createGiven(file: string): Promise<FileHandle> {
  return open(file, 'wx', 0o600).catch((error: unknown) => {
    throw new CommandFailed(fileProblem(error, file, 'write'));
  });
}
