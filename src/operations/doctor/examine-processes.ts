import { availableParallelism, totalmem } from 'node:os';
import { type Config, hasApi, poolSizeOf } from '../../config/config.ts';
import { isSupervised, processesOf, sharePool } from '../../config/processes.ts';
import type { Queryable } from '../../platform/db/database.ts';

type Note = (check: string, ok: boolean, detail: string) => void;

const MB = 1_000_000;
/** Memory that each takes under load, and the first one, which only supervises; as measured. */
const EACH_MB = 350;
const SUPERVISOR_MB = 100;
/** With fewer, PostgreSQL needs those that one process leaves. */
const WORTHWHILE_CORES = 4;

/** Room that a machine and its database have for processes. */
export interface Room {
  cores: number;
  memoryMb: number;
  connections: number;
}

/** Says how many processes these settings start, what they need, and whether machine and database have it. */
export async function examineProcesses(db: Queryable, config: Config, note: Note): Promise<void> {
  const [row] = await db.query<{ connections: number }>(
    `select current_setting('max_connections')::integer
            - current_setting('superuser_reserved_connections')::integer as connections`,
  );
  const memoryMb = Math.round(Math.min(totalmem(), process.constrainedMemory() || totalmem()) / MB);
  noteProcesses(config, { cores: availableParallelism(), memoryMb, ...row! }, note);
}

export function noteProcesses(config: Config, { cores, memoryMb, connections }: Room, note: Note): void {
  if (!isSupervised(config)) {
    const more = hasApi(config) && cores >= WORTHWHILE_CORES ? '; API_PROCESSES=auto uses all of them' : '';
    note('processes', true, `one, with ${poolSizeOf(config)} connections, on one of ${cores} cores${more}`);
    return;
  }
  const { API_PROCESSES: api } = config;
  const [pool, all] = [sharePool(config), processesOf(config)];
  // While they are replaced there is one more.
  const opened = (api + 1) * pool.api + (all - api) * pool.others;
  const takenMb = SUPERVISOR_MB + all * EACH_MB;
  const problems = [
    takenMb > memoryMb && `this machine has ${memoryMb} MB: lower API_PROCESSES`,
    opened > connections &&
      `the database takes ${connections} connections: lower DATABASE_POOL_SIZE, or raise max_connections there`,
  ].filter((problem) => problem !== false);
  const rest = all > api ? ' and one for the rest' : '';
  const needs = `${api} for requests${rest} on ${cores} cores, with up to ${takenMb} MB and ${opened} connections`;
  note('processes', problems.length === 0, [needs, ...problems].join('; '));
}
