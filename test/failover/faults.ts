import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Node } from './node.ts';
import { PATRONI_SETTINGS } from './settings.ts';

/** Fault that a round causes at the leader. It returns what it saw that must not happen. */
export interface Fault {
  name: string;
  /** Ends when another leads and the old leader has been let back in. */
  run(cluster: Cluster): Promise<string[]>;
}

/** Lag of the standby when the leader dies. */
const LAG_MS = 500;

/** Faults in turn, one a round. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL killed',
    run: (cluster) =>
      whileBehind(cluster, async (leader) => {
        await leader.killPostgres();
        return () => cluster.newLeader(leader);
      }),
  },
  { name: 'leader frozen', run: freeze },
  {
    name: 'machine killed',
    run: (cluster) =>
      whileBehind(cluster, async (leader) => {
        await leader.killMachine();
        return async () => {
          await cluster.newLeader(leader);
          await leader.start();
        };
      }),
  },
  { name: 'switchover', run: switchOver },
];

/**
 * The leader dies while the standby lacks the last moments, as over a slow line. What was acknowledged in them is lost
 * unless somebody waited for the standby.
 */
async function whileBehind(
  { roles }: Cluster,
  kill: (leader: Node) => Promise<() => Promise<unknown>>,
): Promise<string[]> {
  const { leader, standby } = await roles();
  const held = await standby.holdReplication();
  await sleep(LAG_MS);
  const recovered = await kill(leader);
  held?.drop();
  await recovered();
  return [];
}

/** Longer than the lease, so that another leads when it comes back and does not know. */
async function freeze({ roles, newLeader }: Cluster): Promise<string[]> {
  const { leader } = await roles();
  await leader.freeze();
  const frozen = sleep(1_000 * (PATRONI_SETTINGS.ttl + PATRONI_SETTINGS.loop_wait));
  await newLeader(leader);
  await frozen;
  await leader.thawPostgres();
  const acknowledged = await writeTo(leader);
  leader.thawPatroni();
  return acknowledged ? [`${leader.name} acknowledged a write after it had lost its lease`] : [];
}

const ZOMBIE_PATIENCE_MS = 4_000;

/** True if a server that still believes to lead acknowledges a write. */
async function writeTo(zombie: Node): Promise<boolean> {
  const client = await zombie.connect();
  const written = client.query('insert into zombie_writes values (now())').then(
    () => true,
    () => false,
  );
  const isAcknowledged = await Promise.race([written, sleep(ZOMBIE_PATIENCE_MS, false)]);
  // It may never answer, so nothing is waited for.
  void client.end().catch(() => {});
  return isAcknowledged;
}

async function switchOver({ roles, newLeader }: Cluster): Promise<string[]> {
  const { leader, standby } = await roles();
  await leader.ask('/switchover', { leader: leader.name, candidate: standby.name });
  await newLeader(leader);
  return [];
}
