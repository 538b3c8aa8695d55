import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { inShareOf } from './fair-budget.ts';
import type { Rpc } from './rpc.ts';
import { readTokenAccounts } from './token-accounts.ts';

interface KeeperOptions {
  rpc: Rpc;
  mint: string;
  /** The sandbox makes what is missing. */
  createAccount?: ((owner: string) => Promise<boolean>) | undefined;
  /** How long a missing account is believed to be missing; 0 where time must not decide. */
  keepMs: number;
}

const MAX_KNOWN = 10_000;

/** Tells if addresses can receive USDC: looked up once while they can, and now and then while they cannot. */
export function accountKeeper(options: KeeperOptions): (owner: string) => Promise<boolean> {
  const { rpc, mint, createAccount, keepMs } = options;
  const missingUntilMs = new BoundedMap<string, number>(MAX_KNOWN);
  const usable = new BoundedMap<string, true>(MAX_KNOWN);

  async function look(owner: string): Promise<boolean> {
    const read = () => readTokenAccounts(rpc, mint, [owner]);
    const [state] = await inShareOf('receiving accounts', read, { isUrgent: true });
    if (state !== 'missing' || !createAccount) return state === 'usable';
    return createAccount(owner);
  }

  return async (owner) => {
    if (usable.has(owner)) return true;
    if ((missingUntilMs.get(owner) ?? 0) > elapsedMs()) return false;
    const isUsable = await look(owner);
    if (isUsable) usable.set(owner, true);
    else missingUntilMs.set(owner, elapsedMs() + keepMs);
    return isUsable;
  };
}
