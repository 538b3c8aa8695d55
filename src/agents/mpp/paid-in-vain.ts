import { measureReceived } from '../../chain/solana/measure.ts';
import { toDecimal } from '../../chain/solana/pay-url.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { listOwnAddresses } from '../../payments/watcher/queries.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { destinationOf } from '../x402/book-landed.ts';
import { merchantOf, type Place } from '../x402/place.ts';
import { readLanded } from '../x402/read-landed.ts';
import { findReceived } from '../x402/received-queries.ts';
import { isOurs, requestOf } from './challenge.ts';
import { offeredAt } from './offer-challenges.ts';
import type { MppParts } from './parts.ts';
import { type PaidInVain, type Problem, wasNeverAccepted } from './problem.ts';
import type { Challenge } from './protocol.ts';

const CONFLICT = 409;

export interface OwnTransaction {
  /** The client's own transaction. */
  signature: string;
  /** Challenge that the client claims to have paid; perhaps altered. */
  challenge: Challenge | undefined;
}

/**
 * Answers a client that has paid by a transaction of its own and cannot be given anything for it: 409 and how much
 * arrived. A 402 would make it pay again; it is only right, and undefined returned, if the transaction certainly
 * brought nothing.
 */
export async function paidInVain(
  parts: MppParts,
  place: Place,
  shown: OwnTransaction,
  refusal: Problem,
): Promise<PaidInVain | undefined> {
  const { signature } = shown;
  const inBooks = await bookedInVain(parts, place, signature, refusal);
  if (inBooks || wasNeverAccepted(refusal)) return inBooks;
  const transaction = await readLanded(parts, signature, 'confirmed', { isSearched: true });
  if (!transaction) return told(refusal, signature, NOT_SEEN);
  const received = await measureAnywhere(parts, place, shown, transaction);
  return received === 0n ? undefined : hasPaid(refusal, signature, received);
}

/** The same by our own books alone, which know what a node may have forgotten. */
export async function bookedInVain(
  { db }: MppParts,
  place: Place,
  signature: string,
  refusal: Problem,
): Promise<PaidInVain | undefined> {
  const received = await findReceived(db, { merchantId: await merchantOf(place), signature });
  return received === undefined ? undefined : hasPaid(refusal, signature, received);
}

/** Measures what arrived at any address of the seller: the one that was offered, today's, and those of the past. */
async function measureAnywhere(
  { db, mint, challengeKeys }: MppParts,
  place: Place,
  { challenge }: OwnTransaction,
  transaction: LandedTransaction,
): Promise<BaseUnits> {
  const paid = [...new Set(transaction.after.flatMap(({ owner }) => owner ?? []))];
  const owners = new Set(await listOwnAddresses(db, await merchantOf(place), paid));
  if (place.kind === 'intent') owners.add(place.intent.destinationAddress);
  if (challenge && isOurs(challengeKeys, offeredAt(place), challenge))
    owners.add(requestOf(challenge).recipient);
  let received = 0n;
  for (const owner of owners) received += measureReceived(transaction, await destinationOf(owner, mint));
  return received;
}

const NOT_SEEN = 'What the transaction has paid is not known yet. Do not pay again before it is.';
const OTHER_TOKEN =
  'The transaction has paid this seller in another token than USDC. Do not pay again before you have asked the seller, who can see the payment.';

function hasPaid(refusal: Problem, signature: string, received: BaseUnits): PaidInVain {
  if (received === 0n) return told(refusal, signature, OTHER_TOKEN);
  const detail = `The transaction has paid this seller ${toDecimal(received)} USDC. Do not pay again: the seller can see the payment and refund it.`;
  return { ...told(refusal, signature, detail), amount: String(received) };
}

function told({ type, title, detail }: Problem, transaction: string, what: string): PaidInVain {
  return { type, title, status: CONFLICT, detail: `${detail} ${what}`, transaction };
}
