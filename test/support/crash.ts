import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/db/database.ts';
import { connectionIn } from '../../src/platform/db/embedded-postgres.ts';
import { postgresPid, type Running, startProcess } from './process.ts';
import { compareWritten } from './written.ts';

export interface CrashRun {
  dataFolder: string;
  rounds: number;
  victim: 'service' | 'postgres';
  /** SQL run once before the load begins; a negative control switches durability off with it. */
  prepare?: string[];
  onRound?: (round: number, acknowledged: number) => void;
}

export interface CrashReport {
  acknowledged: number;
  lost: string[];
  doubled: string[];
  /** Time after each kill until the service answered again. */
  gapsMs: number[];
}

const CLIENTS = 8;

/** Accepts the database as the command does, if it is known to lose what it has not written. */
async function accept(query: (text: string) => Promise<unknown>): Promise<void> {
  await query('set synchronous_commit = on');
  await query(
    'update installation set former_lineages = former_lineages || lineage, lineage = gen_random_uuid(), beat = 0, went_back_at = null, went_back = null',
  );
}

/**
 * Kills a process with -9 under load, again and again, and then compares what was acknowledged with what is
 * there. Every request carries an idempotency key and is repeated until it is answered, as a client would.
 */
export async function crashUnderLoad(run: CrashRun): Promise<CrashReport> {
  const env = { FLORIN_DATA: run.dataFolder, LOG_LEVEL: 'error' };
  let service = await startProcess(env);
  const apiKey = service.apiKey!;
  const acknowledged = new Map<string, string>();
  const gapsMs: number[] = [];
  let isOver = false;
  if (run.prepare) {
    await inDatabase(run.dataFolder, async (query) => {
      for (const statement of run.prepare!) await query(statement);
    });
    // Database-wide settings count for new connections only.
    await service.end('SIGTERM');
    service = await startProcess(env);
  }

  async function client(number: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const orderId = `crash-${number}-${n}`;
      const key = randomUUID();
      for (;;) {
        const id = await create(service, apiKey, orderId, key);
        if (id) {
          acknowledged.set(orderId, id);
          break;
        }
        if (isOver) return;
        await sleep(5);
      }
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  for (let round = 1; round <= run.rounds; round++) {
    const before = acknowledged.size;
    while (acknowledged.size < before + 200) await sleep(1);
    const killedMs = performance.now();
    if (run.victim === 'service') {
      await service.end('SIGKILL');
      service = await startProcess(env);
    } else {
      process.kill(await postgresPid(run.dataFolder), 'SIGKILL');
      // Its busy backends may serve on for a while; only a new server takes new connections.
      await reachable(run.dataFolder);
      // A service that notices the loss changes nothing until it is accepted; here it is wanted.
      if (run.prepare) await inDatabase(run.dataFolder, accept);
    }
    // Answers that were on their way when the process died do not count as its return.
    const answered = acknowledged.size + CLIENTS;
    while (acknowledged.size <= answered) await sleep(1);
    gapsMs.push(performance.now() - killedMs);
    run.onRound?.(round, acknowledged.size);
  }
  isOver = true;
  await Promise.all(clients);

  const rows = await inDatabase(run.dataFolder, (query) =>
    query<{ id: string; orderId: string }>(
      `select id, order_id from payment_intents where order_id like 'crash-%'`,
    ),
  );
  await service.end('SIGTERM');
  const kind = 'intent';
  return {
    acknowledged: acknowledged.size,
    ...compareWritten(
      [...acknowledged].map(([key, id]) => ({ kind, key, id })),
      rows.map(({ orderId: key, id }) => ({ kind, key, id })),
    ),
    gapsMs,
  };
}

/** The id of the intent when the service acknowledged it, nothing when the answer was lost or a 5xx. */
async function create(
  service: Running,
  apiKey: string,
  orderId: string,
  key: string,
): Promise<string | undefined> {
  try {
    const response = await fetch(`${service.url}/api/merchants/intents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ amountCents: 100, orderId }),
    });
    const body = (await response.json()) as { id?: string; error?: { code: string } };
    if (response.status === 200) return body.id;
    if (response.status < 500 && body.error?.code !== 'IDEMPOTENCY_IN_PROGRESS')
      throw new TypeError(`unexpected answer ${JSON.stringify(body)}`);
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('unexpected')) throw error;
  }
  return undefined;
}

async function reachable(dataFolder: string): Promise<void> {
  for (;;) {
    try {
      await inDatabase(dataFolder, (query) => query('select 1'));
      return;
    } catch {
      await sleep(5);
    }
  }
}

async function inDatabase<Result>(
  dataFolder: string,
  work: (query: <Row>(text: string) => Promise<Row[]>) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase({ connection: connectionIn(dataFolder), poolSize: 1 });
  try {
    return await work((text) => db.query(text));
  } finally {
    await db.close();
  }
}
