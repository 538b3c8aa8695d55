import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { fileProblem, isFileProblem } from './file-problem.ts';

/**
 * Fills a file that only its owner may read, under a temporary name first: one with the final name is always complete, and
 * on disk. A file that cannot be written is found out before `fill` begins.
 */
export async function writeWholeFile<Result>(
  file: string,
  fill: (output: Writable) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const half = partOf(file);
  try {
    // Created again: an existing file may be readable by others.
    await rm(half, { force: true });
    const result = await filled(half, fill, signal);
    await rename(half, file);
    await syncFolder(dirname(file));
    return result;
  } catch (error) {
    await rm(half, { force: true }).catch(() => {});
    throw isFileProblem(error) ? new Error(fileProblem(error, file, 'write'), { cause: error }) : error;
  }
}

export const partOf = (file: string) => `${file}.part`;

async function filled<Result>(
  half: string,
  fill: (output: Writable) => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const output = (await open(half, 'wx', 0o600)).createWriteStream({ flush: true });
  // Until something is written nobody else listens, and an error without a listener would end the process.
  output.on('error', () => {});
  if (signal) addAbortSignal(signal, output);
  try {
    const result = await fill(output);
    if (!output.writableEnded) output.end();
    await finished(output);
    return result;
  } catch (error) {
    output.destroy();
    throw error;
  }
}

/** The new name survives a power cut, too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
