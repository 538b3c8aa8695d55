import { expect, test } from 'vitest';
import { listMisnamed } from './misnamed-settings.ts';
import { settings } from './settings.ts';

test('a variable that looks like a setting and is none is named, with the one that was meant', () => {
  expect(
    listMisnamed({
      FLORIN_NETWRK: 'mainnet',
      FLORIN_PORT: '80',
      FLORIN_SOLANA_RPC_URL: 'https://rpc.example',
      SOLANA_RPC_URL: 'https://rpc.example',
      DATABASE_POOLSIZE: '5',
      FLORIN_COLOUR: 'red',
    }),
  ).toEqual([
    'FLORIN_NETWRK is not a setting: did you mean FLORIN_NETWORK?',
    'FLORIN_PORT is not a setting: did you mean PORT?',
    'FLORIN_SOLANA_RPC_URL is not a setting: did you mean SOLANA_RPC_URLS?',
    'SOLANA_RPC_URL is not a setting: did you mean SOLANA_RPC_URLS?',
    'DATABASE_POOLSIZE is not a setting: did you mean DATABASE_POOL_SIZE?',
    'FLORIN_COLOUR is not a setting',
  ]);
});

test('settings, names of clients and those of other programs are left alone', () => {
  const env = Object.fromEntries(Object.keys(settings).map((name) => [name, 'x']));
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'POST',
    'PORTS',
    'DATABASE',
    'NODE_ENV',
    'OTEL_METRICS_EXPORTER',
  ];
  for (const name of [...others, 'FLORIN_URL', 'FLORIN_KEY', 'FLORIN_API_KEY']) env[name] = 'x';
  expect(listMisnamed(env)).toEqual([]);
});
