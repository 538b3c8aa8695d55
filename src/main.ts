import { type Config, ConfigError, hasApi, readConfig } from './config/config.ts';
import { isSupervised } from './config/processes.ts';
import { ensureDashboardBuilt } from './pages/dashboard/build-dashboard.ts';
import { DataFolderInUse } from './platform/db/data-folder-lock.ts';
import { DAY_MS } from './platform/lib/clock.ts';
import { createLog, type Logger, redact } from './platform/lib/log.ts';
import { exitAfter, exitDuringStart, exitOnBugs, SIGNALS, STOP_TIMEOUT_MS } from './service/end-process.ts';
import { greeting } from './service/greeting.ts';
import { openMigrated } from './service/open-migrated.ts';
import { loadService, tidyUpAfterStart } from './service/quick-start.ts';
import { type Ancestor, listWrappers, onWrapperEnd } from './service/wrapper-processes.ts';

if (import.meta.main) await run(process.env);

/** Starts the service, prints where it is, and stops it cleanly on a signal. */
export async function run(env: NodeJS.ProcessEnv, { buildsDashboard = true } = {}): Promise<void> {
  const wrappers = listWrappers();
  // Process 1 of a container gets no signal that it does not listen to.
  for (const signal of SIGNALS) process.on(signal, exitDuringStart);
  const config = readConfigOrExit(env);
  for (const problem of config.misnamed) process.stderr.write(`  ${problem}\n`);
  const log = createLog(config.LOG_LEVEL);
  exitOnBugs(log);
  const builds = buildsDashboard && hasApi(config);
  const start = { config, env, log, wrappers, builds };
  try {
    await (isSupervised(config) ? startSeveral(start) : startOne(start));
  } catch (error) {
    const message = (error as Error).message;
    process.stderr.write(`Florin cannot start: ${redact(message)}\n`);
    if (!(error instanceof DataFolderInUse)) log.debug({ err: error }, 'start failed');
    process.exit(1);
  }
}

interface Start {
  config: Config;
  env: NodeJS.ProcessEnv;
  log: Logger;
  wrappers: readonly Ancestor[];
  /** True if the dashboard is built where it is missing. */
  builds: boolean;
}

async function startOne({ config, log, wrappers, builds }: Start): Promise<void> {
  const greeted = Promise.withResolvers<void>();
  const dashboardBuilt = builds ? greeted.promise.then(() => ensureDashboardBuilt(sayLine)) : undefined;
  const startedMs = performance.now();
  const storage = openMigrated(config, 'service', log);
  const { startService } = await loadService(storage);
  const service = await startService(config, log, { storage, dashboardBuilt });
  const readyMs = performance.now() - startedMs;
  // Before the greeting: its reader may stop the service right away, and then it must stop cleanly.
  stopOnSignal(service, config, wrappers, log);
  onHangUp(() => log.warn('SIGHUP replaces processes only where API_PROCESSES is 2 or more'));
  process.stdout.write(greeting(service, config, readyMs));
  greeted.resolve();
  tidyUpAfterStart();
  // A worker alone has no server: with its database away nothing else would keep the process from ending.
  setInterval(() => {}, DAY_MS);
}

/** This process supervises the others, and does none of their work. */
async function startSeveral({ config, env, log, wrappers, builds }: Start): Promise<void> {
  const startedMs = performance.now();
  const { supervise } = await import('./service/processes/supervise.ts');
  const service = await supervise(config, env, log);
  const readyMs = performance.now() - startedMs;
  stopOnSignal(service, config, wrappers, log);
  onHangUp(() => void service.reload());
  process.stdout.write(greeting(service.greeted, config, readyMs));
  if (builds) await ensureDashboardBuilt(sayLine);
  service.noteDashboardBuilt();
}

function sayLine(line: string): void {
  process.stdout.write(`  ${line}\n`);
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

interface Stoppable {
  stop(): Promise<void>;
  /** Only where there are several processes. */
  killAll?(because: string): void;
}

function stopOnSignal(
  service: Stoppable,
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
    setTimeout(() => {
      service.killAll?.('took too long to stop');
      exitAfter(log, new Error('stopping took too long'));
    }, patienceMs).unref();
    await service.stop();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of SIGNALS) process.off(signal, exitDuringStart).on(signal, stop);
  onWrapperEnd(wrappers, () => stop('the parent process ended'));
}

/** A terminal that is closed sends it too, and ends what was started there. */
function onHangUp(act: () => void): void {
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY || process.stdout.isTTY) process.kill(process.pid, 'SIGTERM');
    else act();
  });
}
