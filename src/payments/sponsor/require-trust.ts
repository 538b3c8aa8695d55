import { PLAIN_FEE_LAMPORTS } from '../../chain/fee-payer/read-sponsored.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { startOfUtcDay } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { merchantLimit } from './merchant-limit.ts';
import { isProvenWallet, sumAtRisk } from './risk-queries.ts';
import type { Sponsor, Sponsored } from './sponsor.ts';

/** Divisor of a merchant's daily limit: this share of it may be lost to payments that fail. */
const SHARE_OF_MERCHANT = 10n;
/** The same of what may be paid for the payers of all. */
const SHARE_OF_ALL = 4n;
/** Minimum that may be at risk, even if an operator allows little: any shop can have a few buyers at the same time. */
const LEAST_AT_RISK = 10n * PLAIN_FEE_LAMPORTS;

interface Risk {
  sponsored: Pick<Sponsored, 'merchantId' | 'payer' | 'feeLamports' | 'createdAt'>;
  /** Number of other payments of the wallet that may still fail. */
  underWay: number;
}

/**
 * Bounds what payments that fail on chain can cost in a day, which their payers can bring about for less than it costs. A
 * priority is paid only for a wallet that has paid here, and beyond the bound no wallet risks more than it has paid for.
 * Called with the day's row locked and the transaction stored, so that nothing else is counted meanwhile.
 */
export async function requireTrust(tx: Tx, sponsor: Sponsor, { sponsored, underWay }: Risk): Promise<void> {
  const { merchantId, payer, feeLamports } = sponsored;
  const isPlain = feeLamports <= PLAIN_FEE_LAMPORTS;
  const isProven = await isProvenWallet(tx, merchantId, payer);
  if (!isPlain && !isProven) throw untrusted(DEAR);
  if (!(await isRiskSpent(tx, sponsor, sponsored, 0n))) return;
  if (!isPlain || !isProven || underWay > 0) throw untrusted(NEW);
}

/** True if a wallet's record allows paying its fee; for a page that asks before anything is signed. */
export async function isTrusted(
  db: Queryable,
  sponsor: Sponsor,
  asked: { merchantId: string; payer: string; createdAt: Date },
): Promise<boolean> {
  if (!(await isRiskSpent(db, sponsor, asked, PLAIN_FEE_LAMPORTS))) return true;
  return isProvenWallet(db, asked.merchantId, asked.payer);
}

async function isRiskSpent(
  db: Queryable,
  sponsor: Sponsor,
  { merchantId, createdAt }: { merchantId: string; createdAt: Date },
  more: bigint,
): Promise<boolean> {
  const { limitLamportsPerDay } = sponsor;
  const limit = (await merchantLimit(db, sponsor, merchantId)) ?? limitLamportsPerDay;
  const { ofMerchant, ofAll } = await sumAtRisk(db, merchantId, startOfUtcDay(createdAt));
  return (
    ofMerchant + more > part(limit, SHARE_OF_MERCHANT) ||
    ofAll + more > part(limitLamportsPerDay, SHARE_OF_ALL)
  );
}

function part(limit: bigint, share: bigint): bigint {
  return limit / share > LEAST_AT_RISK ? limit / share : LEAST_AT_RISK;
}

const DEAR =
  'This wallet has not paid here before, so only a plain network fee is paid for it: ask for no priority, or pay the fee with a little SOL of your own.';
const NEW =
  'Many payments here have failed today, so network fees are paid only for wallets that have paid here before; pay the fee with a little SOL of your own.';

function untrusted(message: string): AppError {
  return new AppError('INVALID_STATE', { message, reason: 'wallet_new' });
}
