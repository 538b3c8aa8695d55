import type { SponsorMode } from '../../accounts/merchants/sponsor-fees.ts';
import type { FeePayer } from '../../chain/fee-payer/fee-payer.ts';
import { accountKeeper } from '../../chain/solana/account-keeper.ts';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { object } from '../../chain/solana/shapes.ts';
import { readTokenBalance } from '../../chain/solana/token-accounts.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import type { Sponsor } from './sponsor.ts';

interface SponsorOptions {
  feePayer: FeePayer;
  rpc: Rpc;
  mint: string;
  limitLamportsPerDay: bigint;
  merchantLimitLamportsPerDay: bigint | null;
  minLamports: bigint;
  defaultMode: SponsorMode;
  /** The sandbox makes what is missing. */
  createAccount?: ((owner: string) => Promise<boolean>) | undefined;
  /** Time for which a balance, or a missing account, is remembered; 0 if time must not decide. */
  keepMs?: number;
}

const KEEP_MS = 5_000;
/** A balance that is only shown may be so many times as old. */
const SHOWN_TIMES = 60;

/** The fee payer, with what it asks the network remembered for a moment. */
export function createSponsor({
  rpc,
  mint,
  createAccount,
  keepMs = KEEP_MS,
  ...settings
}: SponsorOptions): Sponsor {
  const { address } = settings.feePayer;
  const keptBalance = kept(() => readBalance(rpc, address));
  // With less somebody is about to be called, or waits for what they have just sent to show.
  const enough = settings.minLamports + settings.limitLamportsPerDay;
  let isEnough = false;
  const balance = async (ageMs: number) => {
    const lamports = await keptBalance(ageMs);
    isEnough = lamports >= enough;
    return lamports;
  };
  return {
    ...settings,
    balance: () => balance(keepMs),
    shownBalance: () => balance(isEnough ? SHOWN_TIMES * keepMs : keepMs),
    held: (owner) => readTokenBalance(rpc, mint, owner),
    hasAccount: accountKeeper({ rpc, mint, createAccount, keepMs }),
  };
}

export function readBalance(rpc: Rpc, address: string): Promise<bigint> {
  return rpc.ask('getBalance', [address, { commitment: 'confirmed' }], (value) => {
    const { value: lamports } = object(value, 'balance');
    if ((typeof lamports !== 'number' && typeof lamports !== 'bigint') || lamports < 0)
      throw new RpcFailure('balance is not an amount');
    return BigInt(lamports);
  });
}

/** Reads again what was read longer ago than `keepMs`; a failure is not kept. */
function kept<Value>(read: () => Promise<Value>): (keepMs: number) => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let askedMs = 0;
  return (keepMs) => {
    if (latest && elapsedMs() - askedMs < keepMs) return latest;
    askedMs = elapsedMs();
    const asked = inShareOf('fee payer', read, { isUrgent: true });
    latest = asked;
    asked.catch(() => {
      if (latest === asked) latest = undefined;
    });
    return asked;
  };
}
