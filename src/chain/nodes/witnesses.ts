import type { Rpc } from '../solana/rpc.ts';
import { RpcFailure } from '../solana/rpc-failure.ts';
import { readStatuses, type SignatureStatus } from '../solana/signature-statuses.ts';
import type { LandedTransaction } from '../solana/transaction.ts';
import { type ChainNode, chainNodes, firstAnswer } from './chain-node.ts';
import { isSameTime } from './is-same-time.ts';

/** The nodes as witnesses of what was sent: no answer about money rests on what one of them says, where there are others. */
export interface Witnesses {
  /** The nodes that count now, another first each time. */
  counting(): readonly ChainNode[];
  /**
   * How far transactions are by the word of enough nodes, in the order of the signatures; null where that is not known. Undefined
   * while no node answers. Only what one of them knows is asked of the others.
   */
  statuses(
    signatures: readonly string[],
    options?: { searchTransactionHistory?: boolean },
  ): Promise<(SignatureStatus | null)[] | undefined>;
  /** True if any node has the transaction, however old it is. */
  isKnown(signature: string): Promise<boolean>;
  /** A confirmed transaction as enough nodes show it; undefined while they do not. */
  transaction(signature: string): Promise<LandedTransaction | undefined>;
}

/** The nodes that count, and how many of them suffice. */
interface Counted {
  inTurn(what: string): readonly Pick<ChainNode, 'index'>[];
  isEnough(count: number): boolean;
}

export function witnessesOf(rpc: Rpc, quorum: Counted): Witnesses {
  const nodes = chainNodes(rpc);
  const counting = () => quorum.inTurn('witnesses').map(({ index }) => nodes[index]!);
  const isEnough = (count: number) => quorum.isEnough(count);
  const askOne =
    (signatures: readonly string[], options = {}) =>
    ({ index }: ChainNode) =>
      readStatuses(onlyNode(rpc, index), signatures, options);

  return {
    counting,
    async statuses(signatures, options) {
      const asked = counting();
      let by: ChainNode | undefined;
      const first = await firstAnswer(asked, (node) => {
        by = node;
        return askOne(signatures, options)(node);
      });
      if (!first) return undefined;
      const known = signatures.filter((_, i) => first[i]);
      if (known.length === 0 || isEnough(1)) return first;
      const others = asked.filter((node) => node !== by);
      const further = await Promise.all(others.map((node) => askOne(known, options)(node).catch(unsaid)));
      return signatures.map((signature, i) => {
        const place = known.indexOf(signature);
        const told = further.map((answer) => answer?.[place] ?? null);
        return place < 0 ? null : agreed([first[i]!, ...told], isEnough);
      });
    },
    async isKnown(signature) {
      const options = { searchTransactionHistory: true };
      const answers = await Promise.all(
        counting().map((node) => askOne([signature], options)(node).catch(unsaid)),
      );
      return answers.some((answer) => answer?.[0]);
    },
    async transaction(signature) {
      const shown: LandedTransaction[] = [];
      for (const node of counting()) {
        const transaction = await node.transaction(signature, 'confirmed').catch(unsaid);
        if (!transaction) continue;
        shown.push(transaction);
        const [first, ...more] = shown.filter((other) => isSame(other, transaction));
        if (isEnough(1 + more.length)) return first;
      }
      return undefined;
    },
  };
}

/** One node in place of all. */
function onlyNode(rpc: Rpc, node: number): Rpc {
  return { ...rpc, ask: (method, params, read) => rpc.askNode(node, method, params, read) };
}

const LEVELS = ['finalized', 'confirmed', 'processed'] as const;

/** The furthest level that enough of them say, or beyond, and with the same end. */
function agreed(
  told: readonly (SignatureStatus | null)[],
  isEnough: (count: number) => boolean,
): SignatureStatus | null {
  for (const [at, commitment] of LEVELS.entries())
    for (const hasFailed of [false, true]) {
      const those = told.filter(
        (status) => status?.hasFailed === hasFailed && LEVELS.indexOf(status.commitment) <= at,
      );
      if (isEnough(those.length)) return { commitment, hasFailed };
    }
  return null;
}

function isSame(a: LandedTransaction, b: LandedTransaction): boolean {
  return textOf(a) === textOf(b) && isSameTime(a.blockTime, b.blockTime);
}

/** All but the time of its block, in which honest nodes may differ. */
function textOf({ blockTime: _, ...rest }: LandedTransaction): string {
  return JSON.stringify(rest, (_name, value) => (typeof value === 'bigint' ? `${value}` : value));
}

function unsaid(error: unknown): undefined {
  if (error instanceof RpcFailure) return undefined;
  throw error;
}
