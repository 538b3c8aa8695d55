import { expect, test } from 'vitest';
import { senderOf, signingPayerOf } from './find-payer.ts';
import { TOKEN_PROGRAM } from './network.ts';

const destination = { owner: 'shop', mint: 'usdc', account: 'till' };

/** Each pays one unit from the owner's account, let go by the authority. */
function paidBy(signers: string[], ...from: { owner: string; authority: string }[]) {
  const balance = ({ owner }: { owner: string }, amount: bigint) => ({
    ...{ account: `account of ${owner}`, mint: 'usdc', owner, program: TOKEN_PROGRAM, amount, decimals: 6 },
  });
  return {
    ...{
      signature: 's',
      slot: 1,
      blockTime: new Date(0),
      hasFailed: false,
      accounts: [],
      memos: [],
      signers,
    },
    before: from.map((each) => balance(each, 1n)),
    after: from.map((each) => balance(each, 0n)),
    transfers: from.map(({ authority }) => ({ destination: 'till', amount: 1n, authority, accounts: [] })),
  };
}

test.each([
  ['a wallet', ['w'], [{ owner: 'w', authority: 'w' }], ['w', 'w']],
  ['a wallet whose fee another one pays', ['f', 'w'], [{ owner: 'w', authority: 'w' }], ['w', 'w']],
  ['a delegate', ['d'], [{ owner: 'w', authority: 'd' }], ['d', 'd']],
  ['a program from its own account', ['w'], [{ owner: 'p', authority: 'p' }], [undefined, 'p']],
  ['a program as a delegate', ['d'], [{ owner: 'w', authority: 'p' }], [undefined, undefined]],
  ['nobody who can be read', ['w'], [], [undefined, undefined]],
  [
    'two wallets',
    ['w', 'v'],
    [
      { owner: 'w', authority: 'w' },
      { owner: 'v', authority: 'v' },
    ],
    [undefined, undefined],
  ],
  [
    'an owner and a delegate from one account',
    ['w', 'd'],
    [
      { owner: 'w', authority: 'w' },
      { owner: 'w', authority: 'd' },
    ],
    [undefined, undefined],
  ],
])('paid by %s', (_by, signers, from, expected) => {
  const transaction = paidBy(signers, ...from);
  expect([signingPayerOf(transaction, 'till'), senderOf(transaction, destination)]).toEqual(expected);
});
