import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  devnet,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64Decoder,
  type Instruction,
  type KeyPairSigner,
  type Nonce,
  pipe,
  type RpcDevnet,
  type SolanaRpcApiDevnet,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionMessageBytesBase64,
} from '@solana/kit';
import {
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import { getBatchInstruction, getTransferInstruction } from '@solana-program/token';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createLookupTable,
  createMint,
  createWallet,
  memoInstruction,
  pay,
  send,
  settle,
  sign,
  tokenAccountOf,
  usdcMint,
  type Wallet,
} from '../../../test/support/wallet.ts';
import { type SandboxChain, startSandboxChain } from './start-sandbox-chain.ts';

let chain: SandboxChain;
let rpc: RpcDevnet<SolanaRpcApiDevnet>;
let rpcUrl: string;
let wallet: Wallet;
let other: KeyPairSigner;

beforeEach(async () => {
  chain = await startSandboxChain({ slotMs: 0, now: () => new Date(Date.UTC(2026, 0, 31)) });
  rpcUrl = chain.rpcUrl;
  rpc = createSolanaRpc(devnet(rpcUrl));
  wallet = await createWallet(chain, { usdcBaseUnits: 1_000_000n });
  other = await generateKeyPairSigner();
});

afterEach(() => chain.stop());

const transferSol = (amount: bigint): Instruction =>
  getTransferSolInstruction({ source: wallet.signer, destination: other.address, amount });
const sendAll = (instructions: Instruction[], options: object = {}) =>
  send({ rpcUrl, payer: wallet.signer, instructions, ...options });
const balance = async (address: Address) =>
  (await rpc.getBalance(address, { commitment: 'processed' }).send()).value;
const tokens = async (owner: Address) =>
  BigInt(
    (await rpc.getTokenAccountBalance(await tokenAccountOf(owner), { commitment: 'processed' }).send()).value
      .amount,
  );

async function details(signature: Awaited<ReturnType<typeof send>>) {
  settle(chain, 'confirmed');
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'confirmed',
      encoding: 'json',
      maxSupportedTransactionVersion: 1,
    })
    .send();
  return found!;
}

