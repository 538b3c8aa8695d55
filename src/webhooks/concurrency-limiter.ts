/** How many attempts a worker may have under way at one endpoint, learned from how it answers. */
const FIRST = 8;
const LEAST = 2;
const MAX = 128;
const QUICK_MS = 1_000;
const SLOW_MS = 3_000;
const REMEMBERED = 10_000;

interface Endpoint {
  underWay: number;
  size: number;
}

export interface Rooms {
  /** How many attempts may start for an endpoint that is not listed. */
  usual: number;
  /** How many may start for these endpoints. */
  known: ReadonlyMap<string, number>;
}

/**
 * Fast responses widen an endpoint's window one by one, failures narrow it one by one, and slow responses halve it. So a
 * healthy endpoint gets all it can handle, and one that hangs soon holds only two connections, however many events are
 * queued for it. One that refuses some events has room for the others also while a few hang.
 */
export class Windows {
  readonly #endpoints = new Map<string, Endpoint>();
  #underWay = 0;

  get underWay(): number {
    return this.#underWay;
  }

  rooms(): Rooms {
    const known = new Map<string, number>();
    for (const [endpointId, { size, underWay }] of this.#endpoints)
      if (underWay > 0 || size !== FIRST) known.set(endpointId, Math.max(0, size - underWay));
    return { usual: FIRST, known };
  }

  /** Endpoints for which nothing starts before something of theirs is over. */
  full(): string[] {
    return [...this.rooms().known].flatMap(([endpointId, room]) => (room === 0 ? [endpointId] : []));
  }

  start(endpointId: string): void {
    const endpoint = this.#endpoints.get(endpointId) ?? { underWay: 0, size: FIRST };
    endpoint.underWay++;
    this.#underWay++;
    this.#endpoints.set(endpointId, endpoint);
  }

  end(endpointId: string, outcome: { error: string | null; durationMs: number }): void {
    const endpoint = this.#endpoints.get(endpointId)!;
    if (outcome.durationMs > SLOW_MS) endpoint.size = Math.max(LEAST, Math.floor(endpoint.size / 2));
    else if (outcome.error !== null) endpoint.size = Math.max(LEAST, endpoint.size - 1);
    else if (outcome.durationMs < QUICK_MS) endpoint.size = Math.min(MAX, endpoint.size + 1);
    this.giveBack(endpointId);
  }

  /** It was started, but nothing was learned. */
  giveBack(endpointId: string): void {
    this.#endpoints.get(endpointId)!.underWay--;
    this.#underWay--;
    if (this.#endpoints.size > REMEMBERED) this.#forgetIdle();
  }

  #forgetIdle(): void {
    for (const [endpointId, { underWay }] of this.#endpoints)
      if (underWay === 0) this.#endpoints.delete(endpointId);
  }
}
