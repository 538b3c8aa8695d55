import type { SponsoredTransaction } from '../../chain/fee-payer/read-sponsored.ts';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { text } from '../../chain/solana/shapes.ts';
import { type Intent, isOffered, whyNotPayable } from '../../intents/intent.ts';
import { hasPaymentUnderWay, hasPendingAllocation, lockIntent } from '../../intents/queries.ts';
import { requestReferenceCheck } from '../../intents/reference-checks.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { addDays, type Clock, startOfUtcDay } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { type BaseUnits, centsToBaseUnits } from '../../platform/lib/money.ts';
import { readBalance } from './create-sponsor.ts';
import { merchantLimit } from './merchant-limit.ts';
import {
  findSponsoredByMessage,
  findSponsorMode,
  insertSponsored,
  isOwnWallet,
  readWalletRecord,
  reserveFee,
  sumSpentFor,
  updateSent,
} from './queries.ts';
import { dayOf, readSponsorState } from './read-sponsor-state.ts';
import { requireTrust } from './require-trust.ts';
import { requireSuccess } from './simulate.ts';
import { ENOUGH_LAMPORTS, type ReasonOff, type Sponsor, type Sponsored, type Via } from './sponsor.ts';

export interface SponsorParts {
  db: Database;
  rpc: Rpc;
  clock: Clock;
  log: Logger;
  sponsor: Sponsor;
}

export interface SponsorInput {
  /** Intent as it was when the transaction was checked against it. */
  intent: Intent;
  via: Via;
  /** Checked: it pays what is due on the intent, and takes nothing else from the fee payer. */
  transaction: SponsoredTransaction;
  /** It was simulated a moment ago, and would have succeeded. */
  isSimulated?: boolean;
  /** Called once it was simulated here and would succeed; throws where there is no room for it. */
  requireRoom?(): void;
}

/**
 * Signs a payment as its fee payer and sends it. It is stored before it is sent: whatever happens in between, it is sent
 * again or lapses, and the payment is never asked for twice. The same transaction again is the same payment.
 */
export async function sponsorPayment(parts: SponsorParts, input: SponsorInput): Promise<Sponsored> {
  const { transaction, intent } = input;
  const findKnown = () => findSponsoredByMessage(parts.db, transaction.messageHash);
  const known = await findKnown();
  if (known) return sendAgain(parts, known, intent);
  try {
    return await signAndSend(parts, input);
  } catch (error) {
    // Another request with the same transaction may be what is under way, or have paid by now.
    const first = error instanceof AppError && error.code === 'INVALID_STATE' ? await findKnown() : undefined;
    if (!first) throw error;
    return sendAgain(parts, first, intent);
  }
}

async function signAndSend(parts: SponsorParts, input: SponsorInput): Promise<Sponsored> {
  const { db, rpc, sponsor, log } = parts;
  const { transaction, intent } = input;
  await requireOn(parts, input);
  await requireFree(db, intent, parts.clock.now());
  if (!input.isSimulated) await requireSuccess(rpc, transaction.wire);
  input.requireRoom?.();
  const { wire, signature } = await transaction.sign(sponsor.feePayer);
  const sponsored: Sponsored = {
    signature,
    merchantId: intent.merchantId,
    intentId: intent.id,
    payer: transaction.payer,
    via: input.via,
    messageHash: transaction.messageHash,
    transaction: Buffer.from(wire, 'base64'),
    feeLamports: transaction.feeLamports,
    state: 'prepared',
    hasFailed: false,
    lapsesAtHeight: null,
    createdAt: parts.clock.now(),
  };
  const stored = await store(parts, sponsored, intent);
  await send(rpc, stored.transaction).then(
    () => updateSent(db, [stored.signature]),
    // It is stored, so the worker sends it until it lands or lapses.
    (error: unknown) =>
      log.warn({ err: error, signature: stored.signature }, 'a sponsored payment was not sent yet'),
  );
  return stored;
}

