import { readSponsored } from '../../chain/fee-payer/read-sponsored.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import type { LatestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import {
  hasDurableNonce,
  type Message,
  memosOf,
  type ReadTransaction,
  readTransaction,
} from '../../chain/solana/read-message.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure, RpcRefusal } from '../../chain/solana/rpc-failure.ts';
import { text } from '../../chain/solana/shapes.ts';
import {
  type CheckedTransfer,
  readSignedPayment,
  type SignedPayment,
} from '../../chain/solana/signed-payment.ts';
import { readAccountBalance } from '../../chain/solana/token-accounts.ts';
import type { Intent } from '../../intents/intent.ts';
import { findIntentAnywhere, lockIntent } from '../../intents/queries.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import { hashOf } from '../sponsor/message-hash.ts';
import { findSponsoredByMessage } from '../sponsor/queries.ts';
import type { Sponsor } from '../sponsor/sponsor.ts';
import { sponsorPayment } from '../sponsor/sponsor-payment.ts';
import { namesAnother } from '../transfers/named-intents.ts';
import { maySend, noteNotSent, noteSentPayment, wasSentBefore } from '../watcher/request-payment-check.ts';
import type { Caller, PaymentLimits } from './payment-limits.ts';
import {
  dueBaseUnits,
  isWaiting,
  notPayable,
  onItsWay,
  type PublicIntentParts,
} from './read-public-intent.ts';

export interface SendParts extends PublicIntentParts {
  rpc: Rpc;
  log: Logger;
  sponsor: Sponsor | undefined;
  limits: PaymentLimits;
  latestBlockhash(): Promise<LatestBlockhash>;
}

const NO_PAYMENT = 'must pay exactly the amount due in USDC and include the reference';
const OWN_FEE = 'A wallet that adds something pays its own fee: ask for a transaction with paysFee.';
const NEVER_LAPSES = 'must be signed with a recent blockhash: one with a durable nonce never lapses';

/**
 * Sends a signed payment to the network, for wallets that cannot do so themselves. Only a transaction that pays
 * exactly what is still due on this intent is sent; sending the same one twice is one payment.
 */
export async function sendPayment(
  parts: SendParts,
  { id, transaction, ip }: { id: string; transaction: string; ip: string },
) {
  const intent = await findIntentAnywhere(parts.db, id);
  if (!intent) throw new AppError('NOT_FOUND');
  const caller = parts.limits.wallet(ip, intent);
  return inShareOf([intent.merchantId, networkOf(ip)], () => sendFor(parts, intent, { transaction, caller }));
}

async function sendFor(
  parts: SendParts,
  intent: Intent,
  { transaction, caller }: { transaction: string; caller: Caller },
) {
  const read = readTransaction(transaction);
  const payment = await readSignedPayment(read);
  if (!payment) return sendSponsored(parts, intent, { transaction: read, caller });
  if (!isWaiting(intent, parts.clock.now())) throw notPayable(intent);
  const transfer = await findTransfer(intent, payment, parts.mint);
  if (!transfer) throw badField('transaction', NO_PAYMENT);
  // Anyone who holds it could send it long after another payment has taken its place.
  if (hasDurableNonce(read!.message!)) throw badField('transaction', NEVER_LAPSES);
  await requireNoOther(parts, intent, read!.message!);
  const [source, , , payer] = transfer.accounts;
  const { signature } = payment;
  if (!(await maySend(parts.db, intent, signature))) throw onItsWay();
  caller.requireTurn();
  // The money of one that was sent before may have left the wallet already.
  if (!(await wasSentBefore(parts.db, intent, signature))) {
    const held = await readAccountBalance(parts.rpc, source!, 'processed').catch(networkUnavailable);
    if (held < transfer.amountBaseUnits) throw notTaken();
  }
  caller.requireRoom(payer!, intent.merchantId);
  await noteFirst(parts, intent, signature);
  const failure = await send(parts.rpc, transaction);
  if (failure instanceof RpcRefusal) {
    const isAwaited = await parts.db.transaction((tx) => noteNotSent(tx, intent, signature));
    throw isAwaited ? onItsWay() : refusalOf(failure);
  }
  if (failure) networkUnavailable(failure);
  return { signature };
}

