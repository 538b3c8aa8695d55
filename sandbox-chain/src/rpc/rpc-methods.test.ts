import {
  type Address,
  type Blockhash,
  createSolanaRpc,
  devnet,
  generateKeyPairSigner,
  lamports,
  type RpcDevnet,
  type Signature,
  type SolanaRpcApiDevnet,
} from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createWallet,
  pay,
  settle,
  tokenAccountOf,
  usdcMint,
  type Wallet,
} from '../../../test/support/wallet.ts';
import { SANDBOX_GENESIS_HASH } from '../ledger/genesis.ts';
import { type SandboxChain, startSandboxChain } from './start-sandbox-chain.ts';

const START = Date.UTC(2026, 0, 31, 12);

let chain: SandboxChain;
let rpc: RpcDevnet<SolanaRpcApiDevnet>;
let now = START;

beforeEach(async () => {
  now = START;
  chain = await startSandboxChain({ slotMs: 0, now: () => new Date(now) });
  rpc = createSolanaRpc(devnet(chain.rpcUrl));
});

afterEach(() => chain.stop());

async function walletWith(usdcBaseUnits: bigint): Promise<Wallet> {
  const wallet = await createWallet(chain, { usdcBaseUnits });
  settle(chain, 'finalized');
  return wallet;
}

describe('the node itself', () => {
  test('says who it is, and stays the same network', async () => {
    expect(await rpc.getGenesisHash().send()).toBe(SANDBOX_GENESIS_HASH);
    expect(SANDBOX_GENESIS_HASH).toBe('8qo6kWLEPKkYgeKRzRU8TGdm5RANhfmkREZHAXg67xP9');
    expect(await rpc.getHealth().send()).toBe('ok');
    expect(await rpc.getVersion().send()).toMatchObject({ 'solana-core': expect.any(String) });
  });

  test('counts slots, heights and epochs by commitment', async () => {
    const slot = BigInt(chain.slot);
    expect(await rpc.getSlot({ commitment: 'processed' }).send()).toBe(slot);
    expect(await rpc.getSlot({ commitment: 'confirmed' }).send()).toBe(slot - 2n);
    expect(await rpc.getSlot({ commitment: 'finalized' }).send()).toBe(slot - 32n);
    const height = await rpc.getBlockHeight({ commitment: 'processed' }).send();
    expect(height).toBeLessThan(slot);
    chain.advanceSlots(3);
    expect(await rpc.getBlockHeight({ commitment: 'processed' }).send()).toBe(height + 3n);
    const epoch = await rpc.getEpochInfo({ commitment: 'processed' }).send();
    expect(epoch).toMatchObject({
      absoluteSlot: slot + 3n,
      blockHeight: height + 3n,
      slotsInEpoch: 432_000n,
    });
    expect(epoch.epoch * epoch.slotsInEpoch + epoch.slotIndex).toBe(epoch.absoluteSlot);
  });

  test('block time is the clock at the opening of the slot and never goes back', async () => {
    const slots = [BigInt(chain.slot)];
    for (const at of [START + 5_000, START - 60_000, START + 7_999]) {
      now = at;
      chain.advanceSlots(1);
      slots.push(BigInt(chain.slot));
    }
    const times = await Promise.all(slots.map((slot) => rpc.getBlockTime(slot).send()));
    expect(times).toEqual([0, 5, 5, 7].map((seconds) => BigInt(START / 1000 + seconds)));
    await expect(rpc.getBlockTime(BigInt(chain.slot + 1)).send()).rejects.toMatchObject({
      context: { __code: -32009 },
    });
  });

  test('a blockhash is good for 150 slots and not for one more', async () => {
    const { value } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send();
    expect(value.lastValidBlockHeight).toBe(
      (await rpc.getBlockHeight({ commitment: 'processed' }).send()) + 150n,
    );
    const isValid = async (hash: Blockhash) =>
      (await rpc.isBlockhashValid(hash, { commitment: 'processed' }).send()).value;
    expect(await isValid(value.blockhash)).toBe(true);
    chain.advanceSlots(150);
    expect(await isValid(value.blockhash)).toBe(true);
    chain.advanceSlots(1);
    expect(await isValid(value.blockhash)).toBe(false);
    expect(await isValid(SANDBOX_GENESIS_HASH as Blockhash)).toBe(false);
  });

  test('a newer blockhash is not known yet at an older commitment', async () => {
    const { value } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send();
    expect((await rpc.isBlockhashValid(value.blockhash, { commitment: 'finalized' }).send()).value).toBe(
      false,
    );
  });

  test('asks nobody to pay for being preferred', async () => {
    const fees = await rpc.getRecentPrioritizationFees([usdcMint]).send();
    expect(fees).toHaveLength(150);
    expect(fees.at(-1)).toEqual({ prioritizationFee: 0n, slot: BigInt(chain.slot - 1) });
  });

  test('-32016 when a caller insists on a slot the node has not reached', async () => {
    const minContextSlot = BigInt(chain.slot + 1);
    await expect(rpc.getBalance(usdcMint, { minContextSlot }).send()).rejects.toMatchObject({
      context: { __code: -32016, contextSlot: BigInt(chain.slot - 2) },
    });
  });
});

