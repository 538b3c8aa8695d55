import { type Config, collectorOf } from '../../config/config.ts';
import { publicUrlOf } from '../../config/public-url.ts';
import { checkMailServer } from '../../email/mailer.ts';
import type { Queryable } from '../../platform/db/database.ts';
import {
  findBackupProblem,
  findLastBackup,
  findLastProof,
  findProofProblem,
} from '../../platform/db/installation.ts';
import { HOUR_MS, realNow } from '../../platform/lib/clock.ts';
import { postSpans } from '../../platform/traces/post-spans.ts';
import { failureType } from '../../platform/traces/span.ts';
import { listLeftProofs } from '../backup/proof-folder.ts';

type Note = (check: string, ok: boolean, detail: string) => void;

/** Links in e-mails, QR codes and webhooks begin with it. */
export function examinePublicUrl(config: Config, note: Note): void {
  const url = publicUrlOf(config);
  const check = 'public address';
  if (config.FLORIN_NETWORK !== 'mainnet' || config.PUBLIC_URL?.startsWith('https:')) {
    note(check, true, `links begin with ${url}`);
    return;
  }
  note(
    check,
    false,
    config.PUBLIC_URL === undefined
      ? `PUBLIC_URL is not set, so links begin with ${url}, which customers cannot open; set it to the https:// address of the service`
      : `PUBLIC_URL is ${url}, so anyone on the way can change what customers see and where they pay; put a proxy with TLS in front and set it to https://…`,
  );
}

/** The service itself speaks http: an https PUBLIC_URL means that a proxy is in front. */
export function examineProxy({ PUBLIC_URL, TRUST_PROXY }: Config, note: Note): void {
  const isMissing = TRUST_PROXY === false && PUBLIC_URL?.startsWith('https:');
  note(
    'proxy',
    !isMissing,
    isMissing
      ? 'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is false: all clients share one rate limit; set it to the proxy’s address'
      : 'rate limits per address see the client’s address',
  );
}

interface ServerSetting {
  name: string;
  setting: string;
  source: string;
}

/**
 * Reports settings with which a crash can lose data. `local` answers before a standby has the write: harmless in a
 * test, not with real money.
 */
export async function examineDurability(db: Queryable, config: Config, note: Note): Promise<void> {
  const settings = await db.query<ServerSetting>(
    `select name, setting, source from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`,
  );
  const unsafe = config.FLORIN_NETWORK === 'mainnet' ? ['off', 'local'] : ['off'];
  const wrong = settings.filter(({ setting }) => unsafe.includes(setting));
  const named = wrong.map(({ name, setting, source }) => `${name} is ${setting} (by ${source})`).join(', ');
  const loss = wrong.every(({ setting }) => setting === 'local') ? 'a failover' : 'a crash';
  note(
    'durability',
    wrong.length === 0,
    wrong.length === 0
      ? 'acknowledged writes are on disk'
      : `${named}: ${loss} loses payments; set ${wrong.length === 1 ? 'it' : 'each'} to on in PostgreSQL, and reload it`,
  );
}

const MAIL_PATIENCE_MS = 10_000;

/** Checks that the mail server takes a connection, and the password if there is one. No e-mail is sent. */
export async function examineMail(config: Config, note: Note): Promise<void> {
  const server = config.SMTP_URL;
  if (!server) {
    note('mail server', true, 'SMTP_URL is not set: no e-mails are sent');
    return;
  }
  const place = `${server.host}:${server.port}`;
  const tls = { required: config.SMTP_REQUIRE_TLS, ca: config.SMTP_CA_FILE };
  await checkMailServer(server, { tls, timeoutMs: MAIL_PATIENCE_MS }).then(
    () => note('mail server', true, `${place} answers${server.user ? ', and takes the password' : ''}`),
    (error: Error) =>
      note(
        'mail server',
        false,
        `${place}: ${error.message}. E-mails are retried for a day; check SMTP_URL and the server`,
      ),
  );
}

/** Backups that workers are to make. Where PostgreSQL is backed up otherwise, nothing is known and nothing is wrong. */
export async function examineBackups(
  { BACKUP_FOLDER: folder, BACKUP_EVERY: everyHours, BACKUP_PROVE_EVERY: proveHours }: Config,
  db: Queryable,
  note: Note,
): Promise<void> {
  const last = await findLastBackup(db);
  const made = last ? `the last one was made at ${last.toISOString()}` : 'none was ever made';
  if (folder === undefined) {
    note('backups', true, `BACKUP_FOLDER is not set, so none are scheduled; ${made}`);
    return;
  }
  const problem = await findBackupProblem(db);
  // One that is missed may be a worker that restarts; two are not.
  const isLate = !last || realNow().getTime() - last.getTime() > 2 * everyHours * HOUR_MS;
  const reason = problem ?? 'is a worker running, with BACKUP_FOLDER among its settings?';
  const isWell = problem === undefined && !isLate;
  note('backups', isWell, isWell ? `${made}, in ${folder}` : `${made}: ${reason}`);
  await examineProof(proveHours, db, note);
}

/** Each is a whole database that anybody with its disk can read. */
export async function examineLeftProofs(note: Note): Promise<void> {
  const left = await listLeftProofs();
  note(
    'left proofs',
    left.length === 0,
    left.length === 0
      ? 'no copy of a database was left by the proof of a backup'
      : `copies of a database that an interrupted proof of a backup has left: ${left.join(', ')}. Delete them; the next proof and the next start do so where they may`,
  );
}

/** A backup that nobody has ever restored is a hope. */
async function examineProof(everyHours: number, db: Queryable, note: Note): Promise<void> {
  const last = await findLastProof(db);
  const proven = last
    ? `the last one that was restored to prove it was made at ${last.toISOString()}`
    : 'none was ever restored to prove it';
  if (everyHours === 0) {
    note('proven backups', true, `BACKUP_PROVE_EVERY is 0; ${proven}`);
    return;
  }
  const problem = await findProofProblem(db);
  const isLate = !last || realNow().getTime() - last.getTime() > 2 * everyHours * HOUR_MS;
  const reason = problem ?? 'no backup was made since it is due';
  const isWell = problem === undefined && !isLate;
  note('proven backups', isWell, isWell ? proven : `${proven}: ${reason}`);
}

const COLLECTOR_PATIENCE_MS = 5_000;

/** Checks that the collector accepts traces from us; none is sent. */
export async function examineCollector(config: Config, note: Note): Promise<void> {
  const check = 'trace collector';
  const collector = collectorOf(config);
  if (!collector) {
    note(check, true, 'OTEL_EXPORTER_OTLP_ENDPOINT is not set: no traces are sent');
    return;
  }
  const { Agent } = await import('undici');
  const agent = new Agent({ allowH2: false });
  const signal = AbortSignal.timeout(COLLECTOR_PATIENCE_MS);
  const problem = await postSpans(collector, '{"resourceSpans":[]}', agent, signal).then(
    ({ status }) => (status >= 200 && status < 300 ? undefined : `answers ${status}`),
    (error: unknown) => `does not answer (${failureType(error)})`,
  );
  await agent.destroy();
  const advice =
    'traces are dropped; check OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS and the collector';
  note(check, !problem, problem ? `${collector.url} ${problem}: ${advice}` : `${collector.url} answers`);
}
