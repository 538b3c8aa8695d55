import { hasApi, readConfig } from '../../config/config.ts';
import { joinMetrics } from '../../platform/lib/join-metrics.ts';
import { createLog, type Logger, redact } from '../../platform/lib/log.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { flushToPeers, hearPeer, notePeerJoined, notePeerLeft, openPeers } from '../../platform/lib/peers.ts';
import { exitAfter, exitDuringStart, exitOnBugs, STOP_TIMEOUT_MS } from '../end-process.ts';
import { openMigrated } from '../open-migrated.ts';
import { loadService, tidyUpAfterStart } from '../quick-start.ts';
import type { Service } from '../start.ts';
import { ALIVE_EVERY_MS, type FromPart, type ToPart } from './messages.ts';

/** The name that the supervisor has given this process, and what it knows of the sandbox's chain. */
export interface PartArguments {
  name: string;
  chainPort: number | undefined;
}

/** Runs one process of a service, as its supervisor says, until that says stop or is gone. */
export async function runPart(env: NodeJS.ProcessEnv, { name, chainPort }: PartArguments): Promise<void> {
  // Ctrl-C and the end of a terminal reach every process: when to stop is for the supervisor to say.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
  process.on('SIGTERM', exitDuringStart);
  process.on('disconnect', () => process.exit(1));
  openPeers((said) => tell({ kind: 'said', said }));
  setInterval(() => tell({ kind: 'alive' }), ALIVE_EVERY_MS);
  const config = readConfig(env);
  const log = createLog(config.LOG_LEVEL).child({ process: name });
  exitOnBugs(log);
  const supervisor = hearSupervisor();
  try {
    const storage = openMigrated(config, 'part', log);
    const { startService } = await loadService(storage);
    const service = await startService(config, log, {
      storage,
      dashboardBuilt: supervisor.dashboardBuilt,
      part: { chainPort, scraped: supervisor.scraped, listens: hasApi(config) },
    });
    supervisor.open({ metrics: service.metrics, stop: stopOnce(service, config.STOP_GRACE_SECONDS, log) });
    const { url, healthUrl, place, demo, setupUrl, sandboxUrl, timings } = service;
    const shown = demo && { key: { raw: demo.key.raw }, webhookSecret: demo.webhookSecret };
    tell({
      kind: 'ready',
      greeted: { url, healthUrl, place, demo: shown, setupUrl, sandboxUrl, timings },
    });
    tidyUpAfterStart();
  } catch (error) {
    log.debug({ err: error }, 'start failed');
    tell({ kind: 'failed', message: redact((error as Error).message) }, () => process.exit(1));
  }
}

/** A supervisor that is gone is noticed elsewhere. */
function tell(message: FromPart, then: () => void = () => {}): void {
  if (process.connected) process.send!(message, then);
  else then();
}

function stopOnce(service: Service, graceSeconds: number, log: Logger): Started['stop'] {
  let isStopping = false;
  return async (how) => {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping');
    const patienceMs = graceSeconds * 1_000 + STOP_TIMEOUT_MS;
    setTimeout(() => exitAfter(log, new Error('stopping took too long')), patienceMs).unref();
    await service.stop(how);
    flushToPeers();
    log.info('stopped');
    process.exit(0);
  };
}

interface Started {
  metrics: Pick<Metrics, 'text'>;
  stop(how: { isReplaced: boolean }): Promise<void>;
}

/** Listens to the supervisor from the first moment on; `open` names the service that its messages are about. */
function hearSupervisor() {
  const dashboardBuilt = Promise.withResolvers<void>();
  const scrapes = new Map<number, (text: string) => void>();
  let started: Started | undefined;
  let scrapeId = 0;

  function hear(message: ToPart): void {
    switch (message.kind) {
      case 'stop':
        if (started) void started.stop(message);
        else process.exit(0);
        break;
      case 'said':
        hearPeer(message.from, message.said);
        break;
      case 'joined':
        notePeerJoined();
        break;
      case 'left':
        notePeerLeft(message.process);
        break;
      case 'metrics wanted':
        tell({ kind: 'metrics', id: message.id, text: started?.metrics.text() ?? '' });
        break;
      case 'all metrics':
        scrapes.get(message.id)?.(joinMetrics(message.texts));
        scrapes.delete(message.id);
        break;
      case 'dashboard built':
        dashboardBuilt.resolve();
        break;
    }
  }

  process.on('message', hear);
  return {
    dashboardBuilt: dashboardBuilt.promise,
    open(service: Started) {
      started = service;
      // Somebody wants this one to end: the others go on.
      process.off('SIGTERM', exitDuringStart).on('SIGTERM', () => void service.stop({ isReplaced: true }));
    },
    scraped: {
      text(): Promise<string> {
        const { promise, resolve } = Promise.withResolvers<string>();
        scrapes.set(++scrapeId, resolve);
        // The others are to have heard everything that happened here before they are asked.
        flushToPeers();
        tell({ kind: 'all metrics wanted', id: scrapeId });
        return promise;
      },
    },
  };
}
