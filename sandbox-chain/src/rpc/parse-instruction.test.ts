import { type Address, address, type Instruction, none, some } from '@solana/kit';
import * as system from '@solana-program/system';
import * as token from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { addressText } from '../ledger/addresses.ts';
import { parseInstruction } from './parse-instruction.ts';

/** Built by the clients of the programs; the names are those of the RPC's own documentation and source. */
const at = (byte: number): Address => address(addressText(new Uint8Array(32).fill(byte)));
const [source, mint, destination, owner] = [at(1), at(2), at(3), at(4)];
const [delegate, one, two] = [at(5), at(6), at(7)];
const RENT = 'SysvarRent111111111111111111111111111111111';
const BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** A signer that is never asked to sign. */
const key = (of: Address) => ({ address: of, signTransactions: async () => [] }) as never;

function parse({ programAddress, accounts = [], data = new Uint8Array() }: Instruction, program?: string) {
  const named = accounts.map((account) => account.address);
  return parseInstruction(program ?? programAddress, { accounts: named, data: Buffer.from(data) });
}

const dollars = { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' };
const checked = { amount: 1_500_000n, decimals: 6 };

const tokenCalls: [Instruction, string, object][] = [
  [
    token.getTransferCheckedInstruction({ source, mint, destination, authority: key(owner), ...checked }),
    'transferChecked',
    { source, mint, destination, tokenAmount: dollars, authority: owner },
  ],
  [
    token.getTransferCheckedInstruction({
      source,
      mint,
      destination,
      authority: owner,
      ...checked,
      multiSigners: [key(one), key(two)],
    }),
    'transferChecked',
    { source, mint, destination, tokenAmount: dollars, multisigAuthority: owner, signers: [one, two] },
  ],
  [
    token.getTransferInstruction({ source, destination, authority: owner, amount: 2n ** 64n - 1n }),
    'transfer',
    { source, destination, amount: '18446744073709551615', authority: owner },
  ],
  [
    token.getApproveInstruction({ source, delegate, owner, amount: 5n }),
    'approve',
    { source, delegate, owner, amount: '5' },
  ],
  [
    token.getApproveCheckedInstruction({ source, mint, delegate, owner, ...checked }),
    'approveChecked',
    { source, mint, delegate, owner, tokenAmount: dollars },
  ],
  [
    token.getApproveInstruction({ source, delegate, owner, amount: 5n, multiSigners: [key(one)] }),
    'approve',
    { source, delegate, multisigOwner: owner, signers: [one], amount: '5' },
  ],
  [token.getRevokeInstruction({ source, owner }), 'revoke', { source, owner }],
  [
    token.getMintToInstruction({ mint, token: destination, mintAuthority: owner, amount: 7n }),
    'mintTo',
    { mint, account: destination, mintAuthority: owner, amount: '7' },
  ],
  [
    token.getMintToCheckedInstruction({ mint, token: destination, mintAuthority: owner, ...checked }),
    'mintToChecked',
    { mint, account: destination, mintAuthority: owner, tokenAmount: dollars },
  ],
  [
    token.getBurnInstruction({ account: source, mint, authority: owner, amount: 7n }),
    'burn',
    { account: source, mint, authority: owner, amount: '7' },
  ],
  [
    token.getBurnCheckedInstruction({ account: source, mint, authority: owner, ...checked }),
    'burnChecked',
    { account: source, mint, authority: owner, tokenAmount: dollars },
  ],
  [
    token.getCloseAccountInstruction({ account: source, destination, owner }),
    'closeAccount',
    { account: source, destination, owner },
  ],
  [
    token.getFreezeAccountInstruction({ account: source, mint, owner }),
    'freezeAccount',
    { account: source, mint, freezeAuthority: owner },
  ],
  [
    token.getThawAccountInstruction({ account: source, mint, owner, multiSigners: [key(one)] }),
    'thawAccount',
    { account: source, mint, multisigFreezeAuthority: owner, signers: [one] },
  ],
  [
    token.getSetAuthorityInstruction({
      owned: source,
      owner,
      authorityType: token.AuthorityType.AccountOwner,
      newAuthority: some(one),
    }),
    'setAuthority',
    { account: source, authority: owner, authorityType: 'accountOwner', newAuthority: one },
  ],
  [
    token.getSetAuthorityInstruction({
      owned: mint,
      owner,
      authorityType: token.AuthorityType.FreezeAccount,
      newAuthority: none(),
    }),
    'setAuthority',
    { mint, authority: owner, authorityType: 'freezeAccount', newAuthority: null },
  ],
  [
    token.getInitializeAccountInstruction({ account: source, mint, owner }),
    'initializeAccount',
    { account: source, mint, owner, rentSysvar: RENT },
  ],
  [
    token.getInitializeAccount2Instruction({ account: source, mint, owner }),
    'initializeAccount2',
    { account: source, mint, owner, rentSysvar: RENT },
  ],
  [
    token.getInitializeAccount3Instruction({ account: source, mint, owner }),
    'initializeAccount3',
    { account: source, mint, owner },
  ],
  [
    token.getInitializeMintInstruction({ mint, decimals: 6, mintAuthority: owner }),
    'initializeMint',
    { mint, decimals: 6, mintAuthority: owner, rentSysvar: RENT },
  ],
  [
    token.getInitializeMint2Instruction({ mint, decimals: 6, mintAuthority: owner, freezeAuthority: one }),
    'initializeMint2',
    { mint, decimals: 6, mintAuthority: owner, freezeAuthority: one },
  ],
  [
    token.getInitializeMultisigInstruction({ multisig: source, m: 2, signers: [one, two] }),
    'initializeMultisig',
    { multisig: source, m: 2, rentSysvar: RENT, signers: [one, two] },
  ],
  [
    token.getInitializeMultisig2Instruction({ multisig: source, m: 1, signers: [one] }),
    'initializeMultisig2',
    { multisig: source, m: 1, signers: [one] },
  ],
  [token.getSyncNativeInstruction({ account: source }), 'syncNative', { account: source }],
  [token.getGetAccountDataSizeInstruction({ mint }), 'getAccountDataSize', { mint }],
  [
    token.getInitializeImmutableOwnerInstruction({ account: source }),
    'initializeImmutableOwner',
    { account: source },
  ],
  [token.getAmountToUiAmountInstruction({ mint, amount: 5n }), 'amountToUiAmount', { mint, amount: '5' }],
  [
    token.getUiAmountToAmountInstruction({ mint, uiAmount: '1.5' }),
    'uiAmountToAmount',
    { mint, uiAmount: '1.5' },
  ],
];

describe('the token programs', () => {
  test.each(tokenCalls)('$1', (instruction, type, info) => {
    expect(parse(instruction)).toEqual({
      program: 'spl-token',
      programId: token.TOKEN_PROGRAM_ADDRESS,
      parsed: { type, info },
    });
    expect(parse(instruction, TOKEN_2022)).toMatchObject({
      program: 'spl-token',
      programId: TOKEN_2022,
      parsed: { type },
    });
    const short = { ...instruction, accounts: [] };
    expect(parse(short)).toBeUndefined();
  });

  test('a reference after the authority makes it look like a multisig, as on every node', () => {
    const [[transfer]] = tokenCalls as [[Instruction, string, object]];
    const accounts = [...transfer.accounts!, { address: one, role: 0 }];
    expect(parse({ ...transfer, accounts })?.parsed).toMatchObject({
      info: { multisigAuthority: owner, signers: [one] },
    });
  });

  test('a batch holds each of its calls', () => {
    const [transfer, , , approve] = tokenCalls.map(([instruction]) => instruction);
    const batch = token.getBatchInstruction([transfer!, approve!] as never);
    expect(parse(batch)?.parsed).toMatchObject({
      type: 'batch',
      info: { instructions: [{ type: 'transferChecked' }, { type: 'approve', info: { owner } }] },
    });
    const nested = Buffer.from([255, 1, 1, 255]);
    expect(parse({ ...transfer!, data: nested })).toBeUndefined();
  });

  test('calls that the program would refuse, and those of extensions, are not parsed', () => {
    const [[transfer]] = tokenCalls as [[Instruction, string, object]];
    for (const data of [[], [12, 1, 2], [99], [6, 200, 0], [6, 0, 2], [26, 1], [24, 0xff]])
      expect([data, parse({ ...transfer, data: Uint8Array.from(data) })]).toEqual([data, undefined]);
    expect(parse({ ...transfer, accounts: transfer.accounts!.slice(0, 3) })).toBeUndefined();
    expect(parse({ ...transfer, data: Uint8Array.from([...transfer.data!, 9]) })).toBeDefined();
  });
});

describe('the associated token program', () => {
  const made = {
    source: owner,
    account: source,
    wallet: one,
    mint,
    systemProgram: system.SYSTEM_PROGRAM_ADDRESS,
    tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
  };
  const input = { payer: key(owner), ata: source, owner: one, mint };

  test('create, also without data as of old, and createIdempotent', () => {
    const create = token.getCreateAssociatedTokenInstruction(input);
    const program = 'spl-associated-token-account';
    expect(parse(create)).toMatchObject({ program, parsed: { type: 'create', info: made } });
    expect(parse({ ...create, data: new Uint8Array() })?.parsed).toEqual({ type: 'create', info: made });
    expect(parse(token.getCreateAssociatedTokenIdempotentInstruction(input))?.parsed).toEqual({
      type: 'createIdempotent',
      info: made,
    });
    for (const data of [[3], [1, 0]])
      expect(parse({ ...create, data: Uint8Array.from(data) })).toBeUndefined();
    expect(parse({ ...create, accounts: create.accounts.slice(0, 5) })).toBeUndefined();
  });
});

describe('the system program', () => {
  const nonceAccount = source;
  const calls: [Instruction, string, object][] = [
    [
      system.getTransferSolInstruction({ source: key(owner), destination, amount: 9n }),
      'transfer',
      { source: owner, destination, lamports: 9n },
    ],
    [
      system.getCreateAccountInstruction({
        payer: key(owner),
        newAccount: key(one),
        lamports: 5n,
        space: 165n,
        programAddress: mint,
      }),
      'createAccount',
      { source: owner, newAccount: one, lamports: 5n, space: 165n, owner: mint },
    ],
    [
      system.getCreateAccountWithSeedInstruction({
        payer: key(owner),
        newAccount: one,
        base: owner,
        seed: 'vault',
        amount: 5n,
        space: 8n,
        programAddress: mint,
      }),
      'createAccountWithSeed',
      { source: owner, newAccount: one, base: owner, seed: 'vault', lamports: 5n, space: 8n, owner: mint },
    ],
    [
      system.getAssignInstruction({ account: key(one), programAddress: mint }),
      'assign',
      { account: one, owner: mint },
    ],
    [
      system.getAllocateInstruction({ newAccount: key(one), space: 8n }),
      'allocate',
      { account: one, space: 8n },
    ],
    [
      system.getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority: key(owner) }),
      'advanceNonce',
      { nonceAccount, recentBlockhashesSysvar: BLOCKHASHES, nonceAuthority: owner },
    ],
    [
      system.getInitializeNonceAccountInstruction({ nonceAccount, nonceAuthority: owner }),
      'initializeNonce',
      { nonceAccount, recentBlockhashesSysvar: BLOCKHASHES, rentSysvar: RENT, nonceAuthority: owner },
    ],
    [
      system.getAuthorizeNonceAccountInstruction({
        nonceAccount,
        nonceAuthority: key(owner),
        newNonceAuthority: one,
      }),
      'authorizeNonce',
      { nonceAccount, nonceAuthority: owner, newAuthorized: one },
    ],
    [
      system.getWithdrawNonceAccountInstruction({
        nonceAccount,
        recipientAccount: destination,
        nonceAuthority: key(owner),
        withdrawAmount: 3n,
      }),
      'withdrawFromNonce',
      {
        nonceAccount,
        destination,
        recentBlockhashesSysvar: BLOCKHASHES,
        rentSysvar: RENT,
        nonceAuthority: owner,
        lamports: 3n,
      },
    ],
    [
      system.getTransferSolWithSeedInstruction({
        source: one,
        baseAccount: key(owner),
        destination,
        amount: 3n,
        fromSeed: 'vault',
        fromOwner: mint,
      }),
      'transferWithSeed',
      { source: one, sourceBase: owner, destination, lamports: 3n, sourceSeed: 'vault', sourceOwner: mint },
    ],
    [system.getUpgradeNonceAccountInstruction({ nonceAccount }), 'upgradeNonce', { nonceAccount }],
  ];

  test.each(calls)('$1', (instruction, type, info) => {
    expect(parse(instruction)).toEqual({
      program: 'system',
      programId: system.SYSTEM_PROGRAM_ADDRESS,
      parsed: { type, info },
    });
    expect(parse({ ...instruction, accounts: [] })).toBeUndefined();
    expect(parse({ ...instruction, data: Uint8Array.from([99, 0, 0, 0]) })).toBeUndefined();
  });
});

test('a memo is its text; what is not UTF-8, and programs nobody knows, are not parsed', () => {
  const memo = (data: Uint8Array) => parseInstruction(MEMO, { accounts: [], data: Buffer.from(data) });
  expect(memo(Buffer.from('florin:42 🦖'))).toEqual({
    program: 'spl-memo',
    programId: MEMO,
    parsed: 'florin:42 🦖',
  });
  expect(memo(Uint8Array.from([0xff]))).toBeUndefined();
  for (const program of ['ComputeBudget111111111111111111111111111111', one as string, 'constructor'])
    expect(parseInstruction(program, { accounts: [one], data: Buffer.from([1]) })).toBeUndefined();
});
