import { existsSync, readdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { extname, join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { COMMAND } from './config/command-name.ts';
import { type Config, ConfigError, hasApi, readConfig } from './config/config.ts';
import { version } from './config/version.ts';
import { ensureDashboardBuilt } from './pages/dashboard/build-dashboard.ts';
import { DataFolderInUse } from './platform/db/data-folder-lock.ts';
import { migrate } from './platform/db/migrate.ts';
import { DAY_MS } from './platform/lib/clock.ts';
import { createLog, type Logger, redact } from './platform/lib/log.ts';
import { returnMemoryWhenIdle } from './platform/lib/return-memory.ts';
import { type Opened, openStorage } from './service/open-storage.ts';
import type { Service } from './service/start.ts';
import { type Ancestor, listWrappers, onWrapperEnd } from './service/wrapper-processes.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Time below which a new PostgreSQL is being created. */
const FIRST_ORDERS_MS = 60;
/**
 * Delay before compiled code is stored. On a first start that takes half a second, in which nobody is answered: it
 * must not be when the first visitors come.
 */
const KEEP_COMPILED_MS = 1_000;

if (import.meta.main) await run(process.env);

/** Starts the service, prints where it is, and stops it cleanly on a signal. */
export async function run(env: NodeJS.ProcessEnv, { buildsDashboard = true } = {}): Promise<void> {
  const wrappers = listWrappers();
  // Process 1 of a container gets no signal that it does not listen to.
  for (const signal of SIGNALS) process.on(signal, exitDuringStart);
  const config = readConfigOrExit(env);
  const log = createLog(config.LOG_LEVEL);
  // A bug must not leave a half-alive process behind; the supervisor outside starts a fresh one.
  process.on('uncaughtException', (error) => exitAfter(log, error));
  process.on('unhandledRejection', (error) => exitAfter(log, error));
  try {
    const greeted = Promise.withResolvers<void>();
    const dashboardBuilt =
      buildsDashboard && hasApi(config)
        ? greeted.promise.then(() => ensureDashboardBuilt(sayLine))
        : undefined;
    const startedMs = performance.now();
    const service = await start(config, log, dashboardBuilt);
    const readyMs = performance.now() - startedMs;
    // Before the greeting: its reader may stop the service right away, and then it must stop cleanly.
    stopOnSignal(service, config, wrappers, log);
    process.stdout.write(greeting(service, config, readyMs));
    greeted.resolve();
    // Node writes it when a process exits; without this, one that is killed would have everything compiled again.
    setTimeout(flushCompileCache, KEEP_COMPILED_MS);
    returnMemoryWhenIdle();
    // A worker alone has no server: with its database away nothing else would keep the process from ending.
    setInterval(() => {}, DAY_MS);
  } catch (error) {
    const message = (error as Error).message;
    process.stderr.write(`Florin cannot start: ${redact(message)}\n`);
    if (!(error instanceof DataFolderInUse)) log.debug({ err: error }, 'start failed');
    process.exit(1);
  }
}

/** PostgreSQL works in processes of its own, and a new database takes a while: meanwhile the service is loaded. */
async function start(
  config: Config,
  log: Logger,
  dashboardBuilt: Promise<void> | undefined,
): Promise<Service> {
  const storage = openMigrated(config, log);
  // Its failure is reported where it is awaited, which may be later.
  storage.catch(() => {});
  await Promise.race([storage, sleep(FIRST_ORDERS_MS)]);
  const { startService } = await loadInParts();
  return startService(config, log, { storage, dashboardBuilt });
}

function sayLine(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/**
 * Loads the service a part at a time: loading holds up everything else, and between two parts PostgreSQL gets its
 * next order. Everything not listed here is loaded with `start.ts` at the end.
 */
async function loadInParts(): Promise<typeof import('./service/start.ts')> {
  const source = import.meta.dirname;
  const routes = `routes${extname(import.meta.filename)}`;
  for (const room of [
    'platform',
    'accounts',
    'webhooks',
    'intents',
    'billing',
    'payments',
    'agents',
    'sandbox',
    'pages',
    'counter',
    'reports',
    'operations',
  ])
    for (const folder of ['', ...readdirSync(join(source, room))]) {
      const file = join(source, room, folder, routes);
      if (existsSync(file)) await import(file).then(giveWay);
    }
  await import('./service/open-chain.ts').then(giveWay);
  await import('./service/jobs.ts').then(giveWay);
  await import('./service/app.ts').then(giveWay);
  return import('./service/start.ts');
}

/** Some turns of the event loop: an order is often made of several small steps. */
async function giveWay(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await setImmediate();
}

/** The database, with the schema of this version. */
async function openMigrated(config: Config, log: Logger): Promise<Opened> {
  const storage = await openStorage(config, 'service', (message) => log.warn(message));
  try {
    await migrate(storage.db);
  } catch (error) {
    await storage.close();
    throw error;
  }
  return storage;
}

function readConfigOrExit(env: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(
      `Florin cannot start because of these settings:\n${error.message.replace(/^/gm, '  ')}\n`,
    );
    process.exit(1);
  }
}

function exitAfter(log: Logger, error: unknown): void {
  log.fatal({ err: error }, 'unexpected failure; exiting');
  process.exit(1);
}

/** Nothing was promised to anybody yet. What runs already, such as PostgreSQL, ends with us. */
function exitDuringStart(_signal: string, number: number): void {
  process.exit(128 + number);
}

const STOP_TIMEOUT_MS = 30_000;

function stopOnSignal(
  service: Service,
  { STOP_GRACE_SECONDS }: Config,
  wrappers: readonly Ancestor[],
  log: Logger,
): void {
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    const patienceMs = STOP_GRACE_SECONDS * 1_000 + STOP_TIMEOUT_MS;
    setTimeout(() => exitAfter(log, new Error('stopping took too long')), patienceMs).unref();
    await service.stop();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of SIGNALS) process.off(signal, exitDuringStart).on(signal, stop);
  onWrapperEnd(wrappers, () => stop('the parent process ended'));
}

function greeting(service: Service, config: Config, totalMs: number): string {
  const steps = service.timings.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ');
  const lines = [
    '',
    `  Florin ${version} · ${config.FLORIN_NETWORK} · ready in ${seconds(totalMs)} (${steps})`,
    '',
    ...(hasApi(config)
      ? [
          `  API        ${service.url}`,
          `  Dashboard  ${service.url}/dashboard`,
          `  Docs       ${service.url}/docs`,
        ]
      : [`  Roles      ${config.FLORIN_ROLES.join(', ')}`, `  Health     ${service.healthUrl}/health/ready`]),
    `  Data       ${service.place}`,
    ...(service.sandboxUrl ? [`  Chain      ${service.sandboxUrl} (Solana RPC of the sandbox)`] : []),
    ...(service.demo ? demoLines(service, service.demo) : nextLines()),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function demoLines(
  { url, setupUrl }: Service,
  { key, webhookSecret }: NonNullable<Service['demo']>,
): string[] {
  const auth = `-H 'Authorization: Bearer ${key.raw}'`;
  const json = `-H 'Content-Type: application/json'`;
  return [
    '',
    '  A demo merchant is ready. Its API key is shown only once:',
    `  API key         ${key.raw}`,
    `  Webhook secret  ${webhookSecret}`,
    '',
    '  Set up your dashboard sign-in. The link works once and expires in 24 hours:',
    `    ${setupUrl}`,
    '',
    '  Request 12.50 USDC. Each time you paste this, it is a new order:',
    `    INTENT=$(curl -sS ${url}/api/merchants/intents ${auth} ${json} \\`,
    `      -d '{"amountCents":1250,"orderId":"order-'$(date +%s%N)'"}' | grep -oE '[0-9a-f-]{36}' | head -1)`,
    '',
    '  Pay it with test money on the sandbox chain:',
    `    curl ${url}/api/v2/sandbox/payments ${auth} ${json} \\`,
    `      -d '{"paymentIntentId":"'$INTENT'"}'`,
    '',
    '  See it succeed within a few seconds:',
    `    curl ${url}/api/merchants/intents/$INTENT ${auth}`,
  ];
}

function nextLines(): string[] {
  return ['', `  Another merchant:  ${COMMAND} merchants create --name "My shop" --payout-address <address>`];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
