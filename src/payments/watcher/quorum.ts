import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { type NodeHealth, SILENT_AFTER_MS } from '../../chain/solana/node-health.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { findFinalBefore } from '../transfers/queries.ts';
import { type Decision, decide, neededOf, type Opinion, type Rule } from './agree.ts';
import type { Disagreements } from './disagreements.ts';
import type { Question } from './question.ts';
import { readKnown } from './read-once.ts';

export interface QuorumParts {
  nodes: readonly ChainNode[];
  health: NodeHealth;
  rule: Rule;
  disagreements: Disagreements;
  nowMs?: () => number;
  /** The longest time between two questions about one transaction. */
  maxRestMs?: number;
}

export interface Answer extends Decision {
  /** Transaction as the node that was asked first shows it. */
  shown?: LandedTransaction;
  /** Reason why it shows nothing, if it was asked. */
  problem?: string;
}

/** A transaction that could not be decided yet. */
interface Open {
  askedMs: number;
  tries: number;
  restUntilMs: number;
  /** Since when each node has failed to answer, or has been behind. */
  waitingSinceMs: Map<number, number>;
}

/** A slot this far below a node's final one is decided there: in its history or dropped for good. */
const DECIDED_SLOTS = 32n;
const MAX_REST_MS = 30_000;
const FORGET_MS = 10 * 60_000;
const MAX_TURNS = 100_000;

/** Several nodes as one witness: which of them count, and what enough of them agree on. */
export class Quorum {
  readonly #parts: QuorumParts;
  readonly #nowMs: () => number;
  readonly #open = new Map<string, Open>();
  readonly #turns = new BoundedMap<string, number>(MAX_TURNS);
  #prunedMs = 0;

  constructor(parts: QuorumParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? elapsedMs;
  }

  /** True if there is only one node, which decides alone. */
  get isSingle(): boolean {
    return this.#parts.nodes.length === 1;
  }

  /** The nodes that count now, the preferred first; all of them where none does. */
  counting(): readonly ChainNode[] {
    const { nodes, health } = this.#parts;
    const counting = nodes.filter(({ index }) => health.counts(index));
    return counting.length > 0 ? counting : nodes;
  }

  /** The same with another first each time: what one node leaves out, the next one shows. */
  inTurn(what: string): readonly ChainNode[] {
    const nodes = this.counting();
    const turn = this.#turns.get(what) ?? 0;
    this.#turns.renew(what, turn + 1);
    const at = turn % nodes.length;
    return [...nodes.slice(at), ...nodes.slice(0, at)];
  }

