import { readTransaction } from '../../chain/solana/read-message.ts';
import { hashOf } from '../../payments/sponsor/message-hash.ts';
import { findSponsoredByMessage } from '../../payments/sponsor/queries.ts';
import { arrived } from './book-payment.ts';
import { awaitOutcome, type Outcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { merchantOf, type Place } from './place.ts';

/**
 * Waits for a transaction that was refused here and whose fee we have paid for another sale of this seller: its payer
 * must not be asked to pay again. Throws if it has paid; undefined if it has brought the seller nothing.
 */
export async function findElsewhere(
  parts: X402Parts,
  place: Place,
  wire: string,
): Promise<Outcome | undefined> {
  const read = readTransaction(wire);
  const known = read && (await findSponsoredByMessage(parts.db, hashOf(read)));
  if (!known || known.merchantId !== (await merchantOf(place))) return undefined;
  const outcome = await awaitOutcome(parts, known, 'confirmed');
  if (outcome.kind === 'refused' || outcome.signature !== known.signature) return undefined;
  if (outcome.kind === 'pending') return outcome;
  throw arrived(
    'This transaction has paid for something else: show it with the offer that it was signed for.',
  );
}
