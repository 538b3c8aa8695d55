import { requireWalletAddress } from '../../accounts/payouts/payout-address.ts';
import { buildTransfers, type TransferLeg } from '../../chain/solana/build-payment.ts';
import type { LatestBlockhash } from '../../chain/solana/latest-blockhash.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { readTokenAccounts } from '../../chain/solana/token-accounts.ts';
import { paymentInProgress } from '../../intents/payment-in-progress.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { updatePrepared } from './check-queries.ts';
import { listRefundsById } from './queries.ts';
import { dueBaseUnits, landsUntil, type Refund, refundNumber } from './refund.ts';

export interface PrepareParts {
  db: Database;
  rpc: Rpc;
  mint: string;
  latestBlockhash(): Promise<LatestBlockhash>;
}

export interface PreparedRefunds {
  /** Unsigned, in base64. */
  transaction: string;
  lastValidBlockHeight: bigint;
  refunds: Refund[];
}

export interface PrepareRequest {
  merchantId: string;
  ids: readonly string[];
  payer: string;
  /** Refused where another transaction may still land. */
  isOnlyOne: boolean;
  now: Date;
}

const MAX_U64 = 2n ** 64n - 1n;

/** One transaction that sends several refunds, for the merchant's wallet to sign. Each keeps its own reference and memo. */
export async function prepareRefunds(
  parts: PrepareParts,
  { merchantId, ids, payer, isOnlyOne, now }: PrepareRequest,
): Promise<PreparedRefunds> {
  const { db, rpc, mint } = parts;
  requireWalletAddress(payer, 'payer');
  const refunds = await requireReady(db, merchantId, ids);
  for (const { address, number } of refunds)
    if (address === payer) throw badField('payer', `is the address that ${refundNumber(number)} goes to`);
  const states = await readTokenAccounts(
    rpc,
    mint,
    refunds.map(({ address }) => address!),
  ).catch(networkUnavailable);
  const lifetime = await parts.latestBlockhash().catch(networkUnavailable);
  const legs = refunds.map((refund, i) => legOf(refund, states[i] !== 'missing'));
  const transaction = await buildTransfers({ payer, mint, legs, ...lifetime });
  if (transaction === undefined)
    throw badField(
      'ids',
      `name more refunds than fit into one transaction; leave out some of the ${ids.length}`,
    );
  const until = landsUntil(now);
  await db.transaction(async (tx) => {
    const noted = await updatePrepared(tx, merchantId, ids, { now, until, isOnlyOne });
    const other = refunds.find(({ id }) => !noted.includes(id));
    if (other) throw underWay(other);
  });
  return {
    transaction,
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    refunds: refunds.map((refund) => ({ ...refund, preparedUntil: until })),
  };
}

function underWay({ number }: Refund): AppError {
  const message = `A transaction for refund ${refundNumber(number)} is under way; wait until it has landed, or can no longer land.`;
  return paymentInProgress(message);
}

async function requireReady(db: Database, merchantId: string, ids: readonly string[]): Promise<Refund[]> {
  if (new Set(ids).size < ids.length) throw badField('ids', 'name a refund twice');
  const found = new Map((await listRefundsById(db, merchantId, ids)).map((refund) => [refund.id, refund]));
  return ids.map((id, i) => {
    const refund = found.get(id);
    if (!refund) throw badField(`ids.${i}`, 'must be the id of one of your refunds');
    if (refund.status !== 'ready') {
      const message = `Refund ${refundNumber(refund.number)} is ${refund.status}; only one that is ready can be sent.`;
      throw new AppError('INVALID_STATE', { message });
    }
    return refund;
  });
}

function legOf(refund: Refund, hasAccount: boolean): TransferLeg {
  const amountBaseUnits = dueBaseUnits(refund);
  const memo = refundNumber(refund.number);
  if (amountBaseUnits > MAX_U64)
    throw new AppError('INVALID_STATE', {
      message: `Refund ${memo} is larger than a token transfer can carry.`,
    });
  return {
    destination: refund.address!,
    amountBaseUnits,
    reference: refund.referenceAddress,
    memo,
    hasAccount,
  };
}
