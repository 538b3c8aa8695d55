import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { fillTables } from '../../../test/support/rows.ts';

test('the database refuses an address without a source, a source without an address, and other sources', async () => {
  const db = await testDatabase();
  await fillTables(db);
  for (const set of ['email_source = null', 'email = null', `email_source = 'guessed'`])
    await expect(db.query(`update customers set ${set} where email is not null`)).rejects.toThrow(
      /email_sourced?_check/,
    );
});
