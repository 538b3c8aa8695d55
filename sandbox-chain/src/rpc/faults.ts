import type { OddForm } from './odd-answers.ts';
import { seededRandom } from './seeded-random.ts';

/** Kinds of things that can be made to go wrong. */
export type FaultEffect =
  /** HTTP 429 with Retry-After. */
  | { kind: 'rateLimit'; retryAfterSeconds?: number }
  | { kind: 'httpError'; status?: number }
  /** The connection is cut without an answer. */
  | { kind: 'cutConnection' }
  | { kind: 'rpcError'; code?: number; message?: string }
  | { kind: 'garbage'; shape: 'notJson' | 'truncated' | 'wrongShape' | 'nullResult' | 'emptyBody' }
  | { kind: 'latency'; ms: number }
  /** Never answers. */
  | { kind: 'hang' }
  /** Everything is seen as of so many slots ago (up to 512). */
  | { kind: 'lag'; slots: number }
  /** Keeps the last so many slots and no long-term storage: what is older is gone from lists, statuses and transactions. */
  | { kind: 'pruned'; slots: number }
  /** Its long-term storage lacks the last so many slots; its own ledger keeps `keptSlots` (default: all). */
  | { kind: 'lateArchive'; slots: number; keptSlots?: number }
  /** getSignaturesForAddress: `before` and `until`, or one of them, are not found, whatever they are. */
  | { kind: 'unknownFilter'; filter?: 'before' | 'until' }
  /** Empty results: no signatures, no account, no transaction. */
  | { kind: 'silence' }
  /** getSignaturesForAddress: leaves these out, or a `share` (0 to 1, default all) of what there is. */
  | { kind: 'hideSignatures'; signatures?: string[]; share?: number }
  /** getSignaturesForAddress: tells a `share` (0 to 1, default all) of them twice. */
  | { kind: 'repeatSignatures'; share?: number }
  | { kind: 'reverseOrder' }
  | { kind: 'ignoreUntil' }
  /** getSignaturesForAddress: at most `max` of them, though more were requested and exist. */
  | { kind: 'shortPage'; max: number }
  /** getTransaction: null, for these signatures or for any. */
  | { kind: 'missingTransaction'; signatures?: string[] }
  /** getSignaturesForAddress, getTransaction: tells of these signatures, or of any, in a form that few expect. */
  | { kind: 'odd'; form: OddForm; signatures?: string[] }
  /** Cuts the WebSocket at a request (`logsSubscribe`), at a notification (`logsNotification`), or at `connect`. */
  | { kind: 'dropWebSocket' }
  | { kind: 'loseNotification' }
  | { kind: 'repeatNotification' };

export type FaultKind = FaultEffect['kind'];

export type FaultRule = FaultEffect & {
  /** Names of methods or notifications; absent: all that the effect can strike. */
  methods?: string[];
  /** 0 to 1, default 1: how likely it strikes each time. */
  chance?: number;
  /** Lets so many chances pass first. */
  after?: number;
  /** Strikes so often at most. */
  times?: number;
};

export interface FaultPlan {
  /** The same seed and the same calls give the same faults. */
  seed?: number;
  rules: FaultRule[];
}

interface ArmedRule {
  rule: FaultRule;
  random: () => number;
  met: number;
  struck: number;
}

/** The switches for everything a node and the way to it can do wrong. None is on at the start. */
export class Faults {
  #armed: ArmedRule[] = [];

  set({ seed = 1, rules }: FaultPlan): void {
    // A generator for each rule: how often one is met does not move the luck of another.
    this.#armed = rules.map((rule, i) => ({ rule, random: seededRandom(seed, i), met: 0, struck: 0 }));
  }

  clear(): void {
    this.#armed = [];
  }

  /** How often each rule has struck, in the order they were set. */
  get struck(): number[] {
    return this.#armed.map((armed) => armed.struck);
  }

  /** The first rule of this kind that strikes now, with the random numbers for its details. */
  strike<Kind extends FaultKind>(
    kind: Kind,
    method: string,
    isMeant: (effect: Extract<FaultEffect, { kind: Kind }>) => boolean = () => true,
  ): Strike<Kind> | undefined {
    for (const armed of this.#armed) {
      const { rule } = armed;
      if (rule.kind !== kind || (rule.methods && !rule.methods.includes(method))) continue;
      const effect = rule as Extract<FaultEffect, { kind: Kind }>;
      if (!isMeant(effect)) continue;
      const { chance = 1, after = 0, times = Number.POSITIVE_INFINITY } = rule;
      if (armed.met++ < after || armed.struck >= times) continue;
      if (chance < 1 && armed.random() >= chance) continue;
      armed.struck++;
      return { effect, random: armed.random };
    }
    return undefined;
  }
}

export interface Strike<Kind extends FaultKind> {
  effect: Extract<FaultEffect, { kind: Kind }>;
  random: () => number;
}