describe('sendTransaction', () => {
  test.each(['legacy', 0, 1] as const)(
    'a payment of version %s lands with everything a cluster tells',
    async (version) => {
      const reference = (await generateKeyPairSigner()).address;
      const signature = await pay({
        rpcUrl,
        from: wallet.signer,
        destinationOwner: other.address,
        amountBaseUnits: 250_000n,
        references: [reference],
        version,
      });
      const slot = BigInt(chain.slot);
      const found = await details(signature);
      expect(found).toMatchObject({ slot, version, blockTime: BigInt(Date.UTC(2026, 0, 31) / 1000) });
      const { message } = found.transaction;
      const keys = message.accountKeys;
      expect(keys[0]).toBe(wallet.address);
      expect(keys).toContain(reference);
      expect(found.transaction.signatures[0]).toBe(signature);
      const { meta } = found;
      expect(meta).toMatchObject({
        err: null,
        fee: 5_000n,
        status: { Ok: null },
        loadedAddresses: { readonly: [], writable: [] },
      });
      expect(
        meta!.logMessages!.some((line) => line.includes('Program TokenkegQ') && line.includes('success')),
      ).toBe(true);
      expect(meta!.innerInstructions!.length).toBe(1);
      expect(meta!.computeUnitsConsumed).toBeGreaterThan(1_000n);
      const [before, after] = [sum(meta!.preBalances), sum(meta!.postBalances)];
      expect(before - after).toBe(5_000n);
      const indexOf = async (owner: Address) => keys.indexOf(await tokenAccountOf(owner));
      expect(meta!.preTokenBalances).toEqual([
        balanceOf(await indexOf(wallet.address), wallet.address, '1000000'),
      ]);
      expect(
        [...meta!.postTokenBalances!].sort(
          (a, b) => Number(b.uiTokenAmount.amount) - Number(a.uiTokenAmount.amount),
        ),
      ).toEqual([
        balanceOf(await indexOf(wallet.address), wallet.address, '750000'),
        balanceOf(await indexOf(other.address), other.address, '250000'),
      ]);
    },
  );

  test('the same bytes come back in every encoding', async () => {
    const wire = await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)] });
    const signature = await rpc
      .sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'processed' })
      .send();
    settle(chain, 'finalized');
    const base64 = await rpc
      .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
      .send();
    expect(base64!.transaction).toEqual([wire, 'base64']);
    const base58 = await rpc
      .getTransaction(signature, { encoding: 'base58', maxSupportedTransactionVersion: 0 })
      .send();
    expect(base58!.transaction).toEqual([getBase58Decoder().decode(Buffer.from(wire, 'base64')), 'base58']);
    const parsed = await rpc
      .getTransaction(signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 })
      .send();
    expect(parsed!.transaction.message.accountKeys[0]).toEqual({
      pubkey: wallet.address,
      signer: true,
      source: 'transaction',
      writable: true,
    });
    expect(parsed!.transaction.message.instructions[0]).toMatchObject({ programId: expect.any(String) });
  });

  test('base58 is taken too', async () => {
    const wire = await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)] });
    const base58 = getBase58Decoder().decode(
      Buffer.from(wire, 'base64'),
    ) as string as Base64EncodedWireTransaction;
    await rpc.sendTransaction(base58, { preflightCommitment: 'processed' }).send();
    expect(await balance(other.address)).toBe(1_000_000n);
  });

  test('-32002 with error and logs when the simulation fails, and nothing lands', async () => {
    const before = await balance(wallet.address);
    const error = await sendAll([transferSol(10n ** 15n)]).catch((reason) => reason);
    expect(error.context).toMatchObject({ __code: -32002, unitsConsumed: expect.any(BigInt) });
    expect(error.context.logs.join()).toContain('insufficient lamports');
    expect(error.cause.context).toMatchObject({ code: 1, index: 1 });
    expect(await balance(wallet.address)).toBe(before);
    // Only what gave the wallet its money.
    expect(await history(wallet.address)).toHaveLength(2);
  });

  test('without preflight a failing transaction lands, with its error and its fee', async () => {
    const before = await balance(wallet.address);
    const signature = await sendAll([transferSol(10n ** 15n)], { skipPreflight: true });
    expect(await balance(wallet.address)).toBe(before - 5_000n);
    const { meta } = await details(signature);
    const err = { InstructionError: [1n, { Custom: 1n }] };
    expect(meta).toMatchObject({ err, fee: 5_000n, status: { Err: err } });
    expect(meta!.logMessages!.join()).toContain('insufficient lamports');
    expect((await history(other.address))[0]).toMatchObject({ signature, err });
    expect((await rpc.getSignatureStatuses([signature]).send()).value[0]).toMatchObject({ err });
  });

  test('a program that does not exist costs the fee and lands', async () => {
    const before = await balance(wallet.address);
    const program = (await generateKeyPairSigner()).address;
    const signature = await sendAll([{ programAddress: program, accounts: [], data: new Uint8Array() }], {
      skipPreflight: true,
    });
    expect(await balance(wallet.address)).toBe(before - 5_000n);
    expect((await details(signature)).meta).toMatchObject({ fee: 5_000n, err: expect.any(String) });
  });

  test('sent twice, a transaction is already processed and lands once', async () => {
    const wire = await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)] });
    const sendIt = (skipPreflight: boolean) =>
      rpc
        .sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'processed', skipPreflight })
        .send();
    const signature = await sendIt(false);
    await expect(sendIt(false)).rejects.toMatchObject({
      context: { __code: -32002 },
      cause: { message: expect.stringContaining('already been processed') },
    });
    expect(await sendIt(true)).toBe(signature);
    expect(await balance(other.address)).toBe(1_000_000n);
  });

  test('-32003 for a signature that does not fit; without preflight it is taken and never seen again', async () => {
    const wire = Buffer.from(
      await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)] }),
      'base64',
    );
    wire[10]! ^= 1;
    const forged = getBase64Decoder().decode(wire) as Base64EncodedWireTransaction;
    const config = { encoding: 'base64', preflightCommitment: 'processed' } as const;
    await expect(rpc.sendTransaction(forged, config).send()).rejects.toMatchObject({
      context: { __code: -32003 },
    });
    const signature = await rpc.sendTransaction(forged, { ...config, skipPreflight: true }).send();
    expect((await rpc.getSignatureStatuses([signature]).send()).value).toEqual([null]);
  });

  test('a blockhash that expired is not found', async () => {
    const wire = await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)] });
    chain.advanceSlots(151);
    const config = { encoding: 'base64', preflightCommitment: 'processed' } as const;
    await expect(rpc.sendTransaction(wire, config).send()).rejects.toMatchObject({
      context: { __code: -32002 },
      cause: { message: 'Blockhash not found' },
    });
    await rpc.sendTransaction(wire, { ...config, skipPreflight: true }).send();
    expect(await balance(other.address)).toBe(0n);
  });

  test('a blockhash newer than the preflight commitment is not found either', async () => {
    const wire = await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)] });
    const config = { encoding: 'base64', preflightCommitment: 'finalized' } as const;
    await expect(rpc.sendTransaction(wire, config).send()).rejects.toMatchObject({
      context: { __code: -32002 },
    });
    settle(chain, 'finalized');
    await rpc.sendTransaction(wire, config).send();
  });

  test('nobody pays a fee from an empty account', async () => {
    const instructions = [memoInstruction('hello')];
    await expect(send({ rpcUrl, payer: other, instructions })).rejects.toMatchObject({
      context: { __code: -32002 },
    });
    const signature = await send({ rpcUrl, payer: other, instructions, skipPreflight: true });
    expect((await rpc.getSignatureStatuses([signature]).send()).value).toEqual([null]);
  });

  test('tokens of an own mint, moved by a batch that leaves no trace but the balances', async () => {
    const mint = await createMint(rpcUrl, wallet.signer, 500n);
    const from = await tokenAccountOf(wallet.address, mint);
    await pay({ rpcUrl, from: wallet.signer, destinationOwner: other.address, amountBaseUnits: 100n, mint });
    const to = await tokenAccountOf(other.address, mint);
    const move = getTransferInstruction({
      source: from,
      destination: to,
      authority: wallet.signer,
      amount: 7n,
    });
    const { meta } = await details(await sendAll([getBatchInstruction([move, move])]));
    expect(meta!.innerInstructions).toEqual([]);
    expect(meta!.preTokenBalances!.map(({ uiTokenAmount }) => uiTokenAmount.amount).sort()).toEqual([
      '100',
      '400',
    ]);
    expect(meta!.postTokenBalances!.map(({ uiTokenAmount }) => uiTokenAmount.amount).sort()).toEqual([
      '114',
      '386',
    ]);
  });
});

