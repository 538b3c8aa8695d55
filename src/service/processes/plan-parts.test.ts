import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { isSupervised, processesOf, shareCalls, sharePool } from '../../config/processes.ts';
import { planParts } from './plan-parts.ts';

test.each([
  [{}, 1, { api: 4, others: 4 }],
  [{ API_PROCESSES: '2' }, 3, { api: 4, others: 4 }],
  [{ API_PROCESSES: '2', FLORIN_ROLES: 'api' }, 2, { api: 4, others: 4 }],
  [{ API_PROCESSES: '8', FLORIN_ROLES: 'worker' }, 1, { api: 4, others: 4 }],
  [{ API_PROCESSES: '2', DATABASE_POOL_SIZE: '20' }, 3, { api: 5, others: 5 }],
  [{ API_PROCESSES: '2', DATABASE_POOL_SIZE: '4' }, 3, { api: 1, others: 1 }],
  [{ API_PROCESSES: '2', DATABASE_POOL_SIZE: '20', BACKUP_FOLDER: '/b' }, 3, { api: 4, others: 6 }],
])('%j: %i processes, connections of each %j', (env, processes, pool) => {
  const config = readConfig(env);
  expect([processesOf(config), isSupervised(config)]).toEqual([processes, processes > 1]);
  expect(sharePool(config)).toEqual(pool);
  const size = config.DATABASE_POOL_SIZE;
  // A process that is being replaced is there twice.
  if (size !== undefined)
    expect(config.API_PROCESSES * pool.api + pool.others + pool.api).toBeLessThanOrEqual(size);
});

test('calls to nodes are shared out: half for following the chain', () => {
  const calls = (env: Record<string, string>) =>
    shareCalls(readConfig({ SOLANA_MAX_CALLS_PER_SECOND: '25', ...env }));
  expect(calls({ API_PROCESSES: '2' })).toEqual({ api: 6, others: 13 });
  expect(calls({ API_PROCESSES: '2', FLORIN_ROLES: 'api' })).toEqual({ api: 12, others: 0 });
  expect(calls({ API_PROCESSES: '32' })).toEqual({ api: 1, others: 13 });
});

test('auto is one for each core that this process may use', () => {
  expect(readConfig({ API_PROCESSES: 'auto' }).API_PROCESSES).toBe(Math.min(availableParallelism(), 32));
});

test('the background has every role but the api, and settings of each are valid by themselves', () => {
  const given = { API_PROCESSES: '3', DATABASE_POOL_SIZE: '10', BACKUP_FOLDER: '/b' };
  const parts = planParts(readConfig(given), 4020);
  expect(parts.map(({ name, isApi, env }) => [name, isApi, env.FLORIN_ROLES])).toEqual([
    ['background', false, 'worker,watcher'],
    ['api-1', true, 'api'],
    ['api-2', true, 'api'],
    ['api-3', true, 'api'],
  ]);
  for (const { env } of parts) expect(isSupervised(readConfig({ ...given, ...env }))).toBe(false);
});
