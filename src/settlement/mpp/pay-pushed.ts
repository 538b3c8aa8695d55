import { payersOf } from '../../chain/solana/find-payer.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Intent } from '../../money/intents/intent.ts';
import { findIntentAnywhere } from '../../money/intents/queries.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import { acceptOrder } from '../offers/accept-order.ts';
import { type Outcome, presentedBy } from '../x402/outcome.ts';
import type { OpenSale } from '../x402/place.ts';
import { type Accepted, findPaid, requireStill } from './accepted.ts';
import { bookLanded, destinationOf } from './book-landed.ts';
import { checkLanded } from './check-landed.ts';
import type { MppParts } from './parts.ts';
import { isProblem, type Problem, problem } from './problem.ts';
import { namesAnotherIntent } from './queries.ts';
import { readLanded } from './read-landed.ts';

/** Who has paid in time may say so later: the money is there. */
const REPORT_WITHIN_SECONDS = 3_600;
/** Block times are whole seconds, and lag. */
const BLOCK_TIME_SLACK_SECONDS = 30;

/**
 * A payment that the client has sent itself. The chain says whether it pays this offer: its memo names the offer's order and
 * no other, so one transaction never pays twice. What the network has not shown yet is pending: never "not paid".
 */
export async function payPushed(
  parts: MppParts,
  accepted: Accepted,
  signature: string,
): Promise<Outcome | Problem> {
  const { challenge, intentId, settleAt, payTo } = accepted;
  const paid = await findPaid(parts, accepted);
  if (paid?.signature === signature && paid.payer !== '') return presentedBy(paid, paid.payer);
  const latest = addSeconds(new Date(challenge.expires), REPORT_WITHIN_SECONDS);
  if (parts.clock.now() > latest)
    return problem('payment-expired', `This offer expired at ${challenge.expires}. Pay the new one.`);
  accepted.requireCapacity(signature);
  const transaction = await readLanded(parts, signature, settleAt);
  if (!transaction) return { kind: 'pending', payer: '', signature };
  const destination = await destinationOf(payTo, parts.mint);
  const wrong = checkLanded(transaction, destination, accepted);
  if (wrong) return wrong;
  if (await namesAnotherIntent(parts.db, transaction.accounts, intentId)) return OTHER_ORDER;
  if (paid && paid.signature !== signature) return paid;
  const intent = await requireOrder(parts, accepted, transaction);
  if (isProblem(intent)) return intent;
  if (!(await bookLanded(parts, intent, transaction))) return { kind: 'pending', payer: '', signature };
  const { merchantId } = intent;
  const payer = payerOf(parts, accepted, transaction);
  return { kind: 'paid', merchantId, intentId, payer, signature, presentedBy: payer };
}

const OTHER_ORDER = problem(
  'verification-failed',
  'The transaction also names another order by its reference: it pays for that one.',
);

/** The order of a payment that is on chain: it was made in time, so it is written as of that time. */
async function requireOrder(
  parts: MppParts,
  accepted: Accepted,
  transaction: LandedTransaction,
): Promise<Intent | Problem> {
  const { place, intentId, reference } = accepted;
  // Written before, so it is what was offered; it may even be paid.
  const known = await findIntentAnywhere(parts.db, intentId);
  if (known && (place.kind === 'sale' || known.status === 'processing')) return known;
  const at = new Date(Math.min(transaction.blockTime.getTime(), parts.clock.now().getTime()));
  const open = await requireStill(parts, accepted, addSeconds(at, -BLOCK_TIME_SLACK_SECONDS));
  if (isProblem(open)) return open;
  if (place.kind === 'intent') return open as Intent;
  const payer = payerOf(parts, accepted, transaction);
  const { sale } = open as OpenSale;
  return acceptOrder(parts, { sale, intentId, reference, payer, at, key: `offer:${intentId}` });
}

function payerOf({ mint }: MppParts, { payTo }: Accepted, transaction: LandedTransaction): string {
  return [...payersOf(transaction, { mint, destination: payTo })][0] ?? '';
}