describe('accounts', () => {
  test('USDC is a real mint with 6 decimals', async () => {
    const { value } = await rpc.getAccountInfo(usdcMint, { encoding: 'jsonParsed' }).send();
    expect(value?.owner).toBe(TOKEN_PROGRAM_ADDRESS);
    expect(value?.data).toMatchObject({
      program: 'spl-token',
      parsed: { type: 'mint', info: { decimals: 6 } },
    });
  });

  test('balances and accounts are those at the commitment', async () => {
    const { address } = await generateKeyPairSigner();
    await chain.fund(address, 5_000_000_000n);
    const balances = async () =>
      Promise.all(
        (['processed', 'confirmed', 'finalized'] as const).map(
          async (commitment) => (await rpc.getBalance(address, { commitment }).send()).value,
        ),
      );
    expect(await balances()).toEqual([5_000_000_000n, 0n, 0n]);
    chain.advanceSlots(2);
    expect(await balances()).toEqual([5_000_000_000n, 5_000_000_000n, 0n]);
    expect((await rpc.getAccountInfo(address, { commitment: 'finalized' }).send()).value).toBeNull();
    chain.advanceSlots(30);
    expect(await balances()).toEqual([5_000_000_000n, 5_000_000_000n, 5_000_000_000n]);
  });

  test('requestAirdrop gives exactly the lamports, and twice if asked twice', async () => {
    const { address } = await generateKeyPairSigner();
    const first = await rpc.requestAirdrop(address, lamports(1_000_000n)).send();
    const second = await rpc.requestAirdrop(address, lamports(1_000_000n)).send();
    expect(first).not.toBe(second);
    await chain.fund(address, 9_007_199_254_740_993n);
    await expect(
      rpc.requestAirdrop((await generateKeyPairSigner()).address, lamports(7n)).send(),
    ).rejects.toThrow(/insufficient funds for rent/);
    expect((await rpc.getBalance(address, { commitment: 'processed' }).send()).value).toBe(
      9_007_199_256_740_993n,
    );
  });

  test('getMultipleAccounts tells each one asked about, null for none', async () => {
    const wallet = await walletWith(1n);
    const missing = (await generateKeyPairSigner()).address;
    const { value } = await rpc
      .getMultipleAccounts([usdcMint, missing, wallet.address], { encoding: 'base64' })
      .send();
    expect(value.map((account) => account?.owner ?? null)).toEqual([
      TOKEN_PROGRAM_ADDRESS,
      null,
      '11111111111111111111111111111111',
    ]);
    expect(Buffer.from(value[0]!.data[0], 'base64')).toHaveLength(82);
    await expect(rpc.getMultipleAccounts(Array(101).fill(usdcMint)).send()).rejects.toMatchObject({
      context: { __code: -32602 },
    });
  });

  test('data comes in every encoding, whole or in slices', async () => {
    const plain = await rpc.getAccountInfo(usdcMint, { encoding: 'base64' }).send();
    const bytes = Buffer.from(plain.value!.data[0], 'base64');
    const slice = await rpc
      .getAccountInfo(usdcMint, { encoding: 'base64', dataSlice: { offset: 44, length: 1 } })
      .send();
    expect(Buffer.from(slice.value!.data[0], 'base64')).toEqual(bytes.subarray(44, 45));
    const base58 = await rpc.getAccountInfo(usdcMint, { encoding: 'base58' }).send();
    expect(base58.value!.data[1]).toBe('base58');
    const zstd = await rpc.getAccountInfo(usdcMint, { encoding: 'base64+zstd' }).send();
    expect(zstd.value!.data[1]).toBe('base64+zstd');
    expect(plain.value).toMatchObject({ executable: false, lamports: 1_461_600n, space: 82n });
    const token = (await walletWith(1n)).usdcAccount;
    await expect(rpc.getAccountInfo(token).send()).rejects.toThrow(/Base64/);
  });

  test('token accounts of an owner, by mint and by program, parsed and raw', async () => {
    const wallet = await walletWith(9_007_199_254_740_993n);
    const parsed = await rpc
      .getTokenAccountsByOwner(wallet.address, { mint: usdcMint }, { encoding: 'jsonParsed' })
      .send();
    expect(parsed.value).toHaveLength(1);
    expect(parsed.value[0]!.pubkey).toBe(await tokenAccountOf(wallet.address));
    expect(parsed.value[0]!.account.data.parsed.info).toMatchObject({
      isNative: false,
      mint: usdcMint,
      owner: wallet.address,
      state: 'initialized',
      tokenAmount: { amount: '9007199254740993', decimals: 6, uiAmountString: '9007199254.740993' },
    });
    const byProgram = await rpc
      .getTokenAccountsByOwner(wallet.address, { programId: TOKEN_PROGRAM_ADDRESS }, { encoding: 'base64' })
      .send();
    expect(Buffer.from(byProgram.value[0]!.account.data[0], 'base64')).toHaveLength(165);
    const nobody = (await generateKeyPairSigner()).address;
    expect(
      (await rpc.getTokenAccountsByOwner(nobody, { mint: usdcMint }, { encoding: 'base64' }).send()).value,
    ).toEqual([]);
    await expect(
      rpc.getTokenAccountsByOwner(wallet.address, { mint: nobody }, { encoding: 'base64' }).send(),
    ).rejects.toThrow(/could not find mint/);
  });

  test('token balance and supply are exact', async () => {
    const before = (await rpc.getTokenSupply(usdcMint).send()).value.amount;
    const wallet = await walletWith(1_500_000n);
    const { value } = await rpc.getTokenAccountBalance(wallet.usdcAccount).send();
    expect(value).toEqual({ amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' });
    const supply = (await rpc.getTokenSupply(usdcMint).send()).value.amount;
    expect(BigInt(supply) - BigInt(before)).toBe(1_500_000n);
    await expect(rpc.getTokenAccountBalance(wallet.address).send()).rejects.toThrow(/not a Token account/);
    const missing = (await generateKeyPairSigner()).address;
    await expect(rpc.getTokenAccountBalance(missing).send()).rejects.toThrow(/could not find account/);
  });

  test('rent exemption is what the runtime asks for', async () => {
    expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
  });
});

describe('history', () => {
  test('getSignatureStatuses walks processed, confirmed, finalized', async () => {
    const wallet = await walletWith(10n);
    const to = (await generateKeyPairSigner()).address;
    const signature = await pay({
      rpcUrl: chain.rpcUrl,
      from: wallet.signer,
      destinationOwner: to,
      amountBaseUnits: 4n,
    });
    const status = async () => (await rpc.getSignatureStatuses([signature]).send()).value[0];
    const slot = BigInt(chain.slot);
    expect(await status()).toEqual({
      confirmationStatus: 'processed',
      confirmations: 0n,
      err: null,
      slot,
      status: { Ok: null },
    });
    chain.advanceSlots(1);
    expect(await status()).toMatchObject({ confirmationStatus: 'processed', confirmations: 1n });
    chain.advanceSlots(1);
    expect(await status()).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 2n });
    chain.advanceSlots(30);
    expect(await status()).toMatchObject({ confirmationStatus: 'finalized', confirmations: null });
    chain.advanceSlots(300);
    expect(await status()).toBeNull();
    const searched = await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send();
    expect(searched.value[0]).toMatchObject({ confirmationStatus: 'finalized', slot });
  });

  test('getSignaturesForAddress pages newest first, with before, until and limit', async () => {
    const wallet = await walletWith(100n);
    const to = (await generateKeyPairSigner()).address;
    const paid: Signature[] = [];
    for (let i = 0; i < 7; i++) {
      const memo = i === 6 ? 'grüß dich' : undefined;
      paid.unshift(
        await pay({
          rpcUrl: chain.rpcUrl,
          from: wallet.signer,
          destinationOwner: to,
          amountBaseUnits: 1n,
          ...(memo !== undefined && { memo }),
        }),
      );
      if (i % 2) chain.advanceSlots(1);
    }
    const account = await tokenAccountOf(to);
    type Config = NonNullable<Parameters<typeof rpc.getSignaturesForAddress>[1]>;
    const list = async (config: Config = {}) =>
      (await rpc.getSignaturesForAddress(account, config).send()).map((entry) => entry.signature);
    expect(await list({ commitment: 'confirmed' })).toEqual(paid.slice(3));
    expect(await list({ commitment: 'finalized' })).toEqual([]);
    settle(chain, 'finalized');
    expect(await list({ commitment: 'finalized' })).toEqual(paid);
    expect(await list({ limit: 3 })).toEqual(paid.slice(0, 3));
    expect(await list({ limit: 3, before: paid[2]! })).toEqual(paid.slice(3, 6));
    expect(await list({ until: paid[4]! })).toEqual(paid.slice(0, 4));
    expect(await list({ before: paid[0]!, until: paid[4]! })).toEqual(paid.slice(1, 4));
    const [newest] = await rpc.getSignaturesForAddress(account).send();
    expect(newest).toEqual({
      blockTime: BigInt(START / 1000),
      confirmationStatus: 'finalized',
      err: null,
      memo: '[11] grüß dich',
      signature: paid[0],
      slot: expect.any(BigInt),
      transactionIndex: 0,
    });
    const unknown = '1'.repeat(64) as Signature;
    for (const filter of [{ before: unknown }, { until: unknown }])
      await expect(list(filter)).rejects.toThrow(`Transaction ${unknown} not found`);
    for (const limit of [0, 1001]) await expect(list({ limit })).rejects.toThrow(/Invalid limit; max 1000/);
  });

  test('a payment is found by its reference', async () => {
    const wallet = await walletWith(100n);
    const [to, reference, other] = await Promise.all(
      [1, 2, 3].map(async () => (await generateKeyPairSigner()).address),
    );
    const signature = await pay({
      rpcUrl: chain.rpcUrl,
      from: wallet.signer,
      destinationOwner: to!,
      amountBaseUnits: 1n,
      references: [reference!],
    });
    settle(chain, 'confirmed');
    const find = async (key: Address) =>
      (await rpc.getSignaturesForAddress(key, { commitment: 'confirmed' }).send()).map(
        (entry) => entry.signature,
      );
    expect(await find(reference!)).toEqual([signature]);
    expect(await find(other!)).toEqual([]);
  });

  test('`processed` is refused for history', async () => {
    const config = { commitment: 'processed' } as never;
    const refusal = { context: { __code: -32602 } };
    await expect(rpc.getSignaturesForAddress(usdcMint, config).send()).rejects.toMatchObject(refusal);
    const signature = '1'.repeat(64) as Signature;
    await expect(rpc.getTransaction(signature, config).send()).rejects.toMatchObject(refusal);
  });
});

