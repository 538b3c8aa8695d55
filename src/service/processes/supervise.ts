import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { publicUrlOf } from '../../config/public-url.ts';
import { startEmbeddedPostgres } from '../../platform/db/embedded-postgres.ts';
import { listenOn } from '../../platform/http/listen-on.ts';
import { processGauges } from '../../platform/http/observe.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { Metrics } from '../../platform/lib/metrics.ts';
import type { Greeted } from '../greeting.ts';
import { Parts } from './parts.ts';
import { planParts } from './plan-parts.ts';

/** A service of several processes, while it runs. */
export interface Supervised {
  greeted: Greeted;
  noteDashboardBuilt(): void;
  /** Replaces every process, one after the other. */
  reload(): Promise<void>;
  stop(): Promise<void>;
  killAll(because: string): void;
}

/**
 * Starts the processes of a service and keeps them running. It answers no request itself and is in the way of none: it has the embedded
 * PostgreSQL, tells processes what they have to know of each other, and starts another one where one ends.
 */
export async function supervise(config: Config, env: NodeJS.ProcessEnv, log: Logger): Promise<Supervised> {
  const port = await findPort(config);
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({
        dataFolder: config.FLORIN_DATA,
        purpose: 'service',
        onCrash: (message) => log.warn(message),
        serverUid: config.EMBEDDED_POSTGRES_UID,
      });
  const metrics = new Metrics();
  processGauges(metrics);
  const parts = new Parts({ planned: planParts(config, port), env, log, metrics });
  try {
    const greeted = join(await parts.start(), config, port);
    // Nothing else keeps a process that only waits from ending.
    setInterval(() => {}, DAY_MS);
    return {
      greeted,
      noteDashboardBuilt: () => parts.noteDashboardBuilt(),
      reload: () => parts.reload(),
      killAll: (because) => parts.killAll(because),
      async stop() {
        await parts.stop();
        await embedded?.stop();
      },
    };
  } catch (error) {
    parts.killAll('was not needed, because another one did not start');
    await parts.stop();
    await embedded?.stop();
    throw error;
  }
}

/** Below those that outgoing connections get: nobody takes one of these until the processes listen. */
const FREE_PORTS = [16_384, 32_768] as const;

/** The port that all processes listen on. What keeps them from it is said once, before anything is started. */
async function findPort({ HOST: host, PORT }: Config): Promise<number> {
  if (PORT > 0) {
    await tryPort(host, PORT);
    return PORT;
  }
  for (;;) {
    const port = randomInt(...FREE_PORTS);
    const isTaken = await tryPort(host, port).catch(({ cause }: Error) => {
      if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
      return true;
    });
    if (!isTaken) return port;
  }
}

async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer();
  const listen = async (options: object) => {
    server.listen(options);
    await once(server, 'listening');
    return '';
  };
  await listenOn({ listen: listen as FastifyInstance['listen'] }, { host, port, setting: 'PORT' });
  server.close();
  await once(server, 'close');
}

/** Joins what they say of themselves into one service. */
function join(all: readonly Greeted[], config: Config, port: number): Greeted {
  const [first] = all;
  const url = publicUrlOf(config, port);
  const isAlone = all.length === config.API_PROCESSES;
  const served = all[isAlone ? 0 : 1]!;
  return {
    ...first!,
    url,
    // The first that prepared the database made the demo merchant.
    demo: all.find(({ demo }) => demo)?.demo,
    setupUrl: all.find(({ setupUrl }) => setupUrl)?.setupUrl,
    timings:
      all[0] === served ? served.timings : [...withoutServer(first!), ...served.timings.filter(isServer)],
    processes: `${config.API_PROCESSES} for requests${isAlone ? '' : `, 1 for ${config.FLORIN_ROLES.filter((role) => role !== 'api').join(' and ')}`}, supervised by ${process.pid}`,
  };
}

const isServer = ({ name }: Greeted['timings'][number]) => name === 'HTTP server';
const withoutServer = ({ timings }: Greeted) => timings.filter((timing) => !isServer(timing));