/** Notes a payment before it is sent: of two that come at the same moment, the first is sent, and the other has to wait. */
async function noteFirst({ db, clock }: SendParts, intent: Intent, signature: string): Promise<void> {
  await db.transaction(async (tx) => {
    const locked = (await lockIntent(tx, intent))!;
    if (!isWaiting(locked, clock.now())) throw notPayable(locked);
    if (dueBaseUnits(locked) !== dueBaseUnits(intent)) throw badField('transaction', NO_PAYMENT);
    if (!(await maySend(tx, intent, signature))) throw onItsWay();
    await noteSentPayment(tx, intent, signature, clock.now());
  });
}

/** One that lacks the fee payer's signature: it is ours to give, if the transaction does nothing but pay. */
async function sendSponsored(
  parts: SendParts,
  intent: Intent,
  { transaction, caller }: { transaction: ReadTransaction | undefined; caller: Caller },
) {
  const { sponsor } = parts;
  const read =
    sponsor &&
    (await readSponsored(transaction, {
      feePayer: sponsor.feePayer.address,
      mint: parts.mint,
      destination: intent.destinationAddress,
      amountBaseUnits: dueBaseUnits(intent),
      reference: intent.referenceAddress,
    }));
  if (!read || read === 'not_a_transaction' || read === 'signers' || read === 'payer_signature')
    throw badField('transaction', 'must be a signed Solana transaction in base64');
  const known = await findSponsoredByMessage(parts.db, hashOf(transaction!));
  if (known?.intentId === intent.id && known.state !== 'dropped') return { signature: known.signature };
  if (!isWaiting(intent, parts.clock.now())) throw notPayable(intent);
  if (typeof read === 'string')
    throw badField(
      'transaction',
      `must do nothing but pay exactly the amount due in USDC (${read}). ${OWN_FEE}`,
    );
  await requireNoOther(parts, intent, transaction!.message!);
  caller.requireTurn();
  const source = await associatedAccount(read.payer, parts.mint);
  const held = await readAccountBalance(parts.rpc, source, 'processed').catch(networkUnavailable);
  if (held < dueBaseUnits(intent)) throw notTaken();
  caller.requireRoom(read.payer, intent.merchantId);
  const { signature } = await sponsorPayment(
    { ...parts, sponsor: sponsor! },
    { intent, via: 'wallet', transaction: read },
  );
  return { signature };
}

/** The one transfer that pays what is due; undefined where there is none, or more than one to the merchant. */
async function findTransfer(
  intent: Intent,
  { transfers }: SignedPayment,
  mint: string,
): Promise<CheckedTransfer | undefined> {
  const account = await associatedAccount(intent.destinationAddress, mint);
  const ours = transfers.filter(({ destination }) => destination === account);
  const [transfer] = ours;
  const isPayment =
    ours.length === 1 &&
    transfer!.mint === mint &&
    transfer!.amountBaseUnits === dueBaseUnits(intent) &&
    transfer!.accounts.includes(intent.referenceAddress);
  return isPayment ? transfer : undefined;
}

/** One that names two orders pays neither of them for certain. */
async function requireNoOther({ db }: SendParts, intent: Intent, message: Message): Promise<void> {
  if (await namesAnother(db, intent, { accounts: message.accounts, memos: memosOf(message) }))
    throw badField('transaction', 'names another order, too: pay each with a transaction of its own');
}

/** Returns the failure; after any but a refusal, the payment may be under way all the same. */
async function send(rpc: Rpc, transaction: string): Promise<RpcFailure | undefined> {
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  try {
    await rpc.ask('sendTransaction', [transaction, options], (value) => text(value, 'signature'));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    if (/AlreadyProcessed|already been processed/.test(error.message)) return undefined;
    return error;
  }
  return undefined;
}

function refusalOf(refusal: RpcRefusal): AppError {
  if (!/BlockhashNotFound|Blockhash not found/.test(refusal.message)) return notTaken(refusal);
  const message = 'This transaction has lapsed: it must be sent within about a minute. Ask for a new one.';
  return new AppError('INVALID_STATE', { message, detail: refusal.message, cause: refusal });
}

function notTaken(cause?: Error): AppError {
  const message =
    'The network did not take this payment: is there enough USDC, and a little SOL for the fee?';
  return new AppError('INVALID_STATE', { message, ...(cause && { detail: cause.message, cause }) });
}
