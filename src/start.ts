import type { AddressInfo } from 'node:net';
import { createSetupLink } from './accounts/members/create-link.ts';
import { type CreatedMerchant, ensureDemoMerchant } from './accounts/merchants/create-merchant.ts';
import { createApp } from './app.ts';
import { watchKeeper } from './chain/solana/watched-account.ts';
import { openChain } from './chain.ts';
import { type Config, mintOf } from './config.ts';
import { startJobs } from './jobs.ts';
import { createSender } from './money/webhooks/send.ts';
import { startWebhookWorker, type WorkerParts } from './money/webhooks/worker.ts';
import { openStorage } from './open.ts';
import { ensureInstallation } from './platform/db/installation.ts';
import { countPendingMigrations, migrate } from './platform/db/migrate.ts';
import { createMailer } from './platform/email/mailer.ts';
import { setEmailWriting } from './platform/email/queue-email.ts';
import { drainServer } from './platform/http/drain-server.ts';
import type { App } from './platform/http/route.ts';
import { elapsedMs, realNow, systemClock } from './platform/lib/clock.ts';
import type { Logger } from './platform/lib/log.ts';
import { Metrics } from './platform/lib/metrics.ts';
import { publicUrlOf } from './public-url.ts';
import { followClock } from './settlement/sandbox/move-clock.ts';
import { version } from './version.ts';

export interface Service {
  url: string;
  /** Where the data is, for people. */
  place: string;
  /** Made on the first start of a sandbox; its key is known only now. */
  demo: CreatedMerchant | undefined;
  /** Sets up the first owner of the demo merchant. */
  setupUrl: string | undefined;
  /** The sandbox chain's RPC address, when it runs here. */
  sandboxUrl: string | undefined;
  timings: { name: string; ms: number }[];
  stop(): Promise<void>;
}

/** Starts the roles of this process and answers when they are ready. */
export async function startService(config: Config, log: Logger): Promise<Service> {
  const timings: Service['timings'] = [];
  const timed = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const startedMs = elapsedMs();
    const result = await work();
    timings.push({ name, ms: elapsedMs() - startedMs });
    return result;
  };

  const storage = await timed(config.DATABASE_URL ? 'database' : 'embedded PostgreSQL', () =>
    openStorage(config, 'service', (message) => log.warn(message)),
  );
  const { db, secrets } = storage;
  try {
    setEmailWriting(config.SMTP_URL !== undefined);
    const clock = systemClock();
    await timed('migrations', () => migrate(db));
    await ensureInstallation(db, config.FLORIN_NETWORK, secrets, clock.now());
    const isSandbox = config.FLORIN_NETWORK === 'sandbox';
    const demo = isSandbox
      ? await ensureDemoMerchant(db, secrets, config.environment, clock.now())
      : undefined;

    const metrics = new Metrics();
    await followClock(db, clock);
    const ensureWatched = watchKeeper(db, clock, mintOf(config));
    let listening: App | undefined;
    const publicUrl = () => publicUrlOf(config, portOf(listening));
    const chain = await timed(isSandbox ? 'sandbox chain' : 'chain', () =>
      openChain({ config, db, clock, log, metrics, ensureWatched, publicUrl, onWrongNetwork }),
    );
    const mailer =
      config.SMTP_URL &&
      createMailer(config.SMTP_URL, config.MAIL_FROM!, {
        tls: { required: config.SMTP_REQUIRE_TLS, ca: config.SMTP_CA_FILE },
      });
    let isDraining = false;
    const readiness = async () => {
      if (isDraining) return 'it is stopping';
      return (await countPendingMigrations(db)) > 0 ? 'the database waits for migrations' : undefined;
    };
    const isApi = config.FLORIN_ROLES.includes('api');
    const app = await timed('HTTP server', async () => {
      const created = await createApp({
        ...{ config, db, clock, log, metrics, secrets, readiness, mailer },
        rpc: chain.rpc,
        sandbox: isSandbox ? chain : undefined,
        publicUrl,
      });
      listening = created;
      if (isApi) await created.listen({ host: config.HOST, port: config.PORT });
      return created;
    });
    const moment = { now: realNow(), serviceNow: clock.now() };
    const link = { actor: 'operator', publicUrl: publicUrl(), moment };
    const setup =
      demo && (await db.transaction((tx) => createSetupLink(tx, { ...link, merchantId: demo.merchant.id })));
    const stopJobs = startJobs(config.FLORIN_ROLES, {
      db,
      clock,
      log,
      webhookKeepDays: config.WEBHOOK_KEEP_DAYS,
      mailer,
      mint: mintOf(config),
      ensureWatched,
      publicUrl,
    });
    const stopWebhooks = startWebhooks(config, { db, log, metrics, secrets });
    return {
      url: publicUrl(),
      place: storage.place,
      demo,
      setupUrl: setup?.url,
      sandboxUrl: chain.sandboxUrl,
      timings,
      /** Takes no more work, finishes what it has, then lets go of the database. */
      async stop() {
        isDraining = true;
        await Promise.all([drainServer(app), stopJobs(), stopWebhooks()]);
        await chain.stop();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

type WebhookParts = Pick<WorkerParts, 'db' | 'log' | 'metrics' | 'secrets'>;

/** Delivers webhooks where this process is a worker; the answer stops it. */
function startWebhooks(config: Config, parts: WebhookParts): () => Promise<void> {
  if (!config.FLORIN_ROLES.includes('worker')) return async () => {};
  const sender = createSender({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE });
  const headerName = config.WEBHOOK_HEADER_NAME;
  const worker = startWebhookWorker({ ...parts, sender, headerName, userAgent: `Florin/${version}` });
  return async () => {
    await worker.stop();
    await sender.close();
  };
}

function portOf(app: App | undefined): number | undefined {
  return (app?.server.address() as AddressInfo | null | undefined)?.port;
}

/** Looking for money on the wrong chain is worse than not running: the process ends with the reason. */
function onWrongNetwork(error: Error): void {
  process.stderr.write(`Florin cannot go on: ${error.message}\n`);
  process.exit(1);
}
