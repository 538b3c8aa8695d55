import type { FaultRule, Faults } from '@florin/sandbox-chain';
import { examine } from '../../src/operations/doctor/doctor.ts';
import { type TestChain, testChain } from './chain.ts';

/** A slot every ten seconds: 400 of them are a little more than an hour. */
const KEPT_SLOTS = 400;
export const PRUNED: FaultRule = { kind: 'pruned', slots: KEPT_SLOTS };
/** Its long-term storage is more than eight hours behind, and its own ledger reaches further back than that. */
export const LATE: FaultRule = { kind: 'lateArchive', slots: 3_000, keptSlots: 4_000 };

export interface PrunedChain extends TestChain {
  /** Faults of each node. */
  nodeFaults: Faults[];
}

/** A shop whose nodes are these, each with its own faults. */
export async function prunedChain(profile: readonly (readonly FaultRule[])[]): Promise<PrunedChain> {
  const nodeFaults: Faults[] = [];
  const t = await testChain({}, async (_rpcUrl, chain) => {
    const nodes = await Promise.all(profile.map(() => chain.openNode()));
    nodeFaults.push(...nodes.map((node) => node.faults));
    return nodes.map(({ rpcUrl }) => rpcUrl);
  });
  for (const [i, rules] of profile.entries()) nodeFaults[i]!.set({ rules: [...rules] });
  return Object.assign(t, { nodeFaults });
}

/** Time passes for the service and the chain, in slots of ten seconds, and nobody watches. */
export function pass(t: TestChain, minutes: number): void {
  const { clock } = t.service;
  for (let i = 0; i < minutes; i++) {
    clock.setOffsetMs(clock.now().getTime() - Date.now() + 60_000);
    t.chain.advanceSlots(6);
  }
}

/** The same while the watcher is at work, about as often as it is. */
export async function passWatched(t: TestChain, minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 30) {
    pass(t, Math.min(left, 30));
    await t.look();
  }
}

/** Returns the reason why the only account could not be read in its last turn. */
export async function problemOf(t: TestChain): Promise<string | null> {
  const [row] = await t.service.db.query<{ problem: string | null }>(
    'select last_problem as problem from watched_accounts',
  );
  return row!.problem;
}

export async function doctorOn(t: TestChain, name: string) {
  const { db, config, secrets } = t.service;
  const all = await examine({ db, config, secrets, onlyInvariants: false, onFinding: () => {} });
  return all.find(({ check }) => check === name)!;
}
