import {
  AccountRole,
  type Address,
  address,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';
import { expect } from 'vitest';
import { intentInvariants } from '../../src/intents/invariants.ts';
import { settlementInvariants } from '../../src/payments/transfers/invariants.ts';
import { checkInvariants } from '../../src/platform/db/invariant.ts';
import type { TestChain } from './chain.ts';
import type { TestMerchant } from './service.ts';
import { type Payment, pay, send } from './wallet.ts';

/** One dollar, in base units. */
export const UNITS = 1_000_000n;

export interface NewIntent {
  id: string;
  reference: Address;
}

let orders = 0;

export async function newIntent(shop: TestMerchant, amountCents = 100): Promise<NewIntent> {
  const order = { amountCents, orderId: `p${orders++}` };
  const { body } = await shop.call('POST', '/api/merchants/intents', order);
  return { id: body.id, reference: address(body.referenceAddress) };
}

export async function readIntent(shop: TestMerchant, { id }: NewIntent) {
  const { body } = await shop.call('GET', `/api/merchants/intents/${id}`);
  return { status: body.status as string, cents: body.amountReceivedCents as number };
}

/** The customer pays the intent's dollar to the merchant, as a Solana Pay wallet does, unless told otherwise. */
export function payIntent(t: TestChain, intent: NewIntent, more: Partial<Payment> = {}) {
  return pay({
    rpcUrl: t.chain.rpcUrl,
    from: t.customer.signer,
    destinationOwner: t.merchant.address,
    amountBaseUnits: UNITS,
    references: [intent.reference],
    ...more,
  });
}

/** Sends these instructions from the customer's wallet. */
export function sendFrom(t: TestChain, ...instructions: Instruction[]) {
  return send({ rpcUrl: t.chain.rpcUrl, payer: t.customer.signer, instructions });
}

export async function exceptionKinds(t: TestChain, signature: string): Promise<string[]> {
  const rows = await t.service.db.query<{ kind: string }>(
    'select kind from payment_exceptions where signature = $1 order by kind',
    [signature],
  );
  return rows.map((row) => row.kind);
}

export function withReference<Given extends Instruction>(
  instruction: Given,
  reference: Address,
  role: AccountRole = AccountRole.READONLY,
): Given {
  return { ...instruction, accounts: [...(instruction.accounts ?? []), { address: reference, role }] };
}

export async function expectSoundBooks(t: TestChain): Promise<void> {
  const results = await checkInvariants(t.service.db, [...intentInvariants, ...settlementInvariants]);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
}

/** Everything the watcher does for an intent whose payer says to have paid, to the end. */
export async function lookCloserAt(t: TestChain, { id }: NewIntent): Promise<void> {
  await t.shop.call('POST', `/api/public/intents/${id}/check`);
  const due = async () =>
    (
      await t.service.db.query('select from payment_intents where id = $1 and reference_check_at <= $2', [
        id,
        t.service.clock.now(),
      ])
    ).length > 0;
  while (await due()) await t.lookCloser();
  await t.finalize();
}

/** Requests a payment from the service and signs it with the customer's wallet; it is not sent. */
export async function signedPayment(t: TestChain, id: string, signer = t.customer.signer): Promise<string> {
  const account = signer.address;
  const { body } = await t.shop.call('POST', `/api/public/intents/${id}/pay`, { account });
  return signed(body.transaction, signer);
}

export async function signed(unsigned: string, signer: KeyPairSigner): Promise<string> {
  const decoded = getTransactionDecoder().decode(Buffer.from(unsigned, 'base64'));
  return getBase64EncodedWireTransaction(await partiallySignTransaction([signer.keyPair], decoded));
}
