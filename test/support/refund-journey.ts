import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { newSession, paySession } from './billing.ts';
import type { TestChain } from './chain.ts';
import { newAddress } from './service.ts';
import { createWallet } from './wallet.ts';

type Fields = Record<string, unknown>;

/** A checkout whose money is final. */
export async function paidSession(t: TestChain, projectId: string, fields: Fields = {}, cents?: number) {
  const session = await newSession(t.shop, projectId, fields);
  await paySession(t, session, cents ?? session.amountCents);
  await t.finalize();
  return session;
}

/** A promise of money back. Nothing has moved yet. */
export async function newRefund(t: TestChain, fields: Fields) {
  const answer = await t.shop.call('POST', '/api/v2/refunds', { reason: 'requested_by_customer', ...fields });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

/** Sends one that is ready, from the test wallet, and waits for the chain to prove it. */
export async function sendRefund(t: TestChain, id: string) {
  const sent = await t.shop.call('POST', `/api/v2/sandbox/refunds/${id}/pay`, {});
  expect([sent.status, sent.text]).toEqual([202, sent.text]);
  await t.finalize();
  const { body } = await t.shop.call('GET', `/api/v2/refunds/${id}`);
  expect(body.status).toBe('succeeded');
  const stored = await t.service.db.query('select sent_signature from refunds where id = $1', [id]);
  expect(stored).toEqual([{ sentSignature: sent.body.signature }]);
  return body;
}

/** Money that went back, to a new wallet unless told otherwise. */
export async function refunded(t: TestChain, fields: Fields) {
  const { address } = await createWallet(t.chain);
  return sendRefund(t, (await newRefund(t, { address, ...fields })).id);
}

/** A page for the customer; answers its path. */
export async function claimPath(t: TestChain, refundId: string): Promise<string> {
  const answer = await t.shop.call('POST', `/api/v2/refunds/${refundId}/claim-link`);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return new URL(answer.body.url).pathname;
}

/**
 * Inserts the rows of a refund that the chain has proven, for tests without a chain. It is of an intent or an
 * exception.
 */
export async function insertProvenRefund(
  db: Database,
  merchantId: string,
  of: Partial<Record<'projectId' | 'customerId' | 'invoiceId' | 'paymentIntentId' | 'exceptionId', string>>,
): Promise<{ refundId: string; creditNoteId: string }> {
  const [refundId, creditNoteId] = [randomUUID(), randomUUID()];
  const [row] = await db.query<{ number: bigint }>(
    'select count(*) + 1000 as number from refunds where merchant_id = $1',
    [merchantId],
  );
  const number = row!.number;
  const { projectId, customerId, invoiceId, paymentIntentId, exceptionId } = of;
  const ids = [projectId, customerId, invoiceId].map((id) => id ?? null);
  await db.query(
    `insert into refunds (merchant_id, id, number, project_id, customer_id, invoice_id, payment_intent_id, exception_id,
                          status, amount_cents, sent_base_units, reason, address, address_source, address_approved_at,
                          reference_address, notify_customer, revoke_credits, cancel_subscription, tx_signature,
                          created_at, expires_at, succeeded_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'succeeded', 1, 10000, 'other', $9, 'merchant', now(), $10, false, false,
             false, 'proof', now(), now() + interval '1 day', now())`,
    [
      merchantId,
      refundId,
      number,
      ...ids,
      paymentIntentId ?? null,
      exceptionId ?? null,
      newAddress(),
      newAddress(),
    ],
  );
  await db.query(
    `insert into credit_notes (merchant_id, id, number, refund_id, project_id, customer_id, invoice_id, amount_cents, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 1, now())`,
    [merchantId, creditNoteId, number, refundId, ...ids],
  );
  return { refundId, creditNoteId };
}
