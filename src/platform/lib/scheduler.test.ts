import { expect, test } from 'vitest';
import { Scheduler } from './scheduler.ts';

test('a loop continues after a failure, which is reported, and stop waits for the run in progress', async () => {
  const scheduler = new Scheduler();
  const reported: unknown[] = [];
  const [second, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [runs, isOver] = [0, false];
  scheduler.start({
    name: 'try again',
    everyMs: 3_600_000,
    retryMs: 0,
    async run() {
      if (++runs === 1) throw new Error('failed');
      second.resolve();
      await held.promise;
      isOver = true;
    },
    failed: (error) => reported.push((error as Error).message),
  });
  await second.promise;
  const stopped = scheduler.stop();
  held.resolve();
  await stopped;
  expect({ runs, isOver, reported }).toEqual({ runs: 2, isOver: true, reported: ['failed'] });
});

test('a failure because it is stopped is not reported, a success is', async () => {
  const scheduler = new Scheduler();
  const reported: string[] = [];
  const loop = { everyMs: 3_600_000, failed: () => reported.push('failed') };
  scheduler.start({ ...loop, name: 'wait', run: (signal) => aborted(signal) });
  scheduler.start({
    ...loop,
    name: 'succeed',
    run: async () => {},
    succeeded: () => reported.push('succeeded'),
  });
  expect(() => scheduler.start({ ...loop, name: 'wait', run: async () => {} })).toThrow('two loops');
  await scheduler.stop();
  expect(reported).toEqual(['succeeded']);
});

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