/** A transaction is a payment once: sent again, it is still the same one. */
async function sendAgain({ rpc }: SponsorParts, known: Sponsored, intent: Intent): Promise<Sponsored> {
  if (known.intentId !== intent.id || known.merchantId !== intent.merchantId)
    throw refusal('other_payment', 'This transaction pays for something else.');
  if (known.state === 'dropped') throw refusal('lapsed', 'This transaction has lapsed; ask for a new one.');
  if (known.state !== 'landed') await send(rpc, known.transaction).catch(ignoreFailure);
  return known;
}

async function requireOn(
  { db, rpc, sponsor, clock }: SponsorParts,
  { intent, via, transaction }: SponsorInput,
): Promise<void> {
  const mode = (await findSponsorMode(db, intent)) ?? sponsor.defaultMode;
  if (mode === 'never')
    throw refusal(
      'not_chosen',
      'Network fees are not paid for you here; pay with a little SOL in your wallet.',
    );
  // Money that goes nowhere would be a way to spend the fees that are for customers.
  if (await isOwnWallet(db, intent.merchantId, transaction.payer))
    throw refusal(
      'own_wallet',
      'This wallet is the merchant’s own, so its network fees are not paid; pay with a little SOL in it.',
    );
  const { reasonOff } = await readSponsorState(db, sponsor, clock.now(), intent.merchantId);
  // Programs have no other way to pay by x402; a wallet that has SOL does.
  if (reasonOff === null && mode === 'when_needed' && via === 'wallet')
    return requireNeed(rpc, transaction.payer);
  if (reasonOff === null) return;
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'Network fees cannot be paid for you right now; pay with a little SOL in your wallet.',
    detail: reasonOff,
    reason: reasonOff,
    retryAfterSeconds: 60,
  });
}

async function requireNeed(rpc: Rpc, payer: string): Promise<void> {
  const lamports = await readBalance(rpc, payer).catch(networkUnavailable);
  if (lamports < ENOUGH_LAMPORTS) return;
  throw refusal(
    'not_needed',
    'This wallet has SOL for the network fee, so it is not paid for you; ask for a new transaction.',
  );
}

/** Asked before the network is, and again when the intent is locked. What we have sent for its payer may still land too. */
async function requireFree(db: Database | Tx, intent: Intent, now: Date): Promise<void> {
  if (!isOffered(intent, now)) throw refusal('not_payable', whyNotPayable(intent));
  if ((await hasPaymentUnderWay(db, intent)) || (await hasPendingAllocation(db, intent))) throw underWay();
}

const MAX_FAILURES_A_DAY = 2;
/** Each may fail and cost its fee; a wallet that is served one after the other never has as many. */
const MAX_UNDER_WAY = 5;

/**
 * A transaction that fails on chain costs its fee too. So what a wallet has under way must be covered by what it holds,
 * and one that has wasted fees, as by moving its money away at the last moment, pays its own for a day. Undefined:
 * what it holds has to be asked first.
 */
async function checkRecord(
  tx: Tx,
  { payer, createdAt }: Sponsored,
  { due, held }: { due: BaseUnits; held: BaseUnits | undefined },
): Promise<{ underWay: number } | undefined> {
  const since = addDays(createdAt, -1);
  const { underWayCents, underWay: count, failures } = await readWalletRecord(tx, payer, since);
  if (failures >= MAX_FAILURES_A_DAY)
    throw refusal(
      'wallet_failed',
      'Payments from this wallet have failed, so its network fees are not covered today; pay the fee with a little SOL of your own.',
    );
  if (count >= MAX_UNDER_WAY)
    throw refusal(
      'wallet_busy',
      'This wallet has several payments under way; wait a moment until they have arrived, or pay the fee with a little SOL of your own.',
    );
  if (underWayCents === 0n) return { underWay: count };
  if (held === undefined) return undefined;
  if (centsToBaseUnits(underWayCents) + due <= held) return { underWay: count };
  throw refusal(
    'wallet_short',
    'This wallet has other payments under way and not enough USDC for one more; wait until they have arrived.',
  );
}

function underWay(): AppError {
  return refusal('under_way', 'A payment is already under way; wait a moment to see whether it arrives.');
}

