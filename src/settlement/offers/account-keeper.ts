import type { Rpc } from '../../chain/solana/rpc.ts';
import { readTokenAccounts } from '../../chain/solana/token-accounts.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';

const KEEP_MISSING_MS = 10_000;
const MAX_KNOWN = 10_000;

/** Whether addresses can receive USDC, asked once while they can and every few seconds while they cannot. */
export function accountKeeper(rpc: Rpc, mint: string): (owner: string) => Promise<boolean> {
  const knownUntilMs = new Map<string, number>();
  return async (owner) => {
    const untilMs = knownUntilMs.get(owner) ?? 0;
    if (untilMs === Number.POSITIVE_INFINITY) return true;
    if (untilMs > elapsedMs()) return false;
    const [state] = await readTokenAccounts(rpc, mint, [owner]);
    if (knownUntilMs.size >= MAX_KNOWN) knownUntilMs.clear();
    const isUsable = state === 'usable';
    knownUntilMs.set(owner, isUsable ? Number.POSITIVE_INFINITY : elapsedMs() + KEEP_MISSING_MS);
    return isUsable;
  };
}
