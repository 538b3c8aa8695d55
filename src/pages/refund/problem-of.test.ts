import { expect, test } from 'vitest';
import { problemOf } from './problem-of.ts';

const WALLET = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';

test.each([
  [undefined, 'missing'],
  [WALLET, undefined],
  [WALLET.slice(0, 20), 'truncated'],
  [`${WALLET.slice(0, 4)}…${WALLET.slice(-4)}`, 'truncated'],
  [`${WALLET.slice(0, 4)}...${WALLET.slice(-4)}`, 'truncated'],
  ['0x52908400098527886E0F7030069857D2E4169EE7', 'other_network'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'other_network'],
  ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'other_network'],
  ['ann.sol', 'name'],
  [`${WALLET.slice(0, 10)} ${WALLET.slice(10)}`, 'malformed'],
  [`0${WALLET.slice(1)}`, 'malformed'],
  [`${WALLET}${WALLET}`, 'malformed'],
  ['my wallet', 'malformed'],
] as const)('%s: %s', (typed, problem) => {
  expect(problemOf(typed)).toBe(problem);
});
