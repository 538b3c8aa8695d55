import { RpcBadParams, RpcTooMany } from '../solana/rpc-failure.ts';

export interface InParts<Answer> {
  answers: { items: readonly string[]; answer: Answer }[];
  /** Items that were not answered, each with the reason: it is no address or signature, or the node refuses it. */
  refused: Map<string, string>;
}

/** Number of items refused alone beyond which it is the node that refuses everything. */
const MAX_REFUSED = 8;

/**
 * Asks about many at once. What cannot be what it is named is left out, and where a node refuses the others, each half is
 * asked alone, down to the single one that it refuses: an odd entry costs the others nothing. No part has more items than the
 * node takes at once.
 */
export async function askInParts<Answer>(
  items: readonly string[],
  isWellFormed: (item: string) => boolean,
  ask: (items: readonly string[]) => Promise<Answer>,
  mostAtOnce = Number.POSITIVE_INFINITY,
): Promise<InParts<Answer>> {
  const isAskable = Map.groupBy(items, isWellFormed);
  const refused = new Map(
    (isAskable.get(false) ?? []).map((item) => [item, 'it is not written as addresses and signatures are']),
  );
  const answers: InParts<Answer>['answers'] = [];
  const parts = partsOf(isAskable.get(true) ?? [], mostAtOnce);
  for (let refusals = 0; parts.length > 0; ) {
    const part = parts.pop()!;
    if (part.length === 0) continue;
    try {
      answers.push({ items: part, answer: await ask(part) });
    } catch (error) {
      if (!(error instanceof RpcBadParams)) throw error;
      if (error instanceof RpcTooMany && part.length > error.most) {
        parts.push(...partsOf(part, error.most));
      } else if (part.length === 1) {
        refused.set(part[0]!, error.message);
        if (++refusals > MAX_REFUSED) throw error;
      } else {
        const half = Math.ceil(part.length / 2);
        parts.push(part.slice(half), part.slice(0, half));
      }
    }
  }
  return { answers, refused };
}

function partsOf(items: readonly string[], most: number): (readonly string[])[] {
  const size = Math.min(most, items.length);
  return Array.from({ length: Math.ceil(items.length / size) || 0 }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
