import { mkdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { temporaryFolder } from '../../../test/support/process.ts';
import { copyBinaries } from './embedded-binaries.ts';

test('a copy has every library link and depends on nothing outside, also where the install script made some of them', async () => {
  const folder = await temporaryFolder(cleanUp);
  const native = join(folder, 'native');
  await mkdir(join(native, 'lib'), { recursive: true });
  await writeFile(join(native, 'lib/libpq.so.5.18'), '');
  const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${name}`,
  }));
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  await symlink('libpq.so.5.18', join(native, 'lib/libpq.so'));
  await copyBinaries(native, join(folder, 'copy'));
  for (const name of ['libpq.so', 'libpq.so.5'])
    expect(await readlink(join(folder, 'copy/lib', name))).toBe('libpq.so.5.18');
});
