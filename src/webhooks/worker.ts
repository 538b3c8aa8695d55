import { setImmediate as nextLoopTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../platform/db/database.ts';
import { isStatementError } from '../platform/db/database-errors.ts';
import { realNow } from '../platform/lib/clock.ts';
import { coalesce } from '../platform/lib/coalesce.ts';
import type { Logger } from '../platform/lib/log.ts';
import type { Metrics } from '../platform/lib/metrics.ts';
import { type AttemptParts, createAttempter } from './attempt.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { Windows } from './concurrency-limiter.ts';
import { type Claim, TIMEOUT_MS } from './delivery.ts';
import { dispatchEvents } from './dispatch-events.ts';
import { PollBackoff } from './poll-backoff.ts';
import { findWork } from './queries.ts';
import { type Result, recordResults } from './record-results.ts';

export interface WorkerParts extends AttemptParts {
  db: Database;
  log: Logger;
  metrics: Metrics;
  /** Tests move it; everywhere else it is real time. */
  now?: () => Date;
  /** How long it rests at least when there is no work. Tests make it long, to see what a kick alone does. */
  idleMs?: number;
}

const MAX_UNDER_WAY = 1_000;
/** How many attempts begin before answers and the database get their turn. */
const STARTED_TOGETHER = 20;
const LEAST_EVENTS = 50;
const MAX_EVENTS = 500;
const RETRY_MS = 1_000;
/** How often the database may refuse a single result before it is left to its lease. */
const MAX_REFUSALS = 3;
const RECORDING = { maxBatch: 500, maxInFlight: 1 };

const SUCCEEDED = 'florin_webhook_attempts_succeeded_total';
const FAILED = 'florin_webhook_attempts_failed_total';
const REFUSED = 'florin_webhook_results_refused_total';
const ATTEMPTS_HELP = 'Webhook attempts by result.';
const REFUSED_HELP = 'Results that came after their lease.';

/**
 * Delivers webhooks until it is stopped: events become deliveries, due deliveries are claimed, sent and recorded.
 * Any number of workers share the work; one that dies loses nothing, its claims run out and are taken over.
 */
export class WebhookWorker {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #now: () => Date;
  readonly #makeAttempt: ReturnType<typeof createAttempter>;
  readonly #record = coalesce<Result, boolean>((results) => this.#recordBatch(results), RECORDING);
  readonly #windows = new Windows();
  readonly #backoff: PollBackoff;
  readonly #underWay = new Set<Promise<void>>();
  readonly #looping: Promise<void>;
  /** How many events to claim: about as many as can start, since each that cannot costs a claim later. */
  #eventLimit = LEAST_EVENTS;
  #isStopping = false;

  constructor(parts: WorkerParts) {
    this.#db = parts.db;
    this.#log = parts.log;
    this.#metrics = parts.metrics;
    this.#now = parts.now ?? realNow;
    this.#backoff = new PollBackoff(parts.idleMs);
    this.#makeAttempt = createAttempter(parts);
    for (const name of [SUCCEEDED, FAILED]) this.#metrics.count(name, ATTEMPTS_HELP, 0);
    this.#metrics.count(REFUSED, REFUSED_HELP, 0);
    this.#looping = this.#loop();
  }

  /** Polls immediately instead of at the next interval, because events were committed. */
  kick(): void {
    this.#backoff.kick();
  }

  /** Starts nothing new, finishes and records what is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.kick();
    await this.#looping;
    await Promise.all(this.#underWay);
  }

  async #loop(): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (await this.#turn()) this.#backoff.reset();
        else await this.#backoff.wait();
      } catch (error) {
        this.#log.error({ err: error }, 'webhooks: polling failed; retrying');
        await this.#backoff.wait(RETRY_MS);
      }
    }
  }

  /** True if polling again immediately is worth it. Waiting deliveries go before new events. */
  async #turn(): Promise<boolean> {
    const { hasDue, hasEvents } = await findWork(this.#db, this.#now(), this.#windows.full());
    const claimed = hasDue && this.#canStart ? await this.#claim() : 0;
    const taken = hasEvents && this.#canStart ? await this.#dispatch() : 0;
    return claimed + taken > 0;
  }

  /** Checked before each claim: it may have been stopped, or have filled up, since it looked. */
  get #canStart(): boolean {
    return !this.#isStopping && this.#slots > 0;
  }

  get #slots(): number {
    return MAX_UNDER_WAY - this.#windows.underWay;
  }

  async #claim(): Promise<number> {
    const rooms = { slots: this.#slots, ...this.#windows.rooms() };
    const claims = await claimDeliveries(this.#db, rooms, this.#now());
    this.#start(claims);
    return claims.length;
  }

  async #dispatch(): Promise<number> {
    const rooms = { slots: this.#slots, ...this.#windows.rooms() };
    const now = this.#now();
    const { taken, claims } = await dispatchEvents(this.#db, rooms, this.#eventLimit, now, this.#log);
    this.#eventLimit = Math.min(Math.max(2 * claims.length, LEAST_EVENTS), MAX_EVENTS);
    this.#start(claims);
    return taken;
  }

  #start(claims: readonly Claim[]): void {
    for (const { endpointId } of claims) this.#windows.start(endpointId);
    const work = this.#deliverAll(claims).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /**
   * A few in each turn of the event loop. Started all at once they would hold up the answers to the first of them and the
   * next claim, and need a connection each.
   */
  async #deliverAll(claims: readonly Claim[]): Promise<void> {
    const attempts: Promise<void>[] = [];
    for (const claim of claims) {
      attempts.push(this.#deliver(claim));
      if (attempts.length % STARTED_TOGETHER === 0) await nextLoopTurn();
    }
    await Promise.all(attempts);
  }

  async #deliver(claim: Claim): Promise<void> {
    // After a long pause of this process another worker may hold the delivery already.
    if (this.#now().getTime() > claim.leaseUntil.getTime() - TIMEOUT_MS)
      return this.#windows.giveBack(claim.endpointId);
    const outcome = await this.#makeAttempt(claim);
    this.#windows.end(claim.endpointId, outcome);
    this.#metrics.count(outcome.error === null ? SUCCEEDED : FAILED, ATTEMPTS_HELP);
    await this.#recordSurely({ claim, outcome });
    this.kick();
  }

  /** A sent delivery's result is kept until the database stores it, or reports that another worker owns it by now. */
  async #recordSurely(result: Result): Promise<void> {
    for (let refusals = 0; ; ) {
      try {
        if (!(await this.#record(result))) this.#noteTooLate(result.claim);
        return;
      } catch (error) {
        if (isStatementError(error)) refusals++;
        if (this.#isStopping || refusals > MAX_REFUSALS) return;
        await sleep(RETRY_MS);
      }
    }
  }

  #noteTooLate({ merchantId, id }: Claim): void {
    this.#metrics.count(REFUSED, REFUSED_HELP);
    this.#log.warn({ merchantId, deliveryId: id }, 'webhooks: result arrived after its lease ended');
  }

  /** A row the database refuses fails its statement; then each is tried alone, so its neighbours are recorded. */
  async #recordBatch(results: Result[]): Promise<(boolean | Error)[]> {
    try {
      const taken = await recordResults(this.#db, results, this.#now());
      return results.map(({ claim }) => taken.has(claim.id));
    } catch (error) {
      this.#log.error(
        { err: error, results: results.length },
        'webhooks: recording results failed; retrying',
      );
      if (results.length === 1 || !isStatementError(error)) throw error;
      const alone = results.map((result) => this.#recordBatch([result]).catch((cause: Error) => [cause]));
      return (await Promise.all(alone)).flat();
    }
  }
}
