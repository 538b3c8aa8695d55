import { currentWait, type RequestWait, type Share, shareWait, waitedForBy } from './request-wait.ts';

/**
 * Turns concurrent calls into shared ones: what arrives while a run is under way goes together into the
 * next. A run starts beside another only when enough wait for it: many small ones do less work than a few large ones.
 * There is no timer, so a lone call starts at once and an idle service adds no latency.
 *
 * `run` answers each item in order, either with a value or with an Error for that item alone. It has the
 * patience of the request that has waited least: one that has waited long is answered on its own, and must not fail the others.
 */
export interface CoalesceOptions<In> {
  maxBatch: number;
  maxInFlight: number;
  /** How many must wait for a run to start beside another; a full batch by default. */
  minBeside?: number;
  /** How much of a batch an item takes; 1 by default. */
  sizeOf?(item: In): number;
}

export function coalesce<In, Out>(
  run: (items: In[]) => Promise<(Out | Error)[]>,
  { maxBatch, maxInFlight, minBeside = maxBatch, sizeOf = () => 1 }: CoalesceOptions<In>,
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let waitingSize = 0;
  let inFlight = 0;

  function start(): void {
    while (waitingSize >= (inFlight === 0 ? 1 : minBeside) && inFlight < maxInFlight) {
      inFlight++;
      void runBatch(take(countFitting()));
    }
  }

  /** How many go into one batch: the first in any case. */
  function countFitting(): number {
    let size = 0;
    const tooMany = waiting.findIndex((entry, i) => {
      size += entry.size;
      return size > maxBatch && i > 0;
    });
    return tooMany < 0 ? waiting.length : tooMany;
  }

  function take(count: number, from = 0): Waiting<In, Out>[] {
    const taken = waiting.splice(from, count);
    for (const { size } of taken) waitingSize -= size;
    return taken;
  }

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const answers = await waitedForBy(shortestOf(batch), () => run(batch.map((entry) => entry.item)));
      for (const [i, entry] of batch.entries()) {
        const answer = answers[i]!;
        if (answer instanceof Error) entry.share.reject(answer);
        else entry.share.resolve(answer);
      }
    } catch (error) {
      for (const { share } of batch) share.reject(error);
    } finally {
      inFlight--;
      start();
    }
  }

  return (item) =>
    shareWait<Out>((share) => {
      const entry = { item, size: sizeOf(item), wait: currentWait(), share };
      waiting.push(entry);
      waitingSize += entry.size;
      start();
      // Work that has not begun when its request is answered will not begin at all.
      return () => {
        const at = waiting.indexOf(entry);
        if (at >= 0) take(1, at);
      };
    });
}

interface Waiting<In, Out> {
  item: In;
  size: number;
  wait: RequestWait | undefined;
  share: Share<Out>;
}

/** Nobody's if one of them is waited for by no request. */
function shortestOf(batch: readonly { wait: RequestWait | undefined }[]): RequestWait | undefined {
  return batch
    .map(({ wait }) => wait)
    .reduce((shortest, wait) =>
      wait && shortest && wait.ms >= shortest.ms ? shortest : wait && shortest && wait,
    );
}