describe('JSON-RPC manners', () => {
  async function post(
    body: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) {
    const response = await fetch(chain.rpcUrl, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  test('batches are answered in order', async () => {
    const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });
    const { text } = await post(
      JSON.stringify([call(1, 'getHealth'), call(2, 'nothing'), call(3, 'getGenesisHash')]),
    );
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: '2.0', result: 'ok', id: 1 },
      { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 2 },
      { jsonrpc: '2.0', result: SANDBOX_GENESIS_HASH, id: 3 },
    ]);
  });

  test.each([
    ['{', -32700],
    ['[]', -32600],
    ['{"id":1,"method":"getHealth"}', -32600],
    ['{"jsonrpc":"2.0","id":[1],"method":"getHealth"}', -32600],
    ['{"jsonrpc":"2.0","id":true,"method":"getHealth"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"getBalance"}', -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["abc"]}', -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["0OIl"]}', -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"soon"}]}', -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":["AAAA",{"encoding":"base64"}]}', -32602],
  ])('%s is refused with %i', async (body, code) => {
    const { status, text } = await post(body);
    expect(status).toBe(200);
    expect(JSON.parse(text).error.code).toBe(code);
  });

  test('browsers may call; wrong methods, types and sizes are turned away', async () => {
    const preflight = await fetch(chain.rpcUrl, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const { headers } = await post('{"jsonrpc":"2.0","id":1,"method":"getHealth"}');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect((await fetch(chain.rpcUrl, { method: 'DELETE' })).status).toBe(405);
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(`"${'x'.repeat(60_000)}"`)).status).toBe(413);
    expect(await (await fetch(`${chain.rpcUrl}/health`)).text()).toBe('ok');
  });
});
