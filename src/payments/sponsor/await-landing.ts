import { setTimeout as sleep } from 'node:timers/promises';
import type { Witnesses } from '../../chain/nodes/witnesses.ts';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { MAX_STATUSES, type SignatureStatus } from '../../chain/solana/signature-statuses.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';

/** `unknown`: neither seen nor proven to be lost. It is never "not paid". */
export type Landing = 'failed' | 'confirmed' | 'finalized' | 'unknown';

interface Waiter {
  wanted: 'confirmed' | 'finalized';
  untilMs: number;
  resolve(landing: Landing): void;
}

const EVERY_MS = 150;

/** Waits for transactions to land: however many wait, the nodes are asked once in a while about all of them. */
export function landingWatch(witnesses: Pick<Witnesses, 'statuses'>) {
  const waiters = new Map<string, Waiter[]>();
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiters.size > 0) {
      const signatures = [...waiters.keys()];
      for (let at = 0; at < signatures.length; at += MAX_STATUSES)
        await look(signatures.slice(at, at + MAX_STATUSES));
      if (waiters.size > 0) await sleep(EVERY_MS);
    }
    isRunning = false;
  }

  async function look(signatures: readonly string[]): Promise<void> {
    const statuses = await witnesses.statuses(signatures);
    for (const [i, signature] of signatures.entries()) {
      const status = statuses?.[i] ?? null;
      const left = (waiters.get(signature) ?? []).filter((waiter) => !settle(waiter, status));
      if (left.length > 0) waiters.set(signature, left);
      else waiters.delete(signature);
    }
  }

  return {
    /** Its confirmation level, however long ago it landed: a node keeps only the last minutes at hand and must be told to search. */
    async search(signature: string, wanted: Waiter['wanted']): Promise<Landing> {
      const statuses = await witnesses.statuses([signature], { searchTransactionHistory: true });
      return landingOf(wanted, statuses?.[0] ?? null) ?? 'unknown';
    },
    /** Resolves as soon as the transaction is as far as wanted, or has failed, or `withinMs` are over. */
    landing(signature: string, wanted: Waiter['wanted'], withinMs: number): Promise<Landing> {
      return new Promise((resolve, reject) => {
        const waiter = { wanted, untilMs: elapsedMs() + withinMs, resolve };
        waiters.set(signature, [...(waiters.get(signature) ?? []), waiter]);
        // For all who wait, and so in the turn of none of them.
        if (!isRunning)
          inShareOf('landings', run, { isUrgent: true }).catch((error: unknown) => {
            isRunning = false;
            waiters.clear();
            reject(error);
          });
      });
    },
  };
}

export type LandingWatch = ReturnType<typeof landingWatch>;

/** True when the waiter has its answer. */
function settle({ wanted, untilMs, resolve }: Waiter, status: SignatureStatus | null): boolean {
  const landing = landingOf(wanted, status);
  if (!landing && elapsedMs() < untilMs) return false;
  resolve(landing ?? 'unknown');
  return true;
}

/** Undefined until it reaches the wanted level. */
function landingOf(wanted: Waiter['wanted'], status: SignatureStatus | null): Landing | undefined {
  if (!status || status.commitment === 'processed') return undefined;
  if (status.hasFailed) return 'failed';
  return wanted === 'confirmed' || status.commitment === 'finalized' ? status.commitment : undefined;
}
