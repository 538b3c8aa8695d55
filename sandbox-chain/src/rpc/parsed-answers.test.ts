import {
  type Address,
  address,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import {
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import {
  getApproveInstruction,
  getInitializeAccount3Instruction,
  getInitializeMultisig2Instruction,
  getSyncNativeInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createLookupTable,
  createWallet,
  memoProgram,
  pay,
  paymentInstructions,
  send,
  settle,
  sign,
  tokenAccountOf,
  usdcMint,
  type Wallet,
} from '../../../test/support/wallet.ts';
import { SANDBOX_USDC_AUTHORITY } from '../ledger/genesis.ts';
import { type SandboxChain, startSandboxChain } from './start-sandbox-chain.ts';

const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const WRAPPED_SOL = address('So11111111111111111111111111111111111111112');

let chain: SandboxChain;
let wallet: Wallet;
let other: KeyPairSigner;

beforeAll(async () => {
  chain = await startSandboxChain({ slotMs: 0, now: () => new Date(Date.UTC(2026, 0, 31)) });
  wallet = await createWallet(chain, { usdcBaseUnits: 5_000_000n });
  other = await generateKeyPairSigner();
});

afterAll(() => chain.stop());

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON a node sends, checked by the test that asks
type Answer = any;

/** Plain JSON, as a program without any library reads it. */
async function ask(method: string, ...params: unknown[]) {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: Answer; error?: unknown };
  expect(error).toBeUndefined();
  return result;
}

const parsedTransaction = (signature: Signature) => {
  settle(chain, 'confirmed');
  const config = { commitment: 'confirmed', encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 };
  return ask('getTransaction', signature, config);
};
const sendAll = (instructions: Instruction[]) =>
  send({ rpcUrl: chain.rpcUrl, payer: wallet.signer, instructions });
const parsedAccount = async (of: Address) =>
  (await ask('getAccountInfo', of, { commitment: 'processed', encoding: 'jsonParsed' })).value.data;

/** An account that a program is about to fill. */
const room = (newAccount: KeyPairSigner, space: number, programAddress: Address, lamports = 10_000_000n) =>
  getCreateAccountInstruction({
    payer: wallet.signer,
    newAccount,
    lamports,
    space: BigInt(space),
    programAddress,
  });

describe('getTransaction', () => {
  test('a payment is shown instruction by instruction, what it calls inside included', async () => {
    const signature = await pay({
      rpcUrl: chain.rpcUrl,
      from: wallet.signer,
      destinationOwner: other.address,
      amountBaseUnits: 1_500_000n,
      memo: 'florin:42',
    });
    const { transaction, meta, version } = await parsedTransaction(signature);
    const { message } = transaction;
    const account = await tokenAccountOf(other.address);
    expect(version).toBe(0);
    expect(message.instructions).toEqual([
      { programId: COMPUTE_BUDGET, accounts: [], data: expect.any(String), stackHeight: 1 },
      {
        program: 'spl-associated-token-account',
        programId: ATA_PROGRAM,
        parsed: {
          type: 'createIdempotent',
          info: {
            source: wallet.address,
            account,
            wallet: other.address,
            mint: usdcMint,
            systemProgram: SYSTEM_PROGRAM_ADDRESS,
            tokenProgram: TOKEN_PROGRAM_ADDRESS,
          },
        },
        stackHeight: 1,
      },
      { program: 'spl-memo', programId: memoProgram, parsed: 'florin:42', stackHeight: 1 },
      {
        program: 'spl-token',
        programId: TOKEN_PROGRAM_ADDRESS,
        parsed: {
          type: 'transferChecked',
          info: {
            source: wallet.usdcAccount,
            mint: usdcMint,
            destination: account,
            authority: wallet.address,
            tokenAmount: { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' },
          },
        },
        stackHeight: 1,
      },
    ]);
    expect(meta.innerInstructions).toHaveLength(1);
    const [{ index, instructions: inner }] = meta.innerInstructions;
    expect(index).toBe(1);
    const calls = inner.map(({ parsed, ...rest }: Answer) => [parsed.type, rest]);
    expect(calls).toContainEqual([
      'createAccount',
      { program: 'system', programId: SYSTEM_PROGRAM_ADDRESS, stackHeight: 2 },
    ]);
    expect(calls.at(-1)).toEqual([
      'initializeAccount3',
      { program: 'spl-token', programId: TOKEN_PROGRAM_ADDRESS, stackHeight: 2 },
    ]);
    expect(inner.at(-1).parsed.info).toEqual({ account, mint: usdcMint, owner: other.address });
    expect(message.accountKeys[0]).toEqual({
      pubkey: wallet.address,
      signer: true,
      source: 'transaction',
      writable: true,
    });
    expect(message.accountKeys).toContainEqual({
      pubkey: memoProgram,
      signer: false,
      source: 'transaction',
      writable: false,
    });
    expect(message).toMatchObject({ addressTableLookups: [] });
    expect(message).not.toHaveProperty('header');
    expect(meta).not.toHaveProperty('loadedAddresses');
  });

  test('keys from a lookup table are among the others and say where they come from', async () => {
    const lookupTables = await createLookupTable(chain.rpcUrl, wallet.signer, [usdcMint, wallet.usdcAccount]);
    chain.advanceSlots(1);
    const signature = await pay({
      rpcUrl: chain.rpcUrl,
      from: wallet.signer,
      destinationOwner: other.address,
      amountBaseUnits: 1n,
      createAccount: false,
      lookupTables,
    });
    const { transaction, meta } = await parsedTransaction(signature);
    const keys = transaction.message.accountKeys;
    expect(keys.slice(-2)).toEqual([
      { pubkey: wallet.usdcAccount, signer: false, source: 'lookupTable', writable: true },
      { pubkey: usdcMint, signer: false, source: 'lookupTable', writable: false },
    ]);
    expect(transaction.message.instructions.at(-1).parsed.info).toMatchObject({ mint: usdcMint });
    expect(meta).not.toHaveProperty('loadedAddresses');
    const [table] = Object.keys(lookupTables) as Address[];
    expect(await parsedAccount(table!)).toEqual({
      program: 'address-lookup-table',
      parsed: {
        type: 'lookupTable',
        info: {
          addresses: [usdcMint, wallet.usdcAccount],
          authority: wallet.address,
          deactivationSlot: '18446744073709551615',
          lastExtendedSlot: expect.stringMatching(/^\d+$/),
          lastExtendedSlotStartIndex: 0,
        },
      },
      space: 56 + 64,
    });
    const made = await ask('getSignaturesForAddress', table, { commitment: 'confirmed' });
    const { transaction: creation } = await parsedTransaction(made.at(-1).signature);
    expect(creation.message.instructions.slice(1)).toMatchObject([
      {
        program: 'address-lookup-table',
        parsed: { type: 'createLookupTable', info: { payerAccount: wallet.address } },
      },
      { parsed: { type: 'extendLookupTable', info: { newAddresses: [usdcMint, wallet.usdcAccount] } } },
    ]);
  });

  test('a balance of zero has no float, as nodes store it', async () => {
    const spender = await createWallet(chain, { usdcBaseUnits: 7n });
    const signature = await pay({
      rpcUrl: chain.rpcUrl,
      from: spender.signer,
      destinationOwner: other.address,
      amountBaseUnits: 7n,
    });
    const { meta } = await parsedTransaction(signature);
    const left = meta.postTokenBalances.find((balance: Answer) => balance.owner === spender.address);
    expect(left.uiTokenAmount).toEqual({ amount: '0', decimals: 6, uiAmount: null, uiAmountString: '0' });
  });
});

test('simulateTransaction tells inner instructions parsed, whatever the encoding', async () => {
  const nobody = await generateKeyPairSigner();
  const instructions = await paymentInstructions({
    rpcUrl: chain.rpcUrl,
    from: wallet.signer,
    destinationOwner: nobody.address,
    amountBaseUnits: 5n,
  });
  const wire = await sign({ rpcUrl: chain.rpcUrl, payer: wallet.signer, instructions });
  const config = { encoding: 'base64', commitment: 'processed', innerInstructions: true };
  const account = await tokenAccountOf(nobody.address);
  const accounts = { addresses: [account], encoding: 'jsonParsed' };
  const { value } = await ask('simulateTransaction', wire, { ...config, accounts });
  expect(value.err).toBeNull();
  expect(value.innerInstructions[0].instructions.at(-1)).toMatchObject({
    program: 'spl-token',
    parsed: { type: 'initializeAccount3', info: { owner: nobody.address } },
  });
  expect(value.accounts[0].data).toMatchObject({
    program: 'spl-token',
    parsed: { type: 'account', info: { tokenAmount: { amount: '5', uiAmountString: '0.000005' } } },
  });
});

describe('accounts', () => {
  test('the mint has its authorities', async () => {
    const data = await parsedAccount(usdcMint);
    expect(data).toEqual({
      program: 'spl-token',
      parsed: {
        type: 'mint',
        info: {
          decimals: 6,
          freezeAuthority: SANDBOX_USDC_AUTHORITY.address,
          isInitialized: true,
          mintAuthority: SANDBOX_USDC_AUTHORITY.address,
          supply: expect.stringMatching(/^\d+$/),
        },
      },
      space: 82,
    });
  });

  test('a delegate is shown with what it may still take, and only while there is one', async () => {
    const owner = await createWallet(chain, { usdcBaseUnits: 10n });
    const { parsed } = await parsedAccount(owner.usdcAccount);
    expect(Object.keys(parsed.info).sort()).toEqual(['isNative', 'mint', 'owner', 'state', 'tokenAmount']);
    const approve = getApproveInstruction({
      source: owner.usdcAccount,
      delegate: other.address,
      owner: owner.signer,
      amount: 4n,
    });
    await send({ rpcUrl: chain.rpcUrl, payer: wallet.signer, instructions: [approve] });
    expect((await parsedAccount(owner.usdcAccount)).parsed.info).toMatchObject({
      delegate: other.address,
      delegatedAmount: { amount: '4', decimals: 6, uiAmount: 0.000004, uiAmountString: '0.000004' },
    });
  });

  test('wrapped SOL tells what stays behind', async () => {
    const account = await generateKeyPairSigner();
    await sendAll([
      room(account, 165, TOKEN_PROGRAM_ADDRESS, 2_039_280n + 1_000_000_000n),
      getInitializeAccount3Instruction({
        account: account.address,
        mint: WRAPPED_SOL,
        owner: wallet.address,
      }),
      getSyncNativeInstruction({ account: account.address }),
    ]);
    expect((await parsedAccount(account.address)).parsed.info).toMatchObject({
      isNative: true,
      rentExemptReserve: { amount: '2039280', decimals: 9 },
      tokenAmount: { amount: '1000000000', uiAmount: 1, uiAmountString: '1' },
    });
  });

  test('a multisig has its signers', async () => {
    const multisig = await generateKeyPairSigner();
    const signers = [wallet.address, other.address];
    await sendAll([
      room(multisig, 355, TOKEN_PROGRAM_ADDRESS),
      getInitializeMultisig2Instruction({ multisig: multisig.address, m: 1, signers }),
    ]);
    expect((await parsedAccount(multisig.address)).parsed).toEqual({
      type: 'multisig',
      info: { isInitialized: true, numRequiredSigners: 1, numValidSigners: 2, signers },
    });
  });

  test('a nonce account is parsed; a wallet, and room that nobody filled, are base64', async () => {
    const nonce = await generateKeyPairSigner();
    await sendAll([
      room(nonce, 80, SYSTEM_PROGRAM_ADDRESS),
      getInitializeNonceAccountInstruction({ nonceAccount: nonce.address, nonceAuthority: wallet.address }),
    ]);
    expect(await parsedAccount(nonce.address)).toEqual({
      program: 'nonce',
      parsed: {
        type: 'initialized',
        info: {
          authority: wallet.address,
          blockhash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
          feeCalculator: { lamportsPerSignature: '5000' },
        },
      },
      space: 80,
    });
    expect(await parsedAccount(wallet.address)).toEqual(['', 'base64']);
    const empty = await generateKeyPairSigner();
    await sendAll([room(empty, 165, TOKEN_PROGRAM_ADDRESS)]);
    expect((await parsedAccount(empty.address))[1]).toBe('base64');
  });

  test('an account of Token-2022 names its program and its extensions', async () => {
    const mint = await generateKeyPairSigner();
    await sendAll([
      // Room for a close authority and for no transfers at all.
      room(mint, 166 + 4 + 32 + 4, TOKEN_2022),
      {
        programAddress: TOKEN_2022,
        accounts: [{ address: mint.address, role: 1 }],
        data: Uint8Array.from([25, 0]),
      },
      {
        programAddress: TOKEN_2022,
        accounts: [{ address: mint.address, role: 1 }],
        data: Uint8Array.from([32]),
      },
      {
        programAddress: TOKEN_2022,
        accounts: [{ address: mint.address, role: 1 }],
        data: Uint8Array.from([20, 2, ...new Uint8Array(32).fill(9), 0]),
      },
    ]);
    const { program, parsed } = await parsedAccount(mint.address);
    expect(program).toBe('spl-token-2022');
    expect(parsed).toMatchObject({
      type: 'mint',
      info: {
        decimals: 2,
        extensions: [
          { extension: 'mintCloseAuthority', state: { closeAuthority: null } },
          { extension: 'nonTransferable' },
        ],
      },
    });
  });

  test('getMultipleAccounts and getTokenAccountsByOwner parse alike', async () => {
    const config = { encoding: 'jsonParsed', commitment: 'processed' };
    const one = await parsedAccount(wallet.usdcAccount);
    const several = await ask('getMultipleAccounts', [wallet.usdcAccount, other.address], config);
    expect(several.value.map((account: Answer) => account?.data)).toEqual([one, undefined]);
    const owned = await ask('getTokenAccountsByOwner', wallet.address, { mint: usdcMint }, config);
    expect(owned.value[0].account.data).toEqual(one);
  });
});
