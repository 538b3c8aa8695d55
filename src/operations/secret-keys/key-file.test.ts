import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { temporaryFolder } from '../../../test/support/process.ts';
import { secretBoxFrom } from '../../platform/lib/secret-box.ts';
import { ensureKeyFile } from './key-file.ts';

test('a first key is made once, also when several processes start together', async () => {
  const folder = await temporaryFolder(cleanUp);
  const files = await Promise.all(Array.from({ length: 5 }, () => ensureKeyFile(folder)));
  const ids = files.map(({ source }) =>
    source(true)
      .map(({ id }) => id)
      .join(),
  );
  expect(new Set(ids).size).toBe(1);
  const path = join(folder, 'secret.key');
  expect(await readFile(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a key file that was open to others is closed to them', async () => {
  const folder = await temporaryFolder(cleanUp);
  const { path } = await ensureKeyFile(folder);
  await chmod(path, 0o644);
  await ensureKeyFile(folder);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a key that another process adds is used from the next sealing on, and one it sets aside is kept', async () => {
  const folder = await temporaryFolder(cleanUp);
  const [running, command] = [await ensureKeyFile(folder), await ensureKeyFile(folder)];
  const [box, theirs] = [secretBoxFrom(running.source), secretBoxFrom(command.source)];
  const [oldId] = box.keyIds();
  const before = box.seal('before');
  const added = await command.addKey();
  expect(theirs.keyIds()).toEqual([added.id, oldId]);
  expect(box.open(theirs.seal('new'))).toBe('new');
  expect([theirs.open(before), theirs.open(box.seal('after'))]).toEqual(['before', 'after']);
  expect(box.keyIds()).toEqual([added.id, oldId]);

  const [aside] = await command.setOldKeysAside();
  expect(aside).toBe(join(folder, `secret.key.retired-${oldId}`));
  expect(box.keyIds()).toEqual([added.id]);
  expect(() => box.open(before)).toThrow(`needs the secret key ${oldId}`);
  expect((await readdir(folder)).sort()).toEqual(['secret.key', `secret.key.retired-${oldId}`]);
  expect((await stat(aside!)).mode & 0o777).toBe(0o600);

  const path = join(folder, 'secret.key');
  await writeFile(path, `${await readFile(path, 'utf8')}${await readFile(aside!, 'utf8')}`);
  expect(box.open(before)).toBe('before');
});

test('a file that holds no key is refused, and does not look like an empty one', async () => {
  const folder = await temporaryFolder(cleanUp);
  for (const text of ['', '\n', 'short\n', `${'0'.repeat(64)}\nnot hex\n`]) {
    await writeFile(join(folder, 'secret.key'), text);
    await expect(ensureKeyFile(folder)).rejects.toThrow('does not hold 64 hex digits in each line');
  }
});
