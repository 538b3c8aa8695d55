import { countWait, currentWait, type RequestWait, waitedForBy } from './request-wait.ts';

/**
 * Turns concurrent calls into shared ones: what arrives while a run is under way goes together into the
 * next. A run starts beside another only when it is full: fewer and larger ones did a sixth more work. There is
 * no timer, so a lone call starts at once and an idle service adds no latency.
 *
 * `run` answers each item in order, either with a value or with an Error for that item alone. Of the requests that wait for
 * it, it is waited for by the one that has waited longest.
 */
export interface CoalesceOptions {
  maxBatch: number;
  maxInFlight: number;
}

export function coalesce<In, Out>(
  run: (items: In[]) => Promise<(Out | Error)[]>,
  { maxBatch, maxInFlight }: CoalesceOptions,
): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = [];
  let inFlight = 0;

  function start(): void {
    while (waiting.length >= (inFlight === 0 ? 1 : maxBatch) && inFlight < maxInFlight) {
      const batch = waiting.length <= maxBatch ? waiting : waiting.slice(0, maxBatch);
      waiting = waiting.length <= maxBatch ? [] : waiting.slice(maxBatch);
      inFlight++;
      void runBatch(batch);
    }
  }

  async function runBatch(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const answers = await waitedForBy(longestOf(batch), () => run(batch.map((entry) => entry.item)));
      for (const [i, entry] of batch.entries()) {
        const answer = answers[i]!;
        if (answer instanceof Error) entry.reject(answer);
        else entry.resolve(answer);
      }
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    } finally {
      inFlight--;
      start();
    }
  }

  return (item) =>
    countWait(
      () =>
        new Promise<Out>((resolve, reject) => {
          waiting.push({ item, wait: currentWait(), resolve, reject });
          start();
        }),
    );
}

interface Waiting<In, Out> {
  item: In;
  wait: RequestWait | undefined;
  resolve(answer: Out): void;
  reject(error: unknown): void;
}

function longestOf(batch: readonly { wait: RequestWait | undefined }[]): RequestWait | undefined {
  return batch.reduce<RequestWait | undefined>(
    (longest, { wait }) => (wait && (!longest || wait.ms > longest.ms) ? wait : longest),
    undefined,
  );
}
