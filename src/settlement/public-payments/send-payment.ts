import { associatedAccount } from '../../chain/solana/associated-account.ts';
import type { LatestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import { namedInMemos } from '../../chain/solana/order-memo.ts';
import { type ReadTransaction, readTransaction } from '../../chain/solana/read-message.ts';
import { type Rpc, RpcFailure, RpcRefusal } from '../../chain/solana/rpc.ts';
import { text } from '../../chain/solana/shapes.ts';
import { readSignedPayment, type SignedPayment } from '../../chain/solana/signed-payment.ts';
import { readSponsored } from '../../chain/sponsor/read-sponsored.ts';
import type { Intent } from '../../money/intents/intent.ts';
import { findIntentAnywhere } from '../../money/intents/queries.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { refusal, TokenBuckets } from '../../platform/limits/token-buckets.ts';
import { hashOf } from '../sponsor/message-hash.ts';
import { findSponsoredByMessage } from '../sponsor/queries.ts';
import type { Sponsor } from '../sponsor/sponsor.ts';
import { sponsorPayment } from '../sponsor/sponsor-payment.ts';
import { noteSentPayment } from '../watcher/request-payment-check.ts';
import { dueBaseUnits, isWaiting, notPayable, type PublicIntentParts } from './read-public-intent.ts';

export interface SendParts extends PublicIntentParts {
  rpc: Rpc;
  log: Logger;
  sponsor: Sponsor | undefined;
  /** Whether strangers have a limit. */
  isLimited: boolean;
  latestBlockhash(): Promise<LatestBlockhash>;
}

/**
 * Sends a signed payment to the network, for wallets that cannot do so themselves. Only a transaction that pays
 * exactly what is still due on this intent is sent; sending the same one twice is one payment.
 */
export async function sendPayment(parts: SendParts, id: string, transaction: string) {
  const intent = await findIntentAnywhere(parts.db, id);
  if (!intent) throw new AppError('NOT_FOUND');
  const read = readTransaction(transaction);
  const payment = await readSignedPayment(read);
  if (!payment) return sendSponsored(parts, intent, read);
  if (!isWaiting(intent, parts.clock.now())) throw notPayable(intent);
  if (!(await paysFor(intent, payment, parts.mint)))
    throw badField('transaction', 'must pay exactly the amount due in USDC and include the reference');
  requireCapacity(parts, id);
  await send(parts.rpc, transaction);
  await parts.db.transaction((tx) => noteSentPayment(tx, intent, payment.signature, parts.clock.now()));
  return { signature: payment.signature };
}

/** One that lacks the fee payer's signature: it is ours to give, if the transaction does nothing but pay. */
async function sendSponsored(parts: SendParts, intent: Intent, transaction: ReadTransaction | undefined) {
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
    throw badField('transaction', `must do nothing but pay exactly the amount due in USDC (${read})`);
  if (namedInMemos(read.memos).some((reference) => reference !== intent.referenceAddress))
    throw badField('transaction', 'has the memo of another order, and so pays for that one');
  requireCapacity(parts, intent.id);
  const { signature } = await sponsorPayment(
    { ...parts, sponsor: sponsor! },
    { intent, via: 'wallet', transaction: read },
  );
  return { signature };
}

async function paysFor(intent: Intent, { transfers }: SignedPayment, mint: string): Promise<boolean> {
  const account = await associatedAccount(intent.destinationAddress, mint);
  const ours = transfers.filter(({ destination }) => destination === account);
  const [transfer] = ours;
  return (
    ours.length === 1 &&
    transfer!.mint === mint &&
    transfer!.amountBaseUnits === dueBaseUnits(intent) &&
    transfer!.accounts.includes(intent.referenceAddress)
  );
}

/** Each costs an RPC call: made-up transactions must not use up the calls needed to detect payments. */
const ofIntent = new TokenBuckets({ perSecond: 0.2, burst: 5 });
const ofAll = new TokenBuckets({ perSecond: 10, burst: 20 });

function requireCapacity({ isLimited }: SendParts, intentId: string): void {
  const own = ofIntent.take(intentId, elapsedMs());
  if (!own.allowed) throw refusal(own);
  const all = isLimited ? ofAll.take('all', elapsedMs()) : undefined;
  if (all?.allowed === false) throw refusal(all);
}

async function send(rpc: Rpc, transaction: string): Promise<void> {
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  try {
    await rpc.ask('sendTransaction', [transaction, options], (value) => text(value, 'signature'));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    if (/AlreadyProcessed|already been processed/.test(error.message)) return;
    if (error instanceof RpcRefusal) {
      const message = /BlockhashNotFound|Blockhash not found/.test(error.message)
        ? 'This transaction has lapsed: it must be sent within about a minute. Ask for a new one.'
        : 'The network did not take this payment: is there enough USDC, and a little SOL for the fee?';
      throw new AppError('INVALID_STATE', { message, detail: error.message, cause: error });
    }
    networkUnavailable(error);
  }
}
