import { elapsedMs } from '../../platform/lib/clock.ts';
import { inShareOf } from './fair-budget.ts';
import type { Rpc } from './rpc.ts';
import { integer, object, text } from './shapes.ts';

export interface LatestBlockhash {
  blockhash: string;
  lastValidBlockHeight: bigint;
}

/** One slot: until the next one the answer stays the same. */
const KEEP_MS = 400;

/** The latest blockhash for any number of callers at the cost of a few calls a second. Callers during a call share its answer. */
export function blockhashKeeper(rpc: Rpc, keepMs = KEEP_MS): () => Promise<LatestBlockhash> {
  let latest: Promise<LatestBlockhash> | undefined;
  let askedMs = 0;
  let isAsking = false;
  return () => {
    if (!latest || (!isAsking && elapsedMs() - askedMs >= keepMs)) {
      askedMs = elapsedMs();
      isAsking = true;
      // In the turn of none of those who wait for it.
      const asked = inShareOf('blockhash', () => latestBlockhash(rpc), { isUrgent: true });
      latest = asked;
      const end = () => {
        isAsking = false;
      };
      // A failure is not cached: the next caller retries.
      asked.then(end, () => {
        end();
        if (latest === asked) latest = undefined;
      });
    }
    return latest;
  };
}

export function latestBlockhash(rpc: Rpc): Promise<LatestBlockhash> {
  return rpc.ask('getLatestBlockhash', [{ commitment: 'confirmed' }], (value) => {
    const latest = object(object(value, 'blockhash').value, 'blockhash');
    return {
      blockhash: text(latest.blockhash, 'blockhash'),
      lastValidBlockHeight: BigInt(integer(latest.lastValidBlockHeight, 'block height')),
    };
  });
}
