import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { closeMerchant, reopenMerchant } from '../src/accounts/merchants/close-merchant.ts';
import { exportMerchantCommand, reopenMerchantCommand } from '../src/cli/operator/moving.ts';
import { cleanUp } from './support/clean-up.ts';
import { change } from './support/moving.ts';
import { temporaryFolder } from './support/process.ts';
import { testService } from './support/service.ts';

const recipient = [await identityToRecipient(await generateX25519Identity())];

/** An export that waits, for somebody who was writing before it began. */
async function waiting() {
  const service = await testService();
  const { config, db, secrets } = service;
  const { id } = await service.createMerchant('Leaving');
  const folder = await temporaryFolder(cleanUp);
  const context = { config, db, secrets, keyFile: undefined, say() {}, print() {} };
  const isClosed = async () => {
    const rows = await db.query('select from merchants where id = $1 and closed_at is not null', [id]);
    return rows.length === 1;
  };
  const exporting = (name: string) =>
    exportMerchantCommand(context, id, { recipient, out: join(folder, name), json: true });
  const [writes, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = db.transaction(async (tx) => {
    await tx.query('select pg_current_xact_id()');
    writes.resolve();
    await done.promise;
  });
  await writes.promise;
  const ended = exporting('first').then(
    () => 'exported',
    (error: Error) => error.message,
  );
  await expect.poll(isClosed).toBe(true);
  async function finish() {
    done.resolve();
    await writing;
    return ended;
  }
  return { service, context, id, isClosed, exporting, finish, files: () => readdir(folder) };
}

test('while a merchant is exported, nobody else exports it, and nobody opens it', async () => {
  const { context, id, isClosed, exporting, finish, files } = await waiting();
  const byAnother = 'the merchant is being exported by another command';
  await expect(exporting('second')).rejects.toThrow(byAnother);
  await expect(reopenMerchantCommand(context, id, {})).rejects.toThrow(byAnother);
  expect(await finish()).toBe('exported');
  expect([await isClosed(), await files()]).toEqual([true, ['first']]);
  await reopenMerchantCommand(context, id, {});
  expect(await isClosed()).toBe(false);
});

test('an export of a merchant that was open meanwhile fails, leaves no file, and changes nothing that others did', async () => {
  for (const isClosedAgain of [false, true]) {
    const { service, id, isClosed, finish, files } = await waiting();
    // As after the lock was lost with its connection.
    await service.db.transaction((tx) => reopenMerchant(tx, change(service, id)));
    if (isClosedAgain) await service.db.transaction((tx) => closeMerchant(tx, change(service, id)));
    expect(await finish()).toContain('did not stay closed while it was exported');
    expect([await isClosed(), await files()]).toEqual([isClosedAgain, []]);
  }
});
