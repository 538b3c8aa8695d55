import { readMerchantName } from '../../accounts/merchants/read-merchant-name.ts';
import { findTerminalAnywhere } from '../../accounts/terminals/queries.ts';
import { readIntentBrand } from '../../billing/checkout-sessions/read-intent-brand.ts';
import { buildPayment } from '../../chain/solana/build-payment.ts';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import type { LatestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import { orderMemo } from '../../chain/solana/order-memo.ts';
import { toDecimal } from '../../chain/solana/pay-url.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { type Intent, isOffered } from '../../intents/intent.ts';
import { findIntentAnywhere, hasPaymentUnderWay } from '../../intents/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { isSolanaAddress } from '../../platform/lib/base58.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import { readBalance } from '../sponsor/create-sponsor.ts';
import { offerSponsorship } from '../sponsor/offer-sponsorship.ts';
import { isOwnWallet } from '../sponsor/queries.ts';
import { isTrusted } from '../sponsor/require-trust.ts';
import { ENOUGH_LAMPORTS, type Sponsor } from '../sponsor/sponsor.ts';
import type { PaymentLimits } from './payment-limits.ts';
import { dueBaseUnits, isWaiting, notPayable, onItsWay } from './read-public-intent.ts';

export interface PrepareParts {
  db: Database;
  clock: Clock;
  rpc: Rpc;
  sponsor: Sponsor | undefined;
  limits: PaymentLimits;
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

/**
 * A transaction that pays what is still due on an intent, ready to be signed by `account`. Nothing is kept of it, so a wallet that
 * lost it asks again; once one was sent and may land, none is prepared, for any wallet.
 */
export async function prepareIntentPayment(
  parts: PrepareParts,
  intentId: string,
  account: string,
): Promise<PreparedPayment> {
  const intent = await findIntentAnywhere(parts.db, intentId);
  if (!intent) throw new AppError('NOT_FOUND');
  return prepare(parts, intent, account);
}

/** The same for a page, whose wallet only signs where the fee is paid for it. A wallet that also sends could not add our signature. */
export async function prepareForPage(
  parts: PrepareParts,
  { intentId, account, paysFee, ip }: { intentId: string; account: string; paysFee: boolean; ip: string },
) {
  const intent = await findIntentAnywhere(parts.db, intentId);
  if (!intent) throw new AppError('NOT_FOUND');
  if (!isSolanaAddress(account)) throw badField('account', 'must be a Solana address');
  const sponsor = paysFee ? undefined : await findSponsor(parts, intent, { account, ip });
  const { transaction, message } = await prepare(parts, intent, account, {
    memo: orderMemo(intent.referenceAddress),
    feePayer: sponsor?.feePayer.address,
  });
  return {
    transaction,
    message,
    isSponsored: sponsor !== undefined,
    feePayer: sponsor?.feePayer.address ?? account,
  };
}

/** The sponsor of this wallet's fee; undefined where the wallet pays it. */
async function findSponsor(
  { rpc, clock, ...parts }: PrepareParts,
  intent: Intent,
  { account, ip }: { account: string; ip: string },
): Promise<Sponsor | undefined> {
  if (!parts.sponsor || (await isOwnWallet(parts.db, intent.merchantId, account))) return undefined;
  if (!parts.limits.mayLook(ip, intent)) return undefined;
  const offer = await offerSponsorship(parts, intent, clock.now());
  if (typeof offer === 'string') return undefined;
  const asked = { merchantId: intent.merchantId, payer: account, createdAt: clock.now() };
  if (!(await isTrusted(parts.db, offer.sponsor, asked))) return undefined;
  if (!offer.isOnlyWhenNeeded) return offer.sponsor;
  const read = () => readBalance(rpc, account);
  const lamports = await inShareOf([intent.merchantId, networkOf(ip)], read).catch((error: unknown) => {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  });
  return lamports !== undefined && lamports < ENOUGH_LAMPORTS ? offer.sponsor : undefined;
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
  if (!intent || !isOffered(intent, parts.clock.now())) {
    throw new AppError('INVALID_STATE', { message: 'There is nothing to pay here right now.' });
  }
  return prepare(parts, intent, account);
}

async function prepare(
  { db, clock, latestBlockhash, mint }: PrepareParts,
  intent: Intent,
  account: string,
  // The same as in the payment's Solana Pay URL, so that wallets and shops that compare the two find them equal.
  { memo = intent.referenceAddress, feePayer }: { memo?: string; feePayer?: string | undefined } = {},
): Promise<PreparedPayment> {
  const label = (await readIntentBrand(db, intent)).name ?? NAMELESS;
  if (account === '') return { label };
  if (!isSolanaAddress(account)) throw badField('account', 'must be a Solana address');
  if (!isWaiting(intent, clock.now())) throw notPayable(intent);
  if (await hasPaymentUnderWay(db, intent)) throw onItsWay();
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
    memo,
    feePayer,
    hasAccount: feePayer !== undefined,
    ...(await latestBlockhash().catch(networkUnavailable)),
  });
  return { label, transaction, message: `${label}: ${toDecimal(amountBaseUnits)} USDC` };
}

const NAMELESS = 'Payment';

async function labelOf(db: Database, merchantId: string): Promise<string> {
  return (await readMerchantName(db, merchantId)) ?? NAMELESS;
}
