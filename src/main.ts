import { type Config, ConfigError, hasApi, readConfig } from './config/config.ts';
import { ensureDashboardBuilt } from './pages/dashboard/build-dashboard.ts';
import { DataFolderInUse } from './platform/db/data-folder-lock.ts';
import { migrate } from './platform/db/migrate.ts';
import { DAY_MS } from './platform/lib/clock.ts';
import { createLog, type Logger, redact } from './platform/lib/log.ts';
import { greeting } from './service/greeting.ts';
import { type Opened, openStorage } from './service/open-storage.ts';
import { loadService, tidyUpAfterStart } from './service/quick-start.ts';
import type { Service } from './service/start.ts';
import { type Ancestor, listWrappers, onWrapperEnd } from './service/wrapper-processes.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

if (import.meta.main) await run(process.env);

/** Starts the service, prints where it is, and stops it cleanly on a signal. */
export async function run(env: NodeJS.ProcessEnv, { buildsDashboard = true } = {}): Promise<void> {
  const wrappers = listWrappers();
  // Process 1 of a container gets no signal that it does not listen to.
  for (const signal of SIGNALS) process.on(signal, exitDuringStart);
  const config = readConfigOrExit(env);
  for (const problem of config.misnamed) process.stderr.write(`  ${problem}\n`);
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
    const storage = openMigrated(config, log);
    const { startService } = await loadService(storage);
    const service = await startService(config, log, { storage, dashboardBuilt });
    const readyMs = performance.now() - startedMs;
    // Before the greeting: its reader may stop the service right away, and then it must stop cleanly.
    stopOnSignal(service, config, wrappers, log);
    process.stdout.write(greeting(service, config, readyMs));
    greeted.resolve();
    tidyUpAfterStart();
    // A worker alone has no server: with its database away nothing else would keep the process from ending.
    setInterval(() => {}, DAY_MS);
  } catch (error) {
    const message = (error as Error).message;
    process.stderr.write(`Florin cannot start: ${redact(message)}\n`);
    if (!(error instanceof DataFolderInUse)) log.debug({ err: error }, 'start failed');
    process.exit(1);
  }
}

function sayLine(line: string): void {
  process.stdout.write(`  ${line}\n`);
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