describe('lookup tables', () => {
  test('accounts from a lookup table are listed as loaded, and the index finds them', async () => {
    const reference = (await generateKeyPairSigner()).address;
    await chain.mintTo(other.address, 1n);
    const destination = await tokenAccountOf(other.address);
    const lookupTables = await createLookupTable(rpcUrl, wallet.signer, [usdcMint, destination, reference]);
    chain.advanceSlots(1);
    const signature = await pay({
      rpcUrl,
      from: wallet.signer,
      destinationOwner: other.address,
      amountBaseUnits: 5n,
      references: [reference],
      createAccount: false,
      lookupTables,
    });
    expect(await tokens(other.address)).toBe(6n);
    const found = await details(signature);
    // The client orders what it takes from a table by its random addresses.
    const { writable, readonly } = found.meta!.loadedAddresses!;
    expect([writable, [...readonly].sort()]).toEqual([[destination], [usdcMint, reference].sort()]);
    expect(found.transaction.message.accountKeys).not.toContain(destination);
    expect(
      'addressTableLookups' in found.transaction.message && found.transaction.message.addressTableLookups,
    ).toMatchObject([{ accountKey: Object.keys(lookupTables)[0], writableIndexes: [1] }]);
    const index = found.transaction.message.accountKeys.length;
    expect(found.meta!.postTokenBalances).toContainEqual(balanceOf(index, other.address, '6'));
    for (const key of [reference, destination]) expect((await history(key))[0]).toMatchObject({ signature });
  });

  test('a table that does not exist is refused', async () => {
    const lookupTables = { [other.address]: [usdcMint] };
    const payment = {
      rpcUrl,
      from: wallet.signer,
      destinationOwner: wallet.address,
      amountBaseUnits: 1n,
      lookupTables,
    };
    await expect(pay(payment)).rejects.toThrow();
    const signature = await pay({ ...payment, skipPreflight: true });
    expect((await rpc.getSignatureStatuses([signature]).send()).value).toEqual([null]);
  });
});

