import { setTimeout as sleep } from 'node:timers/promises';
import { elapsedMs } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import type { Greeted } from '../greeting.ts';
import { ALIVE_EVERY_MS } from './messages.ts';
import { Part } from './part.ts';
import type { PlannedPart } from './plan-parts.ts';
import { Relay } from './relay.ts';

/** One that has served for so long did not end because of its start: the next begins at once. */
const STEADY_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

const RESTARTS = 'florin_process_restarts_total';

interface Slot {
  plan: PlannedPart;
  current: Part;
  /** How many have ended soon after their start, one after the other. */
  quickEnds: number;
}

export interface PartsOptions {
  planned: readonly PlannedPart[];
  env: NodeJS.ProcessEnv;
  log: Logger;
  metrics: Metrics;
}

/** The processes of a service: kept running, replaced one after the other on request, and stopped in order. */
export class Parts {
  readonly #options: PartsOptions;
  readonly #living = new Set<Part>();
  readonly #slots: Slot[] = [];
  readonly #relay: Relay;
  readonly #watching: NodeJS.Timeout;
  #isStopping = false;
  #isReloading = false;
  #isDashboardBuilt = false;
  /** Place of the sandbox's chain at the first start: API processes know no other. */
  #chain: { url: string; port: number } | undefined;

  constructor(options: PartsOptions) {
    this.#options = options;
    this.#relay = new Relay(this.#living, options.metrics);
    this.#watching = this.#watch();
  }

  /** Starts the first alone, which prepares the database and the data folder, and then all others together. */
  async start(): Promise<Greeted[]> {
    const [first, ...others] = this.#options.planned;
    const begun = await this.#begin(first!);
    return [begun, ...(await Promise.all(others.map((plan) => this.#begin(plan))))];
  }

  async #begin(plan: PlannedPart): Promise<Greeted> {
    const slot: Slot = { plan, current: this.#launch(plan), quickEnds: 0 };
    this.#slots.push(slot);
    this.#show(slot);
    const greeted = await slot.current.ready;
    if (greeted.sandboxUrl)
      this.#chain = { url: greeted.sandboxUrl, port: Number(new URL(greeted.sandboxUrl).port) };
    void this.#keep(slot);
    return greeted;
  }

  #launch(plan: PlannedPart): Part {
    const chain = this.#chain;
    const isOwner = !plan.isApi;
    const env = chain && !isOwner ? { ...plan.env, SOLANA_RPC_URLS: chain.url } : plan.env;
    const part = new Part(
      { ...plan, env },
      {
        env: this.#options.env,
        chainPort: isOwner ? chain?.port : undefined,
        onMessage: (from, message) => this.#relay.hear(from, message),
      },
    );
    this.#living.add(part);
    part.ready.then(
      () => this.#relay.noteJoined(part),
      () => {},
    );
    void part.ended.then(() => {
      this.#living.delete(part);
      this.#relay.noteLeft(part);
    });
    if (this.#isDashboardBuilt) part.tell({ kind: 'dashboard built' });
    return part;
  }

  #show(slot: Slot): void {
    const { metrics } = this.#options;
    const label = `name="${slot.plan.name}"`;
    this.#countRestarts(slot, 0);
    metrics.gauge(
      'florin_process_up',
      '1 for a process that serves.',
      () => Number(slot.current.isReady),
      label,
    );
  }

  #countRestarts({ plan: { name } }: Slot, by: number): void {
    this.#options.metrics.count(RESTARTS, 'Processes that ended unasked.', by, `name="${name}"`);
  }

  /** Starts the next process of a slot whenever the last one has ended unasked. */
  async #keep(slot: Slot): Promise<void> {
    for (;;) {
      const part = slot.current;
      const cause = await part.ended;
      part.isReady = false;
      if (this.#isStopping || part.isLeaving || slot.current !== part) return;
      slot.quickEnds = part.livedMs() < STEADY_MS ? slot.quickEnds + 1 : 0;
      const pauseMs =
        slot.quickEnds === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (slot.quickEnds - 1), LONGEST_PAUSE_MS);
      this.#countRestarts(slot, 1);
      const reason = await part.ready.then(
        () => undefined,
        (error: Error) => error.message,
      );
      this.#options.log.error(
        { name: part.name, pid: part.pid, cause, ...(reason && { reason }), pauseMs },
        'a process of the service ended; starting another in its place',
      );
      await sleep(pauseMs);
      if (this.#isStopping || part.isLeaving || slot.current !== part) return;
      slot.current = this.#launch(slot.plan);
      void slot.current.ready.then(
        ({ timings }) =>
          this.#options.log.info({ name: part.name, pid: slot.current.pid, timings }, 'it serves again'),
        () => {},
      );
    }
  }

  /** Tells every process, now and later, that the dashboard's files are there. */
  noteDashboardBuilt(): void {
    this.#isDashboardBuilt = true;
    for (const part of this.#living) part.tell({ kind: 'dashboard built' });
  }

  /**
   * Replaces every process by a new one, one after the other. A new one for requests serves before the old one takes no more; if it
   * does not start, the old ones go on.
   */
  async reload(): Promise<void> {
    const { log } = this.#options;
    if (this.#isReloading || this.#isStopping) return;
    this.#isReloading = true;
    try {
      log.info('replacing every process, one after the other');
      const [background, api] = [false, true].map((isApi) =>
        this.#slots.filter(({ plan }) => plan.isApi === isApi),
      ) as [Slot[], Slot[]];
      for (const slot of api) await this.#replace(slot);
      for (const slot of background) await this.#restart(slot);
      log.info('every process is a new one');
    } catch (error) {
      log.error({ err: error }, 'a new process did not start; the old ones go on');
    } finally {
      this.#isReloading = false;
    }
  }

  async #replace(slot: Slot): Promise<void> {
    const fresh = this.#launch(slot.plan);
    await fresh.ready;
    if (this.#isStopping) return;
    // Not the one from before: that may have ended meanwhile.
    const old = slot.current;
    slot.current = fresh;
    void this.#keep(slot);
    await old.stop({ isReplaced: true });
  }

  /** Two of these would follow the chain twice, and only one can have the sandbox's chain. */
  async #restart(slot: Slot): Promise<void> {
    await slot.current.stop();
    if (this.#isStopping) return;
    slot.current = this.#launch(slot.plan);
    void this.#keep(slot);
    await slot.current.ready;
  }

  /** Stops those for requests first: what they have accepted may still need the others. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#stopAll(({ isApi }) => isApi);
    await this.#stopAll(() => true);
    clearInterval(this.#watching);
  }

  async #stopAll(which: (part: Part) => boolean): Promise<void> {
    await Promise.all([...this.#living].filter(which).map((part) => part.stop()));
  }

  /** Ends every process without ceremony. */
  killAll(because: string): void {
    this.#isStopping = true;
    for (const part of this.#living) part.kill(because);
  }

  /** A process that hangs, or that somebody has frozen, would keep its connections waiting forever. */
  #watch(): NodeJS.Timeout {
    let lookedMs = elapsedMs();
    return setInterval(() => {
      const passedMs = elapsedMs() - lookedMs;
      lookedMs += passedMs;
      for (const part of this.#living) {
        if (passedMs > 3 * ALIVE_EVERY_MS) part.forgive();
        else part.killIfSilent();
      }
    }, ALIVE_EVERY_MS);
  }
}