  /** The furthest final slot of those that count; only to be shown, because one of them may tell nonsense. */
  newestSlot(): number {
    return Math.max(0, ...this.counting().map(({ index }) => this.#parts.health.finalSlot(index)));
  }

  /** True if this many proofs, each by a node that counts, suffice to say that nothing came. */
  isEnough(proofs: number): boolean {
    const counting = this.counting().length;
    return proofs >= neededOf(this.#parts.rule, counting) && proofs > counting - proofs;
  }

  /** Transactions that are not worth asking about right now. */
  resting(): string[] {
    const nowMs = this.#nowMs();
    return [...this.#open].flatMap(([key, { restUntilMs }]) =>
      restUntilMs > nowMs ? [key.split(' ')[0]!] : [],
    );
  }

  /** Lets a transaction wait that cannot be asked about. */
  rest(signature: string, owner: string): void {
    const nowMs = this.#nowMs();
    const restUntilMs = nowMs + MAX_REST_MS;
    this.#open.set(`${signature} ${owner}`, {
      askedMs: nowMs,
      tries: 0,
      restUntilMs,
      waitingSinceMs: new Map(),
    });
  }

  /** Decides by the answers of enough nodes if a transaction is final. Contradictions are put on record. */
  async agree(question: Question): Promise<Answer> {
    const key = `${question.signature} ${question.destination.owner}`;
    const open = this.#open.get(key);
    if (open && open.restUntilMs > this.#nowMs()) return { outcome: 'undecided', disputed: [] };
    const opinions = await this.#ask(question, open);
    const decision = decide(opinions, question.destination, this.#parts.rule);
    const { disagreements } = this.#parts;
    const isDecided = decision.outcome !== 'undecided';
    if (decision.disputed.length > 0 || (isDecided && (await disagreements.isOpen(question))))
      await disagreements.note(question, decision);
    if (isDecided) this.#open.delete(key);
    else this.#keepOpen(key, open, opinions, decision);
    const [first] = opinions;
    if (first?.kind === 'shows') return { ...decision, shown: first.transaction };
    return { ...decision, problem: first?.kind === 'silent' ? first.reason : 'the node does not have it' };
  }

  /** Asks as many as are needed, and the others only where those do not settle it. */
  async #ask(question: Question, open: Open | undefined): Promise<Opinion[]> {
    const counting = this.counting();
    const { from } = question;
    const order = from ? [from, ...counting.filter((node) => node !== from)] : [...counting];
    const needed = neededOf(this.#parts.rule, order.length);
    const ask = (nodes: readonly ChainNode[]) =>
      Promise.all(nodes.map((node) => this.#opinionOf(node, question, open)));
    const opinions = await ask(order.slice(0, needed));
    const others = order.slice(needed);
    const isUnanimous =
      opinions.every(({ kind }) => kind === 'shows') &&
      decide(opinions, question.destination, this.#parts.rule).disputed.length === 0;
    return isUnanimous ? opinions : [...opinions, ...(await ask(others))];
  }

  async #opinionOf(node: ChainNode, question: Question, open: Open | undefined): Promise<Opinion> {
    const { index } = node;
    const sinceMs = open?.waitingSinceMs.get(index);
    const isLong = sinceMs !== undefined && this.#nowMs() - sinceMs >= SILENT_AFTER_MS;
    try {
      const transaction = await (question.read ?? readKnown)(node, question.signature, 'finalized');
      if (transaction) return { kind: 'shows', node: index, transaction };
      return (await this.#absence(node, question)) ?? { kind: 'behind', node: index, isLong };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      const counts = this.#parts.rule.isStrict || !isLong;
      return { kind: 'silent', node: index, counts, reason: error.message };
    }
  }

  /**
   * Opinion of a node that does not show a transaction. It counts only if the node is past the slot and still keeps
   * it: a node cannot contradict what it has pruned. It is excused only for slots about which it could not have been
   * asked earlier.
   */
  async #absence(node: ChainNode, question: Question): Promise<Opinion | undefined> {
    const { db, signature, destination, slot, isUnlisted = false } = question;
    const finalSlot = await node.finalSlot();
    if (BigInt(finalSlot) < slot + DECIDED_SLOTS) return undefined;
    const known = await findFinalBefore(db, destination.owner, slot);
    const answer = await node.statuses(known ? [signature, known.signature] : [signature]);
    const [status, control] = answer.statuses;
    // Another node behind the same address may have answered than the one whose final slot that is.
    const isThere = status !== 'unknown' || BigInt(answer.slot) < slot + 2n * DECIDED_SLOTS;
    if (isThere || (await node.transaction(signature, 'confirmed'))) return undefined;
    await node.confirmNetwork();
    const oldest = BigInt((await node.horizon(finalSlot))?.slot ?? 0);
    if (slot < oldest) {
      const counts = this.#parts.rule.isStrict || !isUnlisted;
      return { kind: 'silent', node: node.index, counts, reason: 'the node keeps nothing that old' };
    }
    // A node that has forgotten what is final and should still be there knows nothing about what is gone.
    const isSure = !known || control === 'finalized' || known.slot < oldest;
    return { kind: 'absent', node: node.index, isSure };
  }

  #keepOpen(key: string, before: Open | undefined, opinions: readonly Opinion[], { disputed }: Decision) {
    const nowMs = this.#nowMs();
    const tries = (before?.tries ?? 0) + 1;
    const waitingSinceMs = new Map<number, number>();
    for (const { kind, node } of opinions)
      if (kind === 'silent' || kind === 'behind')
        waitingSinceMs.set(node, before?.waitingSinceMs.get(node) ?? nowMs);
    // A node that is only behind will catch up in a moment; a contradiction needs someone to resolve it.
    const restMs = disputed.length > 0 ? 1_000 * 2 ** Math.min(tries, 10) : 250 * 2 ** Math.min(tries, 4);
    const { maxRestMs = MAX_REST_MS } = this.#parts;
    const restUntilMs = this.isSingle ? 0 : nowMs + Math.min(restMs, maxRestMs);
    this.#open.set(key, { askedMs: nowMs, tries, restUntilMs, waitingSinceMs });
    if (nowMs - this.#prunedMs < FORGET_MS) return;
    this.#prunedMs = nowMs;
    for (const [other, { askedMs }] of this.#open) if (nowMs - askedMs > FORGET_MS) this.#open.delete(other);
  }
}
