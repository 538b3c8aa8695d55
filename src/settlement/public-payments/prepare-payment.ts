import { readMerchantName } from '../../accounts/merchants/read-merchant-name.ts';
import { findTerminalAnywhere } from '../../accounts/terminals/queries.ts';
import { readIntentBrand } from '../../billing/checkout-sessions/read-intent-brand.ts';
import { buildPayment } from '../../chain/solana/build-payment.ts';
import type { LatestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import { toDecimal } from '../../chain/solana/pay-url.ts';
import { RpcFailure } from '../../chain/solana/rpc.ts';
import type { Intent } from '../../money/intents/intent.ts';
import { findIntentAnywhere } from '../../money/intents/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { isSolanaAddress } from '../../platform/lib/base58.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { dueBaseUnits, isWaiting } from './read-public-intent.ts';

export interface PrepareParts {
  db: Database;
  latestBlockhash(): Promise<LatestBlockhash>;
  mint: string;
}

export interface PreparedPayment {
  label: string;
  /** Absent if only the label was requested. */
  transaction?: string;
  message?: string;
}

const MAX_U64 = 2n ** 64n - 1n;

/** A transaction that pays what is still due on an intent, ready to be signed by `account`. */
export async function prepareIntentPayment(
  parts: PrepareParts,
  intentId: string,
  account: string,
): Promise<PreparedPayment> {
  const intent = await findIntentAnywhere(parts.db, intentId);
  if (!intent) throw new AppError('NOT_FOUND');
  return prepare(parts, intent, account);
}

/** The same for whatever a terminal is showing: its printed code never changes. */
export async function prepareTerminalPayment(
  parts: PrepareParts,
  terminalId: string,
  account: string,
): Promise<PreparedPayment> {
  const terminal = await findTerminalAnywhere(parts.db, terminalId);
  if (!terminal) throw new AppError('NOT_FOUND');
  const intent =
    terminal.currentIntentId === null
      ? undefined
      : await findIntentAnywhere(parts.db, terminal.currentIntentId);
  if (account === '') return { label: await labelOf(parts.db, terminal.merchantId) };
  if (!intent || !isWaiting(intent) || intent.status === 'expired') {
    throw new AppError('INVALID_STATE', { message: 'There is nothing to pay here right now.' });
  }
  return prepare(parts, intent, account);
}

async function prepare(
  { db, latestBlockhash, mint }: PrepareParts,
  intent: Intent,
  account: string,
): Promise<PreparedPayment> {
  const label = (await readIntentBrand(db, intent)).name ?? NAMELESS;
  if (account === '') return { label };
  if (!isSolanaAddress(account)) throw badField('account', 'must be a Solana address');
  if (!isWaiting(intent))
    throw new AppError('INVALID_STATE', { message: `This payment is ${intent.status}.` });
  const amountBaseUnits = dueBaseUnits(intent);
  if (amountBaseUnits > MAX_U64) {
    throw new AppError('INVALID_STATE', {
      message: 'This amount is too large for one token transfer.',
    });
  }
  const transaction = await buildPayment({
    payer: account,
    destination: intent.destinationAddress,
    amountBaseUnits,
    mint,
    reference: intent.referenceAddress,
    memo: intent.referenceAddress,
    ...(await latestBlockhash().catch(unavailable)),
  });
  return { label, transaction, message: `${label}: ${toDecimal(amountBaseUnits)} USDC` };
}

function unavailable(error: unknown): never {
  if (!(error instanceof RpcFailure)) throw error;
  const message = 'The Solana network cannot be reached right now; try again shortly.';
  throw new AppError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: 1, cause: error });
}

const NAMELESS = 'Payment';

async function labelOf(db: Database, merchantId: string): Promise<string> {
  return (await readMerchantName(db, merchantId)) ?? NAMELESS;
}