/** Reason why nothing was signed, for callers that have their own names for it. */
export type SignRefusal =
  | 'other_payment'
  | 'lapsed'
  | 'not_chosen'
  | 'not_needed'
  | 'not_payable'
  | 'amount_changed'
  | 'under_way'
  | 'own_wallet'
  | 'wallet_busy'
  | 'wallet_failed'
  | 'wallet_new'
  | 'wallet_short';

/** Reasons that pass: payments under way arrive within seconds, and then there is room for one more. */
const PASSING = new Set<SignRefusal>(['under_way', 'wallet_busy', 'wallet_short']);
const WAIT_SECONDS = 2;

function refusal(reason: SignRefusal, message: string): AppError {
  const wait = PASSING.has(reason) && { retryAfterSeconds: WAIT_SECONDS };
  return new AppError('INVALID_STATE', { message, reason, ...wait });
}

async function store(parts: SponsorParts, sponsored: Sponsored, checked: Intent): Promise<Sponsored> {
  const { db, sponsor } = parts;
  try {
    const isStored = await storeCovered(parts, sponsored, { checked, held: undefined });
    if (isStored) return sponsored;
    const held = await sponsor.held(sponsored.payer).catch(networkUnavailable);
    await storeCovered(parts, sponsored, { checked, held });
    return sponsored;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another request with the same transaction was faster, or one with another for the same payment.
    const first = await findSponsoredByMessage(db, sponsored.messageHash);
    if (first && first.intentId === checked.id) return first;
    throw underWay();
  }
}

function noMoreToday(detail: ReasonOff): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'No more network fees are paid today; pay with a little SOL in your wallet.',
    detail,
    reason: detail,
    retryAfterSeconds: 3_600,
  });
}

/** False where it has to be known first what the wallet holds; then nothing is stored. */
function storeCovered(
  { db, sponsor }: SponsorParts,
  sponsored: Sponsored,
  { checked, held }: { checked: Intent; held: BaseUnits | undefined },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const intent = await lockIntent(tx, checked);
    if (!intent) throw new AppError('NOT_FOUND');
    await requireFree(tx, intent, sponsored.createdAt);
    const due = centsToBaseUnits(intent.expectedAmountCents) - intent.receivedBaseUnits;
    const record = await checkRecord(tx, sponsored, { due, held });
    if (!record) return false;
    const isSame = intent.expectedAmountCents === checked.expectedAmountCents;
    if (!isSame || intent.receivedBaseUnits !== checked.receivedBaseUnits)
      throw refusal('amount_changed', 'The amount due has changed; ask for a new transaction.');
    await insertSponsored(tx, sponsored);
    await requestReferenceCheck(tx, intent, sponsored.createdAt);
    const { createdAt, feeLamports } = sponsored;
    if (!(await reserveFee(tx, dayOf(createdAt), feeLamports, sponsor.limitLamportsPerDay)))
      throw noMoreToday('daily_limit_reached');
    // The day's row is locked by now, so no other payment is counted at the same time.
    const limit = await merchantLimit(tx, sponsor, intent.merchantId);
    if (limit !== null && (await sumSpentFor(tx, intent.merchantId, startOfUtcDay(createdAt))) > limit)
      throw noMoreToday('merchant_limit_reached');
    await requireTrust(tx, sponsor, { sponsored, ...record });
    return true;
  });
}

/** Calls for money that is under way wait for nobody who has just come. */
export const SENT = 'sponsored payments';

/** Already simulated: the node has nothing to add, and what it has taken before it may take again. */
export async function send(rpc: Rpc, transaction: Buffer): Promise<void> {
  const params = [transaction.toString('base64'), { encoding: 'base64', skipPreflight: true, maxRetries: 0 }];
  const ask = () => rpc.ask('sendTransaction', params, (value) => text(value, 'signature'));
  await inShareOf(SENT, ask, { isUrgent: true });
}

export function ignoreFailure(error: unknown): void {
  if (!(error instanceof RpcFailure)) throw error;
}
