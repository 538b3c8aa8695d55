import { elapsedMs } from '../../platform/lib/clock.ts';

/** `failing`: no answer for a while. `silent`: for so long that it no longer counts. `refused`: of another network. */
export type NodeState = 'well' | 'failing' | 'silent' | 'stuck' | 'refused';

export interface NodeHealthOptions {
  nodeCount: number;
  /** Every node counts whatever its state. */
  isStrict?: boolean;
  onChange?: (node: number, state: NodeState, before: NodeState) => void;
  nowMs?: () => number;
}

/** One lost call means nothing. */
const FAILING_AFTER_MS = 10_000;
/** A node without an answer for so long stops counting. */
export const SILENT_AFTER_MS = 120_000;

interface Health {
  state: NodeState;
  /** The first failure since the last answer. */
  failingSinceMs: number | undefined;
  /** The latest slot it reported, not the highest it ever did: that may have been nonsense. */
  finalSlot: number;
  /** When it last said more than the time before. */
  movedMs: number | undefined;
}

/**
 * How each node is doing, by the calls that were made to it. A node is judged by its own answers alone: what one node
 * says about the chain can never make another stop counting.
 */
export class NodeHealth {
  readonly #nodes: Health[];
  readonly #options: NodeHealthOptions;
  readonly #nowMs: () => number;

  constructor(options: NodeHealthOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? elapsedMs;
    this.#nodes = Array.from({ length: options.nodeCount }, () => ({
      state: 'well' as const,
      failingSinceMs: undefined,
      finalSlot: -1,
      movedMs: undefined,
    }));
  }

  /** A call was answered or not. Only a further failure shows that a node is still silent. */
  noteCall(node: number, ok: boolean): void {
    const health = this.#nodes[node]!;
    if (ok) {
      health.failingSinceMs = undefined;
      if (health.state === 'failing' || health.state === 'silent') this.#move(node, 'well');
      return;
    }
    const nowMs = this.#nowMs();
    health.failingSinceMs ??= nowMs;
    if (health.state === 'refused' || health.state === 'stuck') return;
    const forMs = nowMs - health.failingSinceMs;
    if (forMs >= SILENT_AFTER_MS) this.#move(node, 'silent');
    else if (forMs >= FAILING_AFTER_MS) this.#move(node, 'failing');
  }

  /** A node that answers but whose chain does not advance is not following the network. */
  noteFinalSlot(node: number, slot: number): void {
    const health = this.#nodes[node]!;
    const nowMs = this.#nowMs();
    const hasMoved = slot > health.finalSlot;
    health.finalSlot = slot;
    if (hasMoved || health.movedMs === undefined) {
      health.movedMs = nowMs;
      if (health.state === 'stuck') this.#move(node, 'well');
    } else if (nowMs - health.movedMs >= SILENT_AFTER_MS && health.state === 'well') {
      this.#move(node, 'stuck');
    }
  }

  /** It belongs to another network, and is never asked. */
  refuse(node: number): void {
    this.#move(node, 'refused');
  }

  /** It turned out to be of the right network after all. */
  accept(node: number): void {
    if (this.state(node) === 'refused') this.#move(node, 'well');
  }

  state(node: number): NodeState {
    return this.#nodes[node]!.state;
  }

  counts(node: number): boolean {
    return this.#options.isStrict || ['well', 'failing'].includes(this.state(node));
  }

  finalSlot(node: number): number {
    return this.#nodes[node]!.finalSlot;
  }

  /** Only to be shown: a node that tells nonsense would make all others look slow. */
  slotsBehind(node: number): number {
    const own = this.finalSlot(node);
    return own < 0 ? 0 : Math.max(...this.#nodes.map(({ finalSlot }) => finalSlot)) - own;
  }

  #move(node: number, state: NodeState): void {
    const health = this.#nodes[node]!;
    const before = health.state;
    if (before === state) return;
    health.state = state;
    this.#options.onChange?.(node, state, before);
  }
}
