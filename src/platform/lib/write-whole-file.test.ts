import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { temporaryFolder } from '../../../test/support/process.ts';
import { DAY_MS } from './clock.ts';
import { isPartOf, writeWholeFile } from './write-whole-file.ts';

const inFolder = async () => {
  const folder = await temporaryFolder(cleanUp);
  return { folder, file: join(folder, 'backup') };
};

/** A run that has begun, and ends with its text when asked to. */
function begun(file: string, text: string, options: { isReplacing?: boolean } = {}) {
  const [started, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = writeWholeFile(
    file,
    async (output: Writable) => {
      output.write(text);
      started.resolve();
      await ending.promise;
      return text;
    },
    options,
  );
  ended.catch(() => {});
  return {
    started: started.promise,
    end() {
      ending.resolve();
      return ended;
    },
  };
}

test('of two runs to one file, the first that is done has it, and the other says that it is there', async () => {
  const { folder, file } = await inFolder();
  const [one, other] = [begun(file, 'one'), begun(file, 'other')];
  await Promise.all([one.started, other.started]);
  expect(await readdir(folder)).toHaveLength(2);
  expect(await one.end()).toBe('one');
  expect(await readFile(file, 'utf8')).toBe('one');
  await expect(other.end()).rejects.toThrow(`${file} was written by somebody else meanwhile`);
  expect(await readFile(file, 'utf8')).toBe('one');
  expect(await readdir(folder)).toEqual(['backup']);
});

test('replacing, each of two runs leaves a whole file', async () => {
  const { folder, file } = await inFolder();
  await writeFile(file, 'older');
  const runs = ['one', 'other'].map((text) => begun(file, text, { isReplacing: true }));
  await Promise.all(runs.map(({ started }) => started));
  expect(await readFile(file, 'utf8')).toBe('older');
  for (const run of runs) expect(await readFile(file, 'utf8').then(() => run.end())).toBeDefined();
  expect(await readFile(file, 'utf8')).toBe('other');
  expect(await readdir(folder)).toEqual(['backup']);
});

test('a part that is taken away meanwhile is said, and is no missing folder', async () => {
  const { folder, file } = await inFolder();
  for (const isReplacing of [false, true]) {
    const run = begun(file, 'text', { isReplacing });
    await run.started;
    const [part] = await readdir(folder);
    expect(isPartOf(part!, 'backup')).toBe(true);
    await rm(join(folder, part!));
    await expect(run.end()).rejects.toThrow('was taken away while it was written');
  }
  const nowhere = writeWholeFile(join(folder, 'no', 'backup'), async () => {});
  await expect(nowhere).rejects.toThrow('there is no folder');
});

test('a complete file that may not have its name is deleted', async () => {
  const { folder, file } = await inFolder();
  const naming = () => Promise.reject(new Error('refused'));
  await expect(writeWholeFile(file, async () => {}, { naming })).rejects.toThrow('refused');
  expect(await readdir(folder)).toEqual([]);
});

test('parts that a killed run left a day ago are deleted, and those of others stay', async () => {
  const { folder, file } = await inFolder();
  const dayAgo = new Date(Date.now() - DAY_MS - 1000);
  const old = ['backup.part', 'backup.0123abcd.part', 'other.0123abcd.part', 'backup.letters.part'];
  for (const name of old) await writeFile(join(folder, name), 'half');
  for (const name of old) await utimes(join(folder, name), dayAgo, dayAgo);
  await writeFile(join(folder, 'backup.4567abcd.part'), 'half');
  await begun(file, 'text').end();
  expect((await readdir(folder)).sort()).toEqual([
    'backup',
    'backup.4567abcd.part',
    'backup.letters.part',
    'other.0123abcd.part',
  ]);
});
