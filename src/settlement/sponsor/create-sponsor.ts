import type { SponsorMode } from '../../accounts/merchants/sponsor-fees.ts';
import { type Rpc, RpcFailure } from '../../chain/solana/rpc.ts';
import { object } from '../../chain/solana/shapes.ts';
import { readTokenAccounts } from '../../chain/solana/token-accounts.ts';
import type { FeePayer } from '../../chain/sponsor/fee-payer.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import type { Sponsor } from './sponsor.ts';

interface SponsorOptions {
  feePayer: FeePayer;
  rpc: Rpc;
  mint: string;
  limitLamportsPerDay: bigint;
  minLamports: bigint;
  defaultMode: SponsorMode;
  /** The sandbox makes what is missing. */
  createAccount?: ((owner: string) => Promise<unknown>) | undefined;
  /** How long a balance counts, and that an account is missing; 0 where time must not decide. */
  keepMs?: number;
}

const KEEP_MS = 5_000;
const MAX_KNOWN = 10_000;

/** The fee payer, with what it asks the network remembered for a moment. */
export function createSponsor({
  rpc,
  mint,
  createAccount,
  keepMs = KEEP_MS,
  ...settings
}: SponsorOptions): Sponsor {
  const { address } = settings.feePayer;
  const withAccount = new Set<string>();
  const withoutUntilMs = new Map<string, number>();

  async function look(owner: string): Promise<boolean> {
    const [state] = await readTokenAccounts(rpc, mint, [owner]);
    if (state === 'missing' && createAccount) {
      await createAccount(owner);
      return true;
    }
    return state === 'usable';
  }

  return {
    ...settings,
    balance: keep(keepMs, () => readBalance(rpc, address)),
    async hasAccount(owner) {
      if (withAccount.has(owner)) return true;
      if ((withoutUntilMs.get(owner) ?? 0) > elapsedMs()) return false;
      if (withAccount.size >= MAX_KNOWN) withAccount.clear();
      if (withoutUntilMs.size >= MAX_KNOWN) withoutUntilMs.clear();
      const has = await look(owner);
      if (has) withAccount.add(owner);
      else withoutUntilMs.set(owner, elapsedMs() + keepMs);
      return has;
    },
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

/** Reads at most once in `keepMs`; a failure is not kept. */
function keep<Value>(keepMs: number, read: () => Promise<Value>): () => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let askedMs = 0;
  return () => {
    if (latest && elapsedMs() - askedMs < keepMs) return latest;
    askedMs = elapsedMs();
    const asked = read();
    latest = asked;
    asked.catch(() => {
      if (latest === asked) latest = undefined;
    });
    return asked;
  };
}
