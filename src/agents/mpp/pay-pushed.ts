import { measureReceived } from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { hasAnotherIntent } from '../../intents/queries.ts';
import { findSponsored } from '../../payments/sponsor/queries.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { timeOfId } from '../../platform/lib/ids.ts';
import { type BaseUnits, baseUnitsToCents } from '../../platform/lib/money.ts';
import { destinationOf } from '../x402/book-landed.ts';
import { arrived, bookPayment, payerOf } from '../x402/book-payment.ts';
import { listArrived } from '../x402/list-arrived.ts';
import { type Outcome, ofPayer, presentedBy } from '../x402/outcome.ts';
import { merchantOf } from '../x402/place.ts';
import { keyOfPurpose } from '../x402/purpose.ts';
import { isDecidedElsewhere } from '../x402/queries.ts';
import { readLanded } from '../x402/read-landed.ts';
import { findReceived } from '../x402/received-queries.ts';
import { type Accepted, findPaid } from './accepted.ts';
import { isExpired } from './challenge.ts';
import { checkLanded } from './check-landed.ts';
import { isMissing } from './is-missing.ts';
import type { MppParts } from './parts.ts';
import { type Problem, problem } from './problem.ts';
import type { Challenge } from './protocol.ts';

/** A client that paid in time may report it later, and gets what it has paid for. After that the money is only listed. */
const REPORT_WITHIN_SECONDS = 3_600;
/** Block times are whole seconds, and lag. */
const BLOCK_TIME_SLACK_SECONDS = 30;

/**
 * A payment that the client has sent itself. The chain says whether it pays this offer: its memo names the offer's order and
 * no other, so one transaction never pays twice. What was right when it landed is taken, whatever has changed since; what came
 * or is reported too late is listed for the seller; what the network has not shown yet is pending: never "not paid".
 */
export async function payPushed(
  parts: MppParts,
  accepted: Accepted,
  signature: string,
): Promise<Outcome | Problem> {
  const { settleAt } = accepted;
  await requireOwn(parts, accepted, signature);
  const paid = await findPaid(parts, accepted);
  if (paid?.signature === signature) return presentedBy(paid, paid.payer || signature);
  accepted.caller.requireTurn();
  const transaction = await readLanded(parts, signature, settleAt, { isSearched: true });
  if (!transaction) return undecided(parts, accepted, signature);
  const wrong = await findFault(parts, accepted, transaction);
  if (wrong) return wrong;
  accepted.caller.notePaid();
  if (paid?.kind === 'pending' && paid.signature !== signature) return paid;
  const outcome = await book(parts, accepted, transaction);
  return paid?.kind === 'paid' && paid.signature !== signature
    ? afterAnother(parts, accepted, transaction, paid)
    : outcome;
}

/**
 * Everybody can read a signature on chain, so it says nothing about who shows it. What we have signed and sent was paid with
 * another credential or by x402, and only that one is answered with what it bought.
 */
async function requireOwn({ db }: MppParts, { place, intentId }: Accepted, signature: string): Promise<void> {
  if (place.kind === 'intent') return;
  const signed = await findSponsored(db, signature);
  if (signed?.intentId !== intentId) return;
  const message =
    'This order was paid with another credential. Only that one gets the receipt: send it again, not the signature. Do not pay again.';
  throw new AppError('INVALID_STATE', { message });
}

/** A payment that has not landed by the end of its offer never counts. That is certain a little later, once the chain is final. */
const DECIDED_AFTER_SECONDS = 120;

async function undecided(parts: MppParts, accepted: Accepted, signature: string): Promise<Outcome | Problem> {
  const end = new Date(accepted.challenge.expires);
  const decidedAt = addSeconds(end, DECIDED_AFTER_SECONDS);
  const pending = { kind: 'pending' as const, payer: '', signature };
  if (parts.clock.now() <= decidedAt) return { ...pending, decidedAt };
  const merchantId = await merchantOf(accepted.place);
  const received = await findReceived(parts.db, { merchantId, signature });
  if (received !== undefined)
    return (await isTaken(parts, accepted, { signature, received }))
      ? FORGOTTEN
      : { ...pending, decidedAt: latestReport(accepted.challenge) };
  const from = addSeconds(timeOfId(accepted.intentId), -BLOCK_TIME_SLACK_SECONDS);
  const until = addSeconds(end, BLOCK_TIME_SLACK_SECONDS);
  return (await isMissing(parts, { signature, from, until })) ? NEVER_TAKEN : { ...pending, decidedAt };
}

