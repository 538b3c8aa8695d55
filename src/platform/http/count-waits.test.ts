import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../lib/log.ts';
import { countWait, currentWait, type RequestWait } from '../lib/request-wait.ts';
import { createServer } from './server.ts';

test('one wait goes with a request from its first hook past its body to its answer, and no further', async () => {
  const app = createServer({ log: createLog('fatal', () => {}), trustProxy: false, isSecure: false });
  const seen: (RequestWait | undefined)[] = [];
  const answered = Promise.withResolvers<void>();
  let later = Promise.resolve<number | undefined>(undefined);
  app.addHook('onRequest', async () => {
    seen.push(currentWait());
    await countWait(() => setImmediate());
  });
  app.post('/', async () => {
    seen.push(currentWait());
    expect(currentWait()!.ms).toBeGreaterThan(0);
    later = answered.promise.then(() => currentWait()?.ms);
    return {};
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
  answered.resolve();
  expect(answer.status).toBe(200);
  expect(seen[0]).toBeDefined();
  expect(seen[1]).toBe(seen[0]);
  expect(await later).toBe(0);
  await app.close();
});