describe('transaction versions', () => {
  test('-32015 for a version newer than the caller knows', async () => {
    const signature = await sendAll([transferSol(1_000_000n)], { version: 1 });
    settle(chain, 'finalized');
    await expect(rpc.getTransaction(signature, { encoding: 'json' }).send()).rejects.toThrow(
      /version \(1\) is not supported/,
    );
    await expect(
      rpc.getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send(),
    ).rejects.toMatchObject({ context: { __code: -32015 } });
    const found = await rpc
      .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 1 })
      .send();
    expect(found!.transaction.message.transactionConfig).toMatchObject({
      loadedAccountsDataSizeLimit: 2_000_000,
    });
  });

  test('a legacy one has no version', async () => {
    const signature = await sendAll([transferSol(1_000_000n)], { version: 'legacy' });
    settle(chain, 'finalized');
    const found = await rpc.getTransaction(signature, { encoding: 'json' }).send();
    expect(found).not.toHaveProperty('version');
    expect(found!.meta).not.toHaveProperty('loadedAddresses');
  });
});

describe('durable nonce', () => {
  async function createNonce(): Promise<Address> {
    const account = await generateKeyPairSigner();
    await sendAll([
      getCreateAccountInstruction({
        payer: wallet.signer,
        newAccount: account,
        lamports: 2_000_000n,
        space: 80n,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
      }),
      getInitializeNonceAccountInstruction({ nonceAccount: account.address, nonceAuthority: wallet.address }),
    ]);
    chain.advanceSlots(1);
    return account.address;
  }

  async function lifetime(nonceAccountAddress: Address) {
    const { value } = await rpc
      .getAccountInfo(nonceAccountAddress, { encoding: 'base64', commitment: 'processed' })
      .send();
    const nonce = getBase58Decoder().decode(Buffer.from(value!.data[0], 'base64').subarray(40, 72)) as Nonce;
    return { nonce, nonceAccountAddress, nonceAuthorityAddress: wallet.address };
  }

  test('a transaction lives as long as its nonce, and is good once', async () => {
    const account = await createNonce();
    const nonce = await lifetime(account);
    const wire = await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)], nonce });
    chain.advanceSlots(500);
    const config = { encoding: 'base64', preflightCommitment: 'processed' } as const;
    await rpc.sendTransaction(wire, config).send();
    expect(await balance(other.address)).toBe(1_000_000n);
    expect((await lifetime(account)).nonce).not.toBe(nonce.nonce);
    await expect(rpc.sendTransaction(wire, config).send()).rejects.toMatchObject({
      context: { __code: -32002 },
    });
  });

  test('one that fails uses its nonce up too', async () => {
    const account = await createNonce();
    const nonce = await lifetime(account);
    const signature = await sendAll([transferSol(10n ** 15n)], { nonce, skipPreflight: true });
    expect((await details(signature)).meta).toMatchObject({
      err: { InstructionError: [2n, { Custom: 1n }] },
      fee: 5_000n,
    });
    const next = await lifetime(account);
    expect(next.nonce).not.toBe(nonce.nonce);
    await sendAll([transferSol(1_000_000n)], { nonce: next });
    expect(await balance(other.address)).toBe(1_000_000n);
  });

  test('the wrong authority has no nonce to live by', async () => {
    const nonce = await lifetime(await createNonce());
    const thief = await createWallet(chain);
    const stolen = { ...nonce, nonceAuthorityAddress: thief.address };
    const payment = { rpcUrl, payer: thief.signer, instructions: [memoInstruction('x')], nonce: stolen };
    await expect(send(payment)).rejects.toMatchObject({ context: { __code: -32002 } });
  });
});

