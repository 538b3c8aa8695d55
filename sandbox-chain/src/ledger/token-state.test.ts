import { expect, test } from 'vitest';
import {
  genesisAccounts,
  SANDBOX_USDC_AUTHORITY,
  SANDBOX_USDC_MINT,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './genesis.ts';
import { mintOf, tokenAccountOf, tokenAmountOf } from './token-state.ts';

test.each([
  [0n, 6, '0'],
  [1n, 6, '0.000001'],
  [1_500_000n, 6, '1.5'],
  [12_000_000n, 6, '12'],
  [18_446_744_073_709_551_615n, 9, '18446744073.709551615'],
  [7n, 0, '7'],
  [70n, 0, '70'],
])('%s with %i decimals is %s', (amount, decimals, text) => {
  expect(tokenAmountOf(amount, decimals)).toMatchObject({ amount: `${amount}`, uiAmountString: text });
});

const usdc = genesisAccounts().find(([address]) => address === SANDBOX_USDC_MINT)![1];

test('the sandbox USDC is a mint, and its authority is the one whose key is kept', () => {
  expect(mintOf(usdc)).toEqual({
    programId: TOKEN_PROGRAM,
    mintAuthority: SANDBOX_USDC_AUTHORITY.address,
    freezeAuthority: SANDBOX_USDC_AUTHORITY.address,
    supply: 0n,
    decimals: 6,
  });
  expect(tokenAccountOf(usdc)).toBeUndefined();
});

test('only what a token program owns, of the right size and kind, is a token account', () => {
  const data = Buffer.alloc(165);
  data[108] = 1;
  const account = { lamports: 1n, owner: TOKEN_PROGRAM, executable: false, data };
  expect(tokenAccountOf(account)).toMatchObject({ amount: 0n, state: 'initialized' });
  expect(tokenAccountOf({ ...account, owner: SANDBOX_USDC_AUTHORITY.address })).toBeUndefined();
  expect(tokenAccountOf({ ...account, data: Buffer.alloc(165) })).toBeUndefined();
  const extended = Buffer.concat([data, Buffer.of(2), Buffer.alloc(20)]);
  expect(tokenAccountOf({ ...account, data: extended })).toBeUndefined();
  expect(tokenAccountOf({ ...account, data: extended, owner: TOKEN_2022_PROGRAM })).toBeDefined();
  const mint = Buffer.concat([usdc.data, Buffer.alloc(83), Buffer.of(1), Buffer.alloc(20)]);
  expect(mintOf({ ...usdc, data: mint, owner: TOKEN_2022_PROGRAM })).toMatchObject({ decimals: 6 });
  expect(tokenAccountOf({ ...usdc, data: mint, owner: TOKEN_2022_PROGRAM })).toBeUndefined();
});
