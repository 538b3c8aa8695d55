import type { AddressInfo } from 'node:net';
import { createSetupLink } from '../accounts/members/create-link.ts';
import { type CreatedMerchant, ensureDemoMerchant } from '../accounts/merchants/create-merchant.ts';
import { watchKeeper } from '../chain/solana/watched-account.ts';
import { type Config, hasApi, mintOf } from '../config/config.ts';
import { publicUrlOf } from '../config/public-url.ts';
import { version } from '../config/version.ts';
import { createMailer, type Mailer } from '../email/mailer.ts';
import type { Database } from '../platform/db/database.ts';
import { ensureInstallation } from '../platform/db/installation.ts';
import { drainServer } from '../platform/http/drain-server.ts';
import { listenOn } from '../platform/http/listen-on.ts';
import type { App } from '../platform/http/route.ts';
import { type Clock, elapsedMs, realNow, systemClock } from '../platform/lib/clock.ts';
import type { Logger } from '../platform/lib/log.ts';
import { Metrics } from '../platform/lib/metrics.ts';
import { countSpans } from '../platform/traces/span-counts.ts';
import { followClock } from '../sandbox/move-clock.ts';
import { createSender, type Sender } from '../webhooks/send.ts';
import { WebhookWorker, type WorkerParts } from '../webhooks/worker.ts';
import { createApp } from './app.ts';
import { openGauges } from './gauges.ts';
import { createHealthApp } from './health-app.ts';
import { startJobs } from './jobs.ts';
import { type ChainParts, openChain } from './open-chain.ts';
import { openScheduledBackups } from './open-scheduled-backups.ts';
import { openSponsor } from './open-sponsor.ts';
import type { Opened } from './open-storage.ts';
import type { Traces } from './open-traces.ts';
import { readinessOf } from './readiness.ts';
import type { AppParts } from './shared-parts.ts';
import { type Watched, watchAll, watchClocks, watchMark } from './watch-database.ts';

export interface Service {
  url: string;
  /** URL of the process's own health endpoint, whichever roles it has. */
  healthUrl: string;
  /** Description of where the data is, for people. */
  place: string;
  /** Made on the first start of a sandbox; its key is known only now. */
  demo: CreatedMerchant | undefined;
  /** Sets up the first owner of the demo merchant. */
  setupUrl: string | undefined;
  /** The sandbox chain's RPC address, when it runs here. */
  sandboxUrl: string | undefined;
  timings: { name: string; ms: number }[];
  metrics: Metrics;
  /** `isReplaced`: others go on with the same port. */
  stop(how?: { isReplaced: boolean }): Promise<void>;
}

/** Work that others have already begun. */
interface Coming {
  /** Storage with the schema of this version. */
  storage: Promise<Opened>;
  /** Absent: nobody builds it. */
  dashboardBuilt: Promise<void> | undefined;
  /** Absent: this process is the whole service. */
  part?: PartOfService | undefined;
}

/** Differences of one of several processes that another one supervises. */
export interface PartOfService extends Pick<AppParts, 'scraped'>, Pick<ChainParts, 'chainPort'> {
  /** False if it serves no port: its health and its metrics are the supervisor's business. */
  listens: boolean;
}

