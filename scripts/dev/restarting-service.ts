import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface RestartingService {
  /** Resolves once the service answers; a failed start is waited out until a later one succeeds. */
  ready(): Promise<void>;
  /** Replaces the running process. Changes during a restart cause one more restart, not one each. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface ServiceOptions {
  env: NodeJS.ProcessEnv;
  /** Options of Node, such as --inspect. */
  nodeOptions: readonly string[];
  say(line: string): void;
}

const SERVICE = join(import.meta.dirname, 'service.ts');

/** Runs the service as a child process that can be replaced. */
export function startRestartingService({ env, nodeOptions, say }: ServiceOptions): RestartingService {
  let child: ChildProcess | undefined;
  let settled: Promise<boolean> = Promise.resolve(false);
  let ready = Promise.withResolvers<void>();
  let isStopping = false;
  let restarting: Promise<void> | undefined;
  let isRestartWanted = false;

  function start(): void {
    // A process group of its own: Ctrl-C reaches only us, and a service that is just starting is never cut off halfway.
    const started = fork(SERVICE, { env, execArgv: [...nodeOptions], detached: true });
    child = started;
    settled = Promise.race([
      once(started, 'message').then(() => true),
      once(started, 'exit').then(() => false),
    ]);
    settled.then((isReady) => isReady && child === started && ready.resolve());
    started.once('exit', () => {
      if (child !== started) return;
      child = undefined;
      if (!isStopping) say('The service has ended; it starts again after the next change.');
    });
  }

  /** Only a service that is ready, or has failed, is asked to stop: then it takes its PostgreSQL with it. */
  async function end(): Promise<void> {
    const ending = child;
    if (!(await settled) || !ending || ending.exitCode !== null || ending.signalCode !== null) return;
    child = undefined;
    const exited = once(ending, 'exit');
    ending.kill('SIGTERM');
    await exited;
  }

  async function replace(): Promise<void> {
    while (isRestartWanted && !isStopping) {
      isRestartWanted = false;
      ready = Promise.withResolvers<void>();
      await end();
      if (!isStopping) start();
    }
  }

  start();
  return {
    ready: () => ready.promise,
    restart() {
      isRestartWanted = true;
      restarting ??= replace().finally(() => {
        restarting = undefined;
      });
      return restarting;
    },
    async stop() {
      isStopping = true;
      await restarting;
      await end();
    },
  };
}
