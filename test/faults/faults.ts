import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, ROLES, type Role } from './installation.ts';
import type { Line, Misanswer } from './proxies.ts';

type Heal = () => Promise<unknown>;

export interface Fault {
  name: string;
  /** The alert that has to fire while it lasts; undefined: it is over before anybody should be called. */
  alert: string | undefined;
  /** Another one that calls as well: whichever fires first. */
  orAlert?: string;
  /** The line in the log of a process that names the cause. */
  log: RegExp;
  /** Causes it, and answers how it ends. */
  cause(at: Installation): Promise<Heal>;
}

/** For a fault that leaves nobody to write a line, or is not worth one. */
export const SILENT = /(?:)/;

const UNREACHABLE = 'FlorinDatabaseUnreachable';

/** Faults of the way to PostgreSQL, and of PostgreSQL itself. */
const OF_DATABASE: readonly Fault[] = [
  onTheLine('answers lost', /database|timed out|timeout/i),
  onTheLine('requests lost', /database|timed out|timeout/i),
  onTheLine('cut', /ECONNRESET|Connection terminated|cannot be reached/),
  {
    name: 'every third packet lost on the way to PostgreSQL, for 20 seconds',
    alert: undefined,
    log: SILENT,
    async cause({ line }) {
      line.set('lossy');
      await sleep(20_000);
      return async () => line.set('open');
    },
  },
  {
    name: 'PgBouncer in between, killed five times',
    alert: undefined,
    log: /ECONNREFUSED|Connection terminated|ECONNRESET/,
    async cause({ bouncer, line }) {
      line.lead(bouncer.port);
      for (let i = 0; i < 5; i++) {
        await sleep(2_000);
        await bouncer.kill();
        await sleep(300);
        await bouncer.start();
      }
      return async () => line.lead(undefined);
    },
  },
  {
    name: 'connections terminated for 5 seconds',
    alert: undefined,
    log: /terminating connection due to administrator command|Connection terminated/,
    async cause({ db }) {
      for (let i = 0; i < 25; i++) {
        await terminateAll(db);
        await sleep(200);
      }
      return async () => {};
    },
  },
  {
    name: 'connection limit reached',
    alert: UNREACHABLE,
    log: /too many connections for role/,
    async cause({ db, server }) {
      await server.query('alter role florin connection limit 2');
      await terminateAll(db);
      return () => server.query('alter role florin connection limit -1');
    },
  },
  {
    name: 'the name of the database’s host is gone',
    alert: UNREACHABLE,
    log: /ENOTFOUND|EAI_AGAIN|cannot be resolved/,
    async cause({ db, names }) {
      await names.forget();
      await terminateAll(db);
      return () => names.know();
    },
  },
  {
    name: 'user refused',
    alert: UNREACHABLE,
    log: /pg_hba.conf rejects connection|no pg_hba.conf entry/,
    async cause({ db, server }) {
      const hba = '/var/lib/postgresql/15/main/pg_hba.conf';
      await server.follow(`cp ${hba} ${hba}.kept
        { echo 'host all florin 127.0.0.1/32 reject'; cat ${hba}.kept; } > ${hba}
        psql -qc "select pg_reload_conf()" > /dev/null`);
      await terminateAll(db);
      return () => server.follow(`mv ${hba}.kept ${hba}; psql -qc "select pg_reload_conf()" > /dev/null`);
    },
  },
  {
    name: 'a table locked for 20 seconds',
    alert: 'FlorinErrors',
    log: /lock timeout|canceling statement/,
    async cause({ db }) {
      const held = Promise.withResolvers<void>();
      const isHeld = Promise.withResolvers<void>();
      const holding = db.transaction(async (tx) => {
        await tx.query('set local idle_in_transaction_session_timeout = 0');
        await tx.query('lock table payment_intents in access exclusive mode');
        isHeld.resolve();
        await held.promise;
      });
      await isHeld.promise;
      await sleep(20_000);
      return async () => {
        held.resolve();
        await holding;
      };
    },
  },
  {
    name: 'commits that hang: a standby is gone',
    alert: 'FlorinCommitsHang',
    log: /has not committed a write/,
    async cause({ server }) {
      const set = (names: string) =>
        server.follow(
          `psql -qc "alter system set synchronous_standby_names = '${names}'" -c "select pg_reload_conf()" > /dev/null`,
        );
      await set('gone');
      return () => set('');
    },
  },
  {
    name: 'PostgreSQL frozen',
    alert: UNREACHABLE,
    log: /database|timed out|timeout/i,
    async cause({ server }) {
      const signal = (name: string) =>
        server.follow(`pid=$(head -1 /var/lib/postgresql/15/main/postmaster.pid)
          kill -${name} $(pgrep -P $pid) $pid`);
      await signal('STOP');
      return () => signal('CONT');
    },
  },
  {
    name: 'PostgreSQL killed, gone for 10 seconds',
    alert: UNREACHABLE,
    log: /ECONNREFUSED|Connection terminated|terminating connection|ECONNRESET/,
    async cause({ server }) {
      await server.follow('kill -KILL $(head -1 /var/lib/postgresql/15/main/postmaster.pid)');
      await sleep(10_000);
      return () =>
        server.follow('rm -f /var/lib/postgresql/15/main/postmaster.pid; sudo systemctl start postgresql');
    },
  },
  {
    name: 'the disk of PostgreSQL full',
    alert: 'FlorinDatabaseDiskFull',
    log: /No space left on device|disk of the database is full/,
    async cause({ server }) {
      const filler = '/var/lib/postgresql/15/main/filler';
      // It ends with an error once nothing fits any more.
      await server.follow(`dd if=/dev/zero of=${filler} bs=1M 2> /dev/null || true`);
      return () => server.follow(`rm ${filler}; pg_isready -q || systemctl start postgresql`);
    },
  },
];

