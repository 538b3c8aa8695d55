import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { florin, type Running, startProcess } from '../support/process.ts';
import { backUpBefore, type EarlierBackup, restoreEarlier } from './earlier-backup.ts';
import { Load } from './load.ts';
import { type PreviousRelease, withPreviousRelease } from './previous-release.ts';

/**
 * `npm run test:upgrade -- --from <tag, commit or florin-x.y.z.tgz>`: two processes of an earlier release serve while this one
 * migrates their database, and are replaced one after the other. A backup that the earlier one's schedule made is restored by this
 * one. Fails if one request fails or one payment is lost. Before there
 * is a release to upgrade from, an earlier commit with the baseline is one: the processes are replaced all the same.
 */
const { values } = parseArgs({
  options: { from: { type: 'string' }, requests: { type: 'string', default: '2000' } },
});
if (!values.from) throw new Error('say what to upgrade from: --from <tag, commit or florin-x.y.z.tgz>');
const count = Number(values.requests);

const folder = await mkdtemp(join(tmpdir(), 'florin-upgrade-'));
const postgres = await startEmbeddedPostgres({ dataFolder: folder, purpose: 'service' });
const processes = new Set<Running>();
try {
  await withPreviousRelease(values.from, upgradeFrom);
} finally {
  for (const running of processes) await running.end('SIGKILL');
  await postgres.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function upgradeFrom(previous: PreviousRelease): Promise<void> {
  const env = {
    DATABASE_URL: `postgres://florin@localhost/florin?host=${encodeURIComponent(join(folder, 'postgres'))}`,
    FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
    FLORIN_DATA: join(folder, 'unused'),
    FLORIN_ROLES: 'api',
    LOG_LEVEL: 'warn',
  };
  const start = async (command?: PreviousRelease['command']) => {
    const running = await startProcess(env, command);
    processes.add(running);
    return running;
  };
  const old = [await start(previous.command), await start(previous.command)];
  say(`from ${values.from}, schema ${previous.schema}`);
  const load = new Load(
    old[0]!.apiKey!,
    old.map(({ url }) => url),
  );
  const phase = async (name: string, work: () => Promise<unknown>) => {
    const { requests, failed, slowestMs } = await load.during(work, count);
    say(`${name}: ${requests} requests, ${failed} failed, the slowest ${slowestMs} ms`);
  };

  await phase('the earlier release alone', async () => {});
  const backups = join(folder, 'earlier');
  await mkdir(backups);
  let backup: EarlierBackup | undefined;
  await phase('the earlier release makes a scheduled backup', async () => {
    backup = await backUpBefore(previous, env, backups, () => load.acknowledged.keys());
  });
  await phase('while the schema is migrated', () => migrateBeside(env));
  await phase('the earlier release on the new schema', async () => {});
  await phase('one of its processes is restarted', async () => {
    await retire(load, old.shift()!);
    const again = await start(previous.command).catch((error: Error) => error);
    if (again instanceof Error) return say(`  it refuses: ${again.message.trim().split('\n').at(-1)}`);
    old.push(again);
    load.add(again.url);
  });
  await phase('both releases side by side', async () => load.add((await start()).url));
  await phase('the earlier one is stopped', async () => {
    for (const running of old) await retire(load, running);
    load.add((await start()).url);
  });
  await load.stop();
  await judge(load, env);
  const complaints = await restoreEarlier(backup!, env, join(folder, 'restored'));
  say(
    `its backup, of ${backup!.orders.length} payments and more, restored by this release: ${complaints.join('\n') || 'all there'}`,
  );
  if (complaints.length > 0) process.exitCode = 1;
}

async function migrateBeside(env: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await florin(['migrate'], env);
  if (code !== 0) throw new Error(stderr);
  say(`  ${stdout.trim()}`);
}

/** Taken out of the load balancer first, then stopped. */
async function retire(load: Load, running: Running): Promise<void> {
  await load.drain(running.url);
  await running.end('SIGTERM');
  processes.delete(running);
}

/** Checks that everything acknowledged is there, once, and the books are sound. */
async function judge(load: Load, env: Record<string, string>): Promise<void> {
  const db = openDatabase({ connection: postgres.connection });
  const rows = await db.query<{ id: string; orderId: string }>('select id, order_id from payment_intents');
  await db.close();
  const stored = new Map(rows.map(({ id, orderId }) => [orderId, id]));
  const lost = [...load.acknowledged].filter(([orderId, id]) => stored.get(orderId) !== id).length;
  const repeated = rows.length - stored.size;
  const doctor = await florin(['doctor', '--invariants', '--json'], env);
  const unanswered = rows.length - load.acknowledged.size;
  say(
    `${load.acknowledged.size} payments acknowledged, ${lost} lost, ${repeated} there twice, ${unanswered} stored without an answer`,
  );
  say(`invariants: ${doctor.code === 0 ? 'all hold' : doctor.stdout + doctor.stderr}`);
  for (const failure of load.failures.slice(0, 10)) say(failure);
  if (load.failures.length + lost + repeated > 0 || doctor.code !== 0) process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