/** Starts the roles of this process, and answers when they are ready. */
export async function startService(config: Config, log: Logger, coming: Coming): Promise<Service> {
  const { timings, timed } = stopwatch();
  const storage = await timed('database', () => coming.storage);
  const { secrets, place } = storage;
  try {
    const clock = systemClock();
    const metrics = new Metrics();
    const clocks = await watchClocks(storage.db, log, metrics);
    await prepareDatabase(config, storage, clock);
    const traces = await loadTraces(config, log, metrics);
    const db = traces?.database(storage.db) ?? storage.db;
    const watched = watchAll([await watchMark(config, db, log, metrics), clocks]);
    const mailer = openMailer(config, traces);
    const backUp = await openScheduledBackups({ config, db, log, metrics });
    const webhooks = openWebhooks(config, { db, log, metrics, secrets, mailer, traces });
    const parts = {
      ...{ config, log, db, secrets, clock, metrics, mailer, watched, traces },
      ...{ dashboardBuilt: coming.dashboardBuilt, wakeWebhooks: webhooks.wake, ...coming.part },
    };
    const server = await startServer(parts, timed);
    // Its key is shown only once, so it is created when everything that often fails has succeeded.
    const demo = await createDemo(config, { db, secrets }, clock);
    const setupUrl = demo && (await createDemoSetup(db, demo, server.url, clock));
    const stopJobs = startJobs(config.FLORIN_ROLES, {
      ...parts,
      eventRetentionDays: config.EVENT_RETENTION_DAYS,
      webhookKeepDays: config.WEBHOOK_KEEP_DAYS,
      requestLogDays: config.REQUEST_LOG_DAYS,
      mint: mintOf(config),
      network: config.FLORIN_NETWORK,
      rpc: server.chain.rpc,
      witnesses: server.chain.witnesses,
      gauges: openGauges(config.FLORIN_ROLES, { ...parts, sponsor: server.sponsor }),
      ensureWatched: server.ensureWatched,
      publicUrl: server.publicUrl,
      backUp,
    });
    webhooks.start(server.publicUrl);
    return {
      ...{ url: server.url, healthUrl: server.healthUrl, sandboxUrl: server.chain.sandboxUrl },
      ...{ place, demo, setupUrl, timings, metrics },
      /** Serves on until others have noticed, takes no more work, finishes what it has, then lets go of the database. */
      async stop({ isReplaced } = { isReplaced: false }) {
        await (isReplaced ? server.leave() : server.announceStop());
        db.hurry(STOP_PATIENCE_MS);
        await Promise.all([server.drain(), stopJobs(), webhooks.stop()]);
        await server.chain.stop();
        // A mark behind the last writes: otherwise a database that lost the last two seconds would not be noticed.
        await watched.check().catch(() => {});
        await Promise.all([traces?.stop(), storage.close()]);
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** A database that does not answer must not keep a process from ending. */
const STOP_PATIENCE_MS = 5_000;

/** Runs one step of the start and notes how long it took. */
type Timed = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

function stopwatch(): { timings: Service['timings']; timed: Timed } {
  const timings: Service['timings'] = [];
  return {
    timings,
    async timed(name, work) {
      const startedMs = elapsedMs();
      const result = await work();
      timings.push({ name, ms: elapsedMs() - startedMs });
      return result;
    },
  };
}

/** The first start notes whose database it is. */
async function prepareDatabase(config: Config, { db, secrets }: Opened, clock: Clock): Promise<void> {
  await ensureInstallation(db, config.FLORIN_NETWORK, secrets, clock.now());
  await followClock(db, clock);
}

/** The first start of a sandbox creates a merchant. */
async function createDemo(
  config: Config,
  { db, secrets }: Pick<Opened, 'db' | 'secrets'>,
  clock: Clock,
): Promise<CreatedMerchant | undefined> {
  if (config.FLORIN_NETWORK !== 'sandbox') return undefined;
  return ensureDemoMerchant(db, secrets, config.environment, clock.now());
}

/** Loads tracing; without a collector nothing of it is loaded, and every part runs as it is. */
async function loadTraces(config: Config, log: Logger, metrics: Metrics): Promise<Traces | undefined> {
  countSpans(metrics);
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const { openTraces } = await import('./open-traces.ts');
  return openTraces(config, log, metrics);
}

function openMailer(config: Config, traces: Traces | undefined): Mailer | undefined {
  if (!config.SMTP_URL) return undefined;
  const mailer = createMailer(config.SMTP_URL, config.MAIL_FROM!, {
    tls: { required: config.SMTP_REQUIRE_TLS, ca: config.SMTP_CA_FILE },
  });
  return traces?.mailer(mailer) ?? mailer;
}

type ServerParts = Omit<AppParts, 'readiness' | 'rpc' | 'witnesses' | 'sandbox' | 'sponsor' | 'publicUrl'> &
  Pick<ChainParts, 'wakeWebhooks' | 'chainPort'> & { watched: Watched; listens?: boolean };

/** The chain and the HTTP server in front of it, which listens where this process has the role. */
async function startServer(parts: ServerParts, timed: Timed) {
  const { config, db, clock, watched, listens = true } = parts;
  const isSandbox = config.FLORIN_NETWORK === 'sandbox';
  const ensureWatched = watchKeeper(db, clock, mintOf(config));
  let listening: App | undefined;
  let port: number | undefined;
  const publicUrl = () => {
    port ??= portOf(listening);
    return publicUrlOf(config, port);
  };
  const chain = await timed(isSandbox ? 'sandbox chain' : 'chain', () =>
    openChain({ ...parts, ensureWatched, publicUrl, onWrongNetwork }),
  );
  const sponsor = await openSponsor(config, chain);
  const { readiness, announceStop, leave } = readinessOf(config, db, watched);
  const app = await timed('HTTP server', async () => {
    const { HOST: host, PORT, HEALTH_PORT } = config;
    if (!hasApi(config)) {
      const created = await createHealthApp({ ...parts, readiness });
      if (listens) await listenOn(created, { host, port: HEALTH_PORT, setting: 'HEALTH_PORT' });
      return created;
    }
    const sandbox = isSandbox ? chain : undefined;
    const { rpc, witnesses } = chain;
    listening = await createApp({ ...parts, readiness, rpc, witnesses, sandbox, sponsor, publicUrl });
    await listenOn(listening, { host, port: PORT, setting: 'PORT' });
    return listening;
  }).catch(async (error: unknown) => {
    // Going on without a database would bury the reason under a hundred follow-up errors.
    await listening?.close();
    await chain.stop();
    throw error;
  });
  const drain = () => drainServer(app);
  const healthUrl = `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${portOf(app)}`;
  return {
    url: publicUrl(),
    healthUrl,
    publicUrl,
    ensureWatched,
    chain,
    sponsor,
    announceStop: () => announceStop(app),
    leave: () => leave(app),
    drain,
  };
}

/** The link that sets up the first owner of the demo merchant. */
async function createDemoSetup(db: Database, demo: CreatedMerchant, publicUrl: string, clock: Clock) {
  const moment = { now: realNow(), serviceNow: clock.now() };
  const link = { actor: 'operator', publicUrl, moment, merchantId: demo.merchant.id };
  return (await db.transaction((tx) => createSetupLink(tx, link))).url;
}

type WebhookParts = Pick<WorkerParts, 'db' | 'log' | 'metrics' | 'secrets' | 'mailer'> &
  Pick<AppParts, 'traces'>;

/** Delivers webhooks if this process is a worker; `wake` can be called at any time. */
function openWebhooks(config: Config, { traces, ...parts }: WebhookParts) {
  let running: { worker: WebhookWorker; sender: Sender } | undefined;
  return {
    start(publicUrl: () => string) {
      if (!config.FLORIN_ROLES.includes('worker')) return;
      const sender = createSender({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE });
      const headerName = config.WEBHOOK_HEADER_NAME;
      const userAgent = `Florin/${version}`;
      const worker = new WebhookWorker({
        ...parts,
        sender: traces?.sender(sender) ?? sender,
        headerName,
        userAgent,
        publicUrl,
      });
      running = { worker, sender };
    },
    wake: () => running?.worker.kick(),
    async stop() {
      await running?.worker.stop();
      await running?.sender.close();
    },
  };
}

function portOf(app: App | undefined): number | undefined {
  return (app?.server.address() as AddressInfo | null | undefined)?.port;
}

/** Looking for money on the wrong chain is worse than not running: the process ends with the reason. */
function onWrongNetwork(error: Error): void {
  process.stderr.write(`Florin cannot continue: ${error.message}\n`);
  process.exit(1);
}