/** Faults of processes. */
const OF_PROCESSES: readonly Fault[] = [
  ...ROLES.map(
    (role): Fault => ({
      name: `one process of the role ${role} frozen`,
      alert: 'FlorinInstanceDown',
      log: SILENT,
      async cause({ process }) {
        const { child } = process(`${role}-2`);
        child.kill('SIGSTOP');
        return async () => void child.kill('SIGCONT');
      },
    }),
  ),
  {
    name: 'no open files left for one process of the API',
    alert: 'FlorinInstanceDown',
    orAlert: UNREACHABLE,
    log: /EMFILE|too many open files/i,
    async cause({ process, db }) {
      const limit = (files: number) =>
        execFileSync('prlimit', [`--pid=${process('api-2').child.pid}`, `--nofile=${files}:`]);
      // Fewer than it has open: those it loses do not come back.
      limit(20);
      await terminateAll(db);
      return async () => void limit(1_024);
    },
  },
  allGone('api', 'FlorinNoApi'),
  allGone('worker', 'FlorinNoWorker'),
  allGone('watcher', 'FlorinNoWatcher'),
  ...[2, -2].map(
    (hours): Fault => ({
      name: `a worker's clock ${Math.abs(hours)} hours ${hours > 0 ? 'ahead' : 'behind'}`,
      alert: 'FlorinClockWrong',
      log: /the clock of this machine is \d+ s (ahead of|behind) the database's/,
      async cause({ process, start }) {
        await process('worker-2').end('SIGKILL');
        const preload = join(import.meta.dirname, '../support/shifted-clock.ts');
        await start('worker-2', { preload, env: { CLOCK_SHIFT_MS: String(hours * 3_600_000) } });
        return async () => {
          await process('worker-2').end('SIGKILL');
          await start('worker-2');
        };
      },
    }),
  ),
];

const NONE_ANSWERS = 'FlorinNoGoodNode';

/** Faults of Solana nodes: of all of them, but where it says one. */
const OF_NODES: readonly Fault[] = [
  ofNodes(
    'down',
    NONE_ANSWERS,
    /socket hang up|other side closed|fetch failed|ECONNRESET|terminated/,
    (_, __, response) => {
      response.destroy();
      return undefined;
    },
  ),
  ofNodes('answer HTML', NONE_ANSWERS, /HTML|html|not JSON|502/, (_, __, response) => {
    response.statusCode = 502;
    return '<html><body>Bad gateway</body></html>';
  }),
  ofNodes('answer 429', NONE_ANSWERS, /429|limit/, (_, __, response) => {
    response.statusCode = 429;
    return '{"error":"Too many requests"}';
  }),
  ofNodes('hang', NONE_ANSWERS, /timed out|timeout|in time|does not answer/i, () => undefined),
  ofNodes('one halves every amount', 'FlorinNodesDisagree', /contradict/, (_, own) => halved(own), 1),
  ofNodes('one is 400 slots behind', 'FlorinNodeBehind', SILENT, (method, own) => behind(method, own), 1),
];

export const FAULTS: readonly Fault[] = [...OF_DATABASE, ...OF_PROCESSES, ...OF_NODES];

function onTheLine(line: Line, log: RegExp): Fault {
  const name = line === 'cut' ? 'the line to PostgreSQL is cut' : `${line} on the way to PostgreSQL`;
  return {
    ...{ name, alert: UNREACHABLE, log },
    async cause(at) {
      at.line.set(line);
      return async () => at.line.set('open');
    },
  };
}

function allGone(role: Role, alert: string): Fault {
  return {
    ...{ name: `both processes of the role ${role} killed`, alert, log: SILENT },
    async cause({ process, start }) {
      const names = [`${role}-1`, `${role}-2`];
      for (const name of names) await process(name).end('SIGKILL');
      return async () => {
        for (const name of names) await start(name);
      };
    },
  };
}

function ofNodes(what: string, alert: string, log: RegExp, misanswer: Misanswer, count = 2): Fault {
  return {
    name: count === 2 ? `both Solana nodes ${what}` : `Solana nodes: ${what}`,
    ...{ alert, log },
    async cause({ nodes }) {
      for (const node of nodes.slice(0, count)) node.set(misanswer);
      return async () => {
        for (const node of nodes) node.set(undefined);
      };
    },
  };
}

/** Answer of a node that is behind. */
function behind(method: string, own: string): string {
  const answer = JSON.parse(own);
  if (method === 'getSlot' && typeof answer.result === 'number') answer.result -= 400;
  const { context } = answer.result ?? {};
  if (context) context.slot -= 400;
  return JSON.stringify(answer);
}

/** Answer of a node that shows half of each amount moved. */
function halved(own: string): string {
  return own.replaceAll(/"amount":"(\d+)"/g, (_, units: string) => `"amount":"${BigInt(units) / 2n}"`);
}

/** Ends every connection of the service, not our own. */
async function terminateAll(db: Installation['db']): Promise<void> {
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where usename = 'florin' and client_port is not null and pid <> pg_backend_pid() and query not like '%pg_terminate_backend%'`,
  );
}
