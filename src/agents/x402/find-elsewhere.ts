import { namedInMemos } from '../../chain/solana/order-memo.ts';
import { memosOf, type ReadTransaction, readTransaction } from '../../chain/solana/read-message.ts';
import { hashOf } from '../../payments/sponsor/message-hash.ts';
import { findSponsoredByMessage } from '../../payments/sponsor/queries.ts';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import { credited, paidElsewhere } from './book-payment.ts';
import { isAwaited, listPaidOrdersNamed } from './elsewhere-queries.ts';
import { awaitOutcome, type Outcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { merchantOf, type Place } from './place.ts';

/**
 * Waits for a transaction that was refused here and whose fee was paid for another sale of this seller, by us or by the
 * installation that the seller has moved from: its payer must not be asked to pay again. Throws if it has paid; undefined
 * if it has brought the seller nothing.
 */
export async function findElsewhere(
  parts: X402Parts,
  place: Place,
  wire: string,
): Promise<Outcome | undefined> {
  const read = readTransaction(wire);
  if (!read) return undefined;
  const merchantId = await merchantOf(place);
  const known = await findSponsoredByMessage(parts.db, hashOf(read));
  if (!known) return findBeforeMove(parts, merchantId, read);
  if (known.merchantId !== merchantId) return undefined;
  const outcome = await awaitOutcome(parts, known, 'confirmed');
  if (outcome.kind === 'refused' || outcome.signature !== known.signature) return undefined;
  if (outcome.kind === 'pending') return outcome;
  throw paidElsewhere();
}

/**
 * Finds what was signed where the seller has moved from: it has come along until it is read. Then the order that its memo names is paid,
 * by the same wallet. That wallet's signature is read last: it takes longest.
 */
async function findBeforeMove(
  { db }: X402Parts,
  merchantId: string,
  read: ReadTransaction,
): Promise<Outcome | undefined> {
  const [own] = read.signatures;
  const sent = { hash: hashOf(read), signature: encodeBase58(own ?? new Uint8Array()) };
  if (await isAwaited(db, merchantId, sent)) return { kind: 'pending', payer: '', signature: '' };
  const [feePayer, payer] = read.message?.accounts.slice(0, read.message.signerCount) ?? [];
  if (feePayer === undefined || payer === undefined) return undefined;
  const orders = await listPaidOrdersNamed(db, merchantId, namedIn(read));
  const isPaid = orders.some(({ payerAddress }) => payerAddress === payer);
  if (isPaid && (await read.isSignedBy(payer))) throw credited();
  return undefined;
}

function namedIn({ message }: ReadTransaction): string[] {
  return message ? namedInMemos(memosOf(message)) : [];
}
