import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { temporaryFolder } from '../../../test/support/process.ts';
import { writeWholeFile } from '../../platform/lib/write-whole-file.ts';
import { backup } from '../backup/backup.ts';
import { encryption } from './encryption.ts';

const recipients = [await identityToRecipient(await generateX25519Identity())];

/** The table at which a backup is aborted. */
const TABLES = [1, 4, 5, 6, 7, 8, 9, 10, 40];

test.each(TABLES)('given up at table %i, it ends and frees its connection', async (table) => {
  const folder = await temporaryFolder(cleanUp);
  for (const encrypt of [undefined, encryption({ recipients })]) {
    const db = await testDatabase();
    const givenUp = Promise.withResolvers<never>();
    let tables = 0;
    const stop = () => void (++tables === table && givenUp.reject(new Error('given up')));
    let written: Promise<unknown> | undefined;
    const file = writeWholeFile(join(folder, 'backup'), (output) => {
      written = backup(db, output, new Date(), stop, encrypt);
      return Promise.race([givenUp.promise, written]);
    });
    await expect(file).rejects.toThrow('given up');
    await expect(written).rejects.toThrow();
  }
});

test('an output that has failed says why', async () => {
  const output = new PassThrough();
  output.on('error', () => {});
  output.destroy(new Error('no space left'));
  const encrypt = encryption({ recipients });
  await expect(backup(await testDatabase(), output, new Date(), undefined, encrypt)).rejects.toThrow(
    'no space left',
  );
});