describe('simulateTransaction', () => {
  test('tells what would happen and changes nothing', async () => {
    const wire = await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)] });
    const { value } = await rpc
      .simulateTransaction(wire, {
        encoding: 'base64',
        commitment: 'processed',
        innerInstructions: true,
        accounts: { addresses: [other.address], encoding: 'base64' },
      })
      .send();
    expect(value).toMatchObject({
      err: null,
      fee: 5_000n,
      innerInstructions: [],
      replacementBlockhash: null,
    });
    expect(value.accounts[0]).toMatchObject({ lamports: 1_000_000n });
    expect(value.logs).toContain('Program 11111111111111111111111111111111 success');
    expect(await balance(other.address)).toBe(0n);
  });

  test('errors are part of the answer', async () => {
    const wire = await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(10n ** 15n)] });
    const { value } = await rpc
      .simulateTransaction(wire, { encoding: 'base64', commitment: 'processed' })
      .send();
    expect(value.err).toEqual({ InstructionError: [1n, { Custom: 1n }] });
    expect(value.logs!.join()).toContain('insufficient lamports');
  });

  test.each(['legacy', 0, 1] as const)(
    'version %s: unsigned and expired will do when the blockhash is replaced',
    async (version) => {
      const wire = Buffer.from(
        await sign({ rpcUrl, payer: wallet.signer, instructions: [transferSol(1_000_000n)], version }),
        'base64',
      );
      const unsigned = getBase64Decoder().decode(
        version === 1 ? wire.fill(0, wire.length - 64) : wire.fill(0, 1, 65),
      ) as Base64EncodedWireTransaction;
      chain.advanceSlots(151);
      const config = { encoding: 'base64', commitment: 'processed' } as const;
      expect((await rpc.simulateTransaction(unsigned, config).send()).value.err).toBe('BlockhashNotFound');
      const { value } = await rpc
        .simulateTransaction(unsigned, { ...config, replaceRecentBlockhash: true })
        .send();
      expect(value.err).toBeNull();
      expect(value.replacementBlockhash).toMatchObject({ blockhash: expect.any(String) });
      await expect(
        rpc.simulateTransaction(unsigned, { ...config, sigVerify: true }).send(),
      ).rejects.toMatchObject({
        context: { __code: -32003 },
      });
    },
  );
});

describe('getFeeForMessage', () => {
  test.each([undefined, 0n, 1n, 123_456n])(
    'is the fee that is then charged (unit price %s)',
    async (price) => {
      const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send();
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (draft) => setTransactionMessageFeePayerSigner(wallet.signer, draft),
        (draft) => setTransactionMessageLifetimeUsingBlockhash(latest, draft),
        (draft) => (price === undefined ? draft : setTransactionMessageComputeUnitPrice(price, draft)),
        (draft) =>
          appendTransactionMessageInstructions([transferSol(1_000_000n), memoInstruction('fee')], draft),
      );
      const bytes = getBase64Decoder().decode(
        compileTransaction(message).messageBytes,
      ) as TransactionMessageBytesBase64;
      const { value: fee } = await rpc.getFeeForMessage(bytes, { commitment: 'processed' }).send();
      const before = await balance(wallet.address);
      const signed = await signTransactionMessageWithSigners(message);
      const wire = Buffer.concat([
        Buffer.from([1]),
        Buffer.from(Object.values(signed.signatures)[0]!),
        Buffer.from(signed.messageBytes),
      ]);
      await rpc
        .sendTransaction(wire.toString('base64') as Base64EncodedWireTransaction, {
          encoding: 'base64',
          preflightCommitment: 'processed',
        })
        .send();
      expect(before - (await balance(wallet.address)) - 1_000_000n).toBe(fee);
      chain.advanceSlots(151);
      expect((await rpc.getFeeForMessage(bytes, { commitment: 'processed' }).send()).value).toBeNull();
    },
  );
});

async function history(address: Address) {
  settle(chain, 'confirmed');
  return rpc.getSignaturesForAddress(address, { commitment: 'confirmed' }).send();
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

function balanceOf(accountIndex: number, owner: Address, amount: string) {
  return {
    accountIndex,
    mint: usdcMint,
    owner,
    programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    uiTokenAmount: {
      amount,
      decimals: 6,
      uiAmount: Number(amount) / 1e6,
      uiAmountString: `${Number(amount) / 1e6}`,
    },
  };
}
