import { randomBytes } from 'node:crypto';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { DAY_MS, machineMs } from './clock.ts';
import { fileProblem, isFileProblem } from './file-problem.ts';

export interface WholeFileOptions {
  signal?: AbortSignal | undefined;
  /** True if a file that has the name already gives way. Otherwise one that appears meanwhile keeps it. */
  isReplacing?: boolean | undefined;
  /** Gives the complete file its name, or refuses it. */
  naming?: ((name: () => Promise<void>) => Promise<void>) | undefined;
}

/**
 * Fills a file that only its owner may read, under a temporary name first, which no other run has: one with the final name
 * is always complete, and on disk. A file that cannot be written is found out before `fill` begins.
 */
export async function writeWholeFile<Result>(
  file: string,
  fill: (output: Writable) => Promise<Result>,
  { signal, isReplacing = false, naming = (name) => name() }: WholeFileOptions = {},
): Promise<Result> {
  await deleteLeftovers(file);
  const half = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    const result = await filled(half, fill, signal);
    await naming(() => giveName(half, file, isReplacing));
    await syncFolder(dirname(file));
    return result;
  } catch (error) {
    await rm(half, { force: true }).catch(() => {});
    throw isFileProblem(error) ? new Error(fileProblem(error, file, 'write'), { cause: error }) : error;
  }
}

/** True if a name is that of a file which is, or was, being filled for another. */
export function isPartOf(name: string, file: string): boolean {
  return name.startsWith(file) && /^(\.[0-9a-f]{8})?\.part$/.test(name.slice(file.length));
}

/** Left by a run that was killed. One that still writes has not been silent for a day. */
async function deleteLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  // A folder that cannot be listed may still be written to.
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => isPartOf(each, basename(file)))) {
    const left = join(folder, name);
    const found = await stat(left).catch(() => undefined);
    if (found?.isFile() && found.mtimeMs < machineMs() - DAY_MS)
      await rm(left, { force: true }).catch(() => {});
  }
}

async function giveName(half: string, file: string, isReplacing: boolean): Promise<void> {
  await (isReplacing ? rename(half, file) : giveFreeName(half, file)).catch(async (error: unknown) => {
    if (codeOf(error) === 'ENOENT' && (await isGone(half)))
      throw new Error(`${half} was taken away while it was written: nothing stays of it`);
    throw error;
  });
}

/** Error codes of a disk without hard links. */
const CANNOT_LINK = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** A rename would replace what has the name. */
async function giveFreeName(half: string, file: string): Promise<void> {
  try {
    await link(half, file).catch(async (error: unknown) => {
      if (!CANNOT_LINK.includes(codeOf(error) ?? '')) throw error;
      await (await open(file, 'wx', 0o600)).close();
      await rename(half, file).catch(async (failure: unknown) => {
        await rm(file, { force: true });
        throw failure;
      });
    });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new Error(`${file} was written by somebody else meanwhile, and stays: choose another name`);
  }
  await rm(half, { force: true }).catch(() => {});
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

const isGone = (file: string) =>
  stat(file).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOENT',
  );

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
