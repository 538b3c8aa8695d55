import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { florin, startProcess } from '../support/process.ts';
import type { PreviousRelease } from './previous-release.ts';

type Environment = Record<string, string>;

/** A backup that the schedule of an earlier release made. */
export interface EarlierBackup {
  file: string;
  /** The merchants as that release lists them. */
  merchants: unknown;
  /** Orders that were acknowledged before it began. */
  orders: string[];
}

/** Merchants that were closed for a move, came back from it and moved away, and then the schedule’s own backup of all. */
export async function backUpBefore(
  previous: PreviousRelease,
  env: Environment,
  folder: string,
  orders: () => Iterable<string>,
): Promise<EarlierBackup> {
  const run = async (...args: string[]) => {
    const [command, ...first] = previous.cli;
    const { stdout } = await promisify(execFile)(command, [...first, ...args, '--json'], {
      env: { PATH: process.env.PATH, ...env },
    });
    return JSON.parse(stdout);
  };
  const { publicKey } = await run('backup', 'keygen', join(folder, 'move.key'));
  const close = async (name: string): Promise<string> => {
    const { id } = await run('merchants', 'create', '--name', name);
    await run('merchants', 'export', id, '--recipient', publicKey, '--out', join(folder, `${id}.move`));
    return id;
  };
  await close('Closed');
  await run('merchants', 'reopen', await close('Back'));
  await run('merchants', 'forward', await close('Moved'), '--to', 'https://pay.example.com', '--force');
  const merchants = await run('merchants', 'list');
  const before = [...orders()];
  const backups = join(folder, 'backups');
  await mkdir(backups);
  const worker = await startProcess(
    { ...env, FLORIN_ROLES: 'worker', BACKUP_FOLDER: backups },
    previous.command,
  );
  try {
    for (;;) {
      const name = (await readdir(backups)).find((file) => file.endsWith('.backup'));
      if (name) return { file: join(backups, name), merchants, orders: before };
      await sleep(100);
    }
  } finally {
    await worker.end('SIGTERM');
  }
}

/** Complaints about what this release makes of it in an empty database. */
export async function restoreEarlier(
  { file, merchants, orders }: EarlierBackup,
  env: Environment,
  folder: string,
): Promise<string[]> {
  const { DATABASE_URL: _, ...own } = env;
  const place = { ...own, FLORIN_DATA: folder };
  const restored = await florin(['restore', file], place);
  if (restored.code !== 0) return [restored.stderr];
  const [doctor, listed] = [
    await florin(['doctor', '--invariants', '--json'], place),
    await florin(['merchants', 'list', '--json'], place),
  ];
  const complaints = doctor.code === 0 ? [] : [doctor.stdout + doctor.stderr];
  if (JSON.stringify(JSON.parse(listed.stdout)) !== JSON.stringify(merchants))
    complaints.push(`other merchants: ${listed.stdout} in the place of ${JSON.stringify(merchants)}`);
  const stored = new Set(await ordersIn(folder));
  const lost = orders.filter((order) => !stored.has(order));
  if (lost.length > 0) complaints.push(`${lost.length} of ${orders.length} payments are not in the backup`);
  return complaints;
}

async function ordersIn(dataFolder: string): Promise<string[]> {
  const postgres = await startEmbeddedPostgres({ dataFolder, purpose: 'service' });
  const db = openDatabase({ connection: postgres.connection });
  try {
    const rows = await db.query<{ orderId: string }>('select order_id from payment_intents');
    return rows.map(({ orderId }) => orderId);
  } finally {
    await db.close();
    await postgres.stop();
  }
}
