import { type ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { elapsedMs } from '../../platform/lib/clock.ts';
import type { Greeted } from '../greeting.ts';
import type { FromPart, ToPart } from './messages.ts';
import type { PlannedPart } from './plan-parts.ts';

const PROGRAM = join(import.meta.dirname, `../../child${extname(import.meta.filename)}`);

/** A process says every second that it is alive. After so long it hangs, or somebody has frozen it. */
const SILENT_MS = 10_000;
/** Loading the service keeps a small machine busy for a while. */
const SILENT_AT_START_MS = 60_000;

export interface PartOptions {
  env: NodeJS.ProcessEnv;
  chainPort: number | undefined;
  onMessage(part: Part, message: FromPart): void;
}

/** A process of the service, from its start to its end. */
export class Part {
  readonly name: string;
  readonly isApi: boolean;
  /** Resolves with what it says when it serves; rejects with the reason if it ends before. */
  readonly ready: Promise<Greeted>;
  /** Resolves when it is gone, with the cause. */
  readonly ended: Promise<string>;
  isReady = false;
  /** True from when it is to end, and no other takes its place because of that. */
  isLeaving = false;
  readonly #child: ChildProcess;
  readonly #startedMs = elapsedMs();
  #heardMs = elapsedMs();
  #killedBecause: string | undefined;

  constructor({ name, isApi, env }: PlannedPart, { env: common, chainPort, onMessage }: PartOptions) {
    this.name = name;
    this.isApi = isApi;
    const args = chainPort === undefined ? [name] : [name, String(chainPort)];
    this.#child = isApi ? forkSharing(args, env) : fork(PROGRAM, args, { env: { ...common, ...env } });
    const ready = Promise.withResolvers<Greeted>();
    this.ready = ready.promise;
    this.ready.catch(() => {});
    this.ended = once(this.#child, 'exit').then(([code, signal]) => {
      const cause = this.#killedBecause ?? (signal ? `ended by ${signal}` : `ended with exit code ${code}`);
      ready.reject(new Error(`the process ${name} ${cause} before it was ready`));
      return cause;
    });
    this.#child.on('error', (error) => ready.reject(error));
    this.#child.on('message', (message: FromPart) => {
      this.#heardMs = elapsedMs();
      if (message.kind === 'ready') {
        this.isReady = true;
        ready.resolve(message.greeted);
      } else if (message.kind === 'failed') ready.reject(new Error(message.message));
      else if (message.kind !== 'alive') onMessage(this, message);
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  livedMs(): number {
    return elapsedMs() - this.#startedMs;
  }

  tell(message: ToPart): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Asks it to finish what it has and to end, and waits until it is gone. */
  async stop(how = { isReplaced: false }): Promise<void> {
    this.isLeaving = true;
    this.tell({ kind: 'stop', ...how });
    await this.ended;
  }

  kill(because: string): void {
    this.#killedBecause = because;
    // A frozen process takes no other signal.
    this.#child.kill('SIGKILL');
  }

  /** Ends it if nothing was heard of it for too long: the seconds, if so. */
  killIfSilent(): number | undefined {
    const silentMs = elapsedMs() - this.#heardMs;
    if (silentMs < (this.isReady ? SILENT_MS : SILENT_AT_START_MS)) return undefined;
    const seconds = Math.round(silentMs / 1_000);
    this.kill(`did not answer for ${seconds} s and was killed`);
    return seconds;
  }

  /** Counts from now: while the supervisor itself stood still, nothing could be heard. */
  forgive(): void {
    this.#heardMs = elapsedMs();
  }
}

/** A process that accepts connections from the same queue as its siblings, without anybody in between. */
function forkSharing(args: string[], env: Record<string, string>): ChildProcess {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: PROGRAM, args });
  return cluster.fork(env).process;
}
