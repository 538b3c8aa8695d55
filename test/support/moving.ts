import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { awaitQuiet } from '../../src/accounts/merchants/await-quiet.ts';
import { closeMerchant } from '../../src/accounts/merchants/close-merchant.ts';
import { USDC_MINTS } from '../../src/chain/solana/network.ts';
import { invariants } from '../../src/operations/doctor/doctor.ts';
import { contentCheck } from '../../src/operations/moving/check-contents.ts';
import { exportMerchant } from '../../src/operations/moving/export-merchant.ts';
import { importMerchant } from '../../src/operations/moving/import-merchant.ts';
import { decrypted, encryption, unlocking } from '../../src/operations/table-file/encryption.ts';
import { type TestChain, testChain } from './chain.ts';
import { call, type TestMerchant, type TestService } from './service.ts';

export const OLD_URL = 'http://old.example';
export const NEW_URL = 'http://new.example';
const identity = await generateX25519Identity();
export const encrypt = encryption({ recipients: [await identityToRecipient(identity)] });
export const PLACE = { network: 'sandbox', mint: USDC_MINTS.sandbox, onProgress() {} };
export const checkContents = contentCheck(invariants);

/** Two installations on one chain. */
export async function twoInstallations(
  waits: { settleWaitMs?: number } = {},
): Promise<{ source: TestChain; target: TestChain }> {
  const source = await testChain({ PUBLIC_URL: OLD_URL }, undefined, undefined, waits);
  const shared = { ...waits, sharedChain: source.chain };
  return { source, target: await testChain({ PUBLIC_URL: NEW_URL }, undefined, undefined, shared) };
}

export const change = ({ clock }: TestService, merchantId: string) => ({
  ...{ merchantId, actor: 'operator', now: clock.now() },
});

export async function close({ service, shop }: TestChain): Promise<void> {
  const { db } = service;
  await db.transaction((tx) => closeMerchant(tx, change(service, shop.id)));
  await awaitQuiet(db);
}

export async function exported({ service, shop }: TestChain): Promise<Buffer> {
  const { db, secrets, clock } = service;
  const merchant = { id: shop.id, name: 'Shop' };
  const output = new PassThrough();
  const parts = { ...PLACE, db, secrets, merchant, publicUrl: OLD_URL, now: clock.now(), encrypt };
  const [bytes] = await Promise.all([buffer(output), exportMerchant(parts, output)]);
  return bytes;
}

export const opened = (file: Buffer) => decrypted(Readable.from([file]), unlocking([identity], undefined));

export async function imported({ service }: TestChain, file: Buffer): Promise<void> {
  const { db, secrets, clock } = service;
  await importMerchant(
    { ...PLACE, checkContents, db, secrets, publicUrl: NEW_URL, now: clock.now() },
    opened(file),
  );
}

/** The same merchant with the same key, asked for at the other service. */
export const at = (t: TestChain, shop: TestMerchant): TestMerchant => ({
  ...shop,
  call: (method, path, body, headers) =>
    call(t.service.url + path, method, body, { authorization: `Bearer ${shop.key}`, ...headers }),
});
