import type { Metrics } from '../../platform/lib/metrics.ts';
import type { FromPart } from './messages.ts';
import type { Part } from './part.ts';

/** How long a scrape waits for a process that does not answer. */
const ANSWER_WITHIN_MS = 1_000;

/** Passes on what processes say to each other, and collects what a scrape of one of them is to show of all. */
export class Relay {
  readonly #parts: ReadonlySet<Part>;
  readonly #metrics: Metrics;
  readonly #awaited = new Map<string, (text: string) => void>();
  #lastId = 0;

  constructor(parts: ReadonlySet<Part>, metrics: Metrics) {
    this.#parts = parts;
    this.#metrics = metrics;
  }

  hear(part: Part, message: FromPart): void {
    if (message.kind === 'said')
      this.#tellOthers(part, { kind: 'said', from: String(part.pid), said: message.said });
    else if (message.kind === 'metrics') this.#awaited.get(`${part.pid} ${message.id}`)?.(message.text);
    else if (message.kind === 'all metrics wanted') void this.#scrape(part, message.id);
  }

  /** Lets those that were there before say what they hold to one that is new. */
  noteJoined(part: Part): void {
    this.#tellOthers(part, { kind: 'joined' });
  }

  noteLeft(part: Part): void {
    this.#tellOthers(part, { kind: 'left', process: String(part.pid) });
  }

  #tellOthers(part: Part, message: Parameters<Part['tell']>[0]): void {
    for (const other of this.#parts) if (other !== part) other.tell(message);
  }

  async #scrape(asker: Part, id: number): Promise<void> {
    // One that is being replaced has the name of the one that replaces it.
    const shown = [...this.#parts].filter(({ isReady, isLeaving }) => isReady && !isLeaving);
    const texts = await Promise.all(shown.map((part) => this.#ask(part)));
    const own = ['supervisor', this.#metrics.text()] as const;
    asker.tell({
      kind: 'all metrics',
      id,
      texts: [...texts.filter(([, text]) => text !== ''), own],
    });
  }

  /** Empty for a process that does not answer. */
  async #ask(part: Part): Promise<readonly [name: string, text: string]> {
    const id = ++this.#lastId;
    const name = `${part.pid} ${id}`;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#awaited.set(name, resolve);
    const timer = setTimeout(() => resolve(''), ANSWER_WITHIN_MS);
    part.tell({ kind: 'metrics wanted', id });
    const text = await promise;
    clearTimeout(timer);
    this.#awaited.delete(name);
    return [part.name, text];
  }
}