/** True if money in our books can no longer pay this offer, even if a node shows its transaction again. */
async function isTaken(
  { db, clock }: MppParts,
  { challenge, payTo, intentId, amountBaseUnits }: Accepted,
  { signature, received }: { signature: string; received: BaseUnits },
): Promise<boolean> {
  if (received !== amountBaseUnits || clock.now() > latestReport(challenge)) return true;
  return isDecidedElsewhere(db, { signature, destination: payTo, intentId });
}

const NEVER_TAKEN = problem(
  'payment-expired',
  'The network never took this transaction, and the offer is over. Pay the new one.',
);

const FORGOTTEN = problem('verification-failed', 'The network no longer shows this transaction.');

async function findFault(
  parts: MppParts,
  accepted: Accepted,
  transaction: LandedTransaction,
): Promise<Problem | undefined> {
  const { intentId, payTo, place } = accepted;
  const destination = await destinationOf(payTo, parts.mint);
  const wrong = checkLanded(transaction, destination, accepted);
  if (wrong) {
    const isMeant =
      transaction.memos.includes(accepted.memo) && measureReceived(transaction, destination) > 0n;
    if (isMeant && place.kind === 'sale')
      await listArrived(parts, await place.readSold(termsOf(accepted)), transaction);
    return wrong;
  }
  if (await hasAnotherIntent(parts.db, transaction.accounts, accepted)) return OTHER_ORDER;
  // A transaction that we signed pays the order it was signed for, whatever its memo says.
  const signed = await findSponsored(parts.db, transaction.signature);
  return signed && signed.intentId !== intentId ? ELSEWHERE : undefined;
}

const termsOf = ({ payTo, amountBaseUnits }: Accepted) => ({
  payTo,
  amountCents: baseUnitsToCents(amountBaseUnits),
});

const OTHER_ORDER = problem(
  'verification-failed',
  'The transaction also names another order by its reference: it pays for that one.',
);

const ELSEWHERE = problem('verification-failed', 'The transaction has paid for something else.');

function book(parts: MppParts, accepted: Accepted, transaction: LandedTransaction): Promise<Outcome> {
  const { place, intentId, reference, payTo, purpose } = accepted;
  return bookPayment(parts, {
    ...{ transaction, payTo, intentId, reference },
    whyTooLate: whyTooLate(accepted, transaction, parts.clock.now()),
    keyOf: (payer) => (purpose === null ? null : keyOfPurpose(payer, purpose)),
    readSold() {
      if (place.kind === 'intent') throw new Error('an intent is written before it is paid');
      return place.readSold(termsOf(accepted));
    },
  });
}

/** A stored order accepts its payment whenever it lands; an offer only until it ends, and for some time afterwards. */
function whyTooLate(
  { challenge }: Accepted,
  { blockTime }: LandedTransaction,
  now: Date,
): string | undefined {
  const at = new Date(Math.min(blockTime.getTime(), now.getTime()));
  if (isExpired(challenge, addSeconds(at, -BLOCK_TIME_SLACK_SECONDS)))
    return `This was paid after the offer had expired, at ${challenge.expires}.`;
  return now > latestReport(challenge)
    ? `This was reported too late: the offer expired at ${challenge.expires}.`
    : undefined;
}

const latestReport = ({ expires }: Challenge) => addSeconds(new Date(expires), REPORT_WITHIN_SECONDS);

/** The order was already paid: this payment is a surplus, listed with the order, and buys nothing. */
async function afterAnother(
  parts: MppParts,
  { place, payTo }: Accepted,
  transaction: LandedTransaction,
  paid: Outcome,
): Promise<Outcome> {
  const outcome = ofPayer(paid, place, await payerOf(parts, transaction, payTo));
  if (outcome.kind === 'refused') throw arrived('Another wallet has paid this order before.');
  return outcome;
}
