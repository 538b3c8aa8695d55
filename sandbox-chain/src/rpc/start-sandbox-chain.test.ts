import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Address,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  generateKeyPairSigner,
  type Signature,
} from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createWallet,
  memoInstruction,
  pay,
  send,
  settle,
  sign,
  tokenAccountOf,
  usdcMint,
  waitForSignature,
} from '../../../test/support/wallet.ts';
import { SANDBOX_GENESIS_HASH } from '../ledger/genesis.ts';
import { openLedgerLog } from '../ledger/ledger-log.ts';
import { type SandboxChain, startSandboxChain } from './start-sandbox-chain.ts';

const START = Date.UTC(2026, 0, 31, 12);

let folder: string;
let running: SandboxChain[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-chain-'));
});

afterEach(async () => {
  await Promise.all(running.map((chain) => chain.stop()));
  running = [];
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  stateFolder: string | undefined = folder,
  now: number | (() => number) = START,
): Promise<SandboxChain> {
  const chain = await startSandboxChain({
    slotMs: 0,
    now: () => new Date(typeof now === 'number' ? now : now()),
    ...(stateFolder !== undefined && { stateFolder }),
  });
  running.push(chain);
  return chain;
}

async function stop(chain: SandboxChain): Promise<void> {
  running = running.filter((other) => other !== chain);
  await chain.stop();
}

/** Everything a client can learn about an account and its history. */
async function story(chain: SandboxChain, account: Address) {
  const rpc = createSolanaRpc(chain.rpcUrl);
  const listed = await rpc.getSignaturesForAddress(account, { commitment: 'confirmed' }).send();
  const transactions = await Promise.all(
    listed.map(({ signature }) =>
      rpc
        .getTransaction(signature, {
          commitment: 'confirmed',
          encoding: 'json',
          maxSupportedTransactionVersion: 1,
        })
        .send(),
    ),
  );
  const { value } = await rpc.getAccountInfo(account, { encoding: 'base64', commitment: 'processed' }).send();
  return { account: value, listed: listed.map(({ confirmationStatus: _, ...entry }) => entry), transactions };
}

describe('restart', () => {
  test('everything is there again, and slots and block times go on', async () => {
    const first = await start();
    const wallet = await createWallet(first, { usdcBaseUnits: 1_000n });
    const to = (await generateKeyPairSigner()).address;
    const payment = { rpcUrl: first.rpcUrl, from: wallet.signer, destinationOwner: to };
    for (const version of ['legacy', 0, 1] as const) {
      await pay({ ...payment, amountBaseUnits: 7n, version, memo: `version ${version}` });
      first.advanceSlots(1);
    }
    await pay({ ...payment, amountBaseUnits: 10n ** 9n, skipPreflight: true });
    settle(first, 'confirmed');
    const account = await tokenAccountOf(to);
    const before = await story(first, account);
    expect(before.listed).toHaveLength(4);
    const { slot } = first;
    await stop(first);

    const second = await start(folder, START - 3_600_000);
    expect(second.slot).toBe(slot + 1);
    expect(await story(second, account)).toEqual(before);
    const rpc = createSolanaRpc(second.rpcUrl);
    expect(await rpc.getGenesisHash().send()).toBe(SANDBOX_GENESIS_HASH);
    expect(await rpc.getBlockTime(BigInt(second.slot)).send()).toBe(BigInt(START / 1000));
    await pay({ ...payment, rpcUrl: second.rpcUrl, amountBaseUnits: 1n });
    const { value } = await rpc.getTokenAccountBalance(account, { commitment: 'processed' }).send();
    expect(value.amount).toBe('22');
    const owned = await rpc.getTokenAccountsByOwner(to, { mint: usdcMint }, { encoding: 'base64' }).send();
    expect(owned.value.map(({ pubkey }) => pubkey)).toEqual([account]);
  });

  test('every recent slot still has its block time, exact where something landed and never going back', async () => {
    let now = START;
    const first = await start(folder, () => now);
    const rpcOf = (chain: SandboxChain) => createSolanaRpc(chain.rpcUrl);
    const timesOf = (chain: SandboxChain, slots: number[]) =>
      Promise.all(slots.map(async (slot) => Number(await rpcOf(chain).getBlockTime(BigInt(slot)).send())));
    const opened = [first.slot];
    const landedIn: number[] = [];
    for (let round = 0; round < 40; round++) {
      now += 5_000;
      first.advanceSlots(7);
      opened.push(...Array.from({ length: 7 }, (_, back) => first.slot - 6 + back));
      if (round % 10 !== 0) continue;
      await first.fund((await generateKeyPairSigner()).address, 1_000_000n);
      landedIn.push(first.slot);
    }
    const exact = await timesOf(first, landedIn);
    const before = await timesOf(first, opened);
    await stop(first);

    const second = await start(folder, now);
    const after = await timesOf(second, opened);
    expect(await timesOf(second, landedIn)).toEqual(exact);
    expect(after).toEqual(after.toSorted((a, b) => a - b));
    expect(after.every((time, at) => time <= before[at]!)).toBe(true);
    expect(after.at(-1)).toBe(before.at(-1));
    await stop(second);
    const third = await start(folder, now);
    expect(await timesOf(third, opened)).toEqual(after);
  });

  test('a transaction signed before it may land after it, once', async () => {
    const first = await start();
    const wallet = await createWallet(first);
    const wire = await sign({
      rpcUrl: first.rpcUrl,
      payer: wallet.signer,
      instructions: [memoInstruction('hello')],
    });
    await stop(first);
    const second = await start();
    const rpc = createSolanaRpc(second.rpcUrl);
    const config = { encoding: 'base64', preflightCommitment: 'processed' } as const;
    await rpc.sendTransaction(wire, config).send();
    await stop(second);
    const third = await start();
    await expect(createSolanaRpc(third.rpcUrl).sendTransaction(wire, config).send()).rejects.toMatchObject({
      context: { __code: -32002 },
    });
  });

  test('cut off at any byte of the last transaction, the chain is as it was before it', async () => {
    const chain = await start();
    const { address } = await generateKeyPairSigner();
    await chain.fund(address, 1_000_000n);
    settle(chain, 'confirmed');
    await chain.flush();
    const file = join(folder, 'ledger.log');
    const kept = statSync(file).size;
    const before = await story(chain, address);
    await chain.fund(address, 2_000_000n);
    await chain.flush();
    const end = statSync(file).size;
    for (let size = kept; size < end; size += Math.ceil((end - kept) / 20)) {
      const copy = mkdtempSync(join(folder, 'copy-'));
      cpSync(file, join(copy, 'ledger.log'));
      truncateSync(join(copy, 'ledger.log'), size);
      const restarted = await start(copy);
      expect(await story(restarted, address)).toEqual(before);
      await restarted.fund(address, 3_000_000n);
      await stop(restarted);
    }
  });

  test('two chains do not write to one folder, and what was not written did not happen', async () => {
    const first = await start();
    const second = await start();
    const { address } = await generateKeyPairSigner();
    await expect(first.fund(address)).rejects.toThrow(/another process/);
    const { value } = await createSolanaRpc(first.rpcUrl)
      .getBalance(address, { commitment: 'processed' })
      .send();
    expect(value).toBe(0n);
    const { slot } = first;
    expect(() => first.advanceSlots(1_000)).toThrow(/another process/);
    expect(first.slot - slot).toBeLessThanOrEqual(150);
    running = running.filter((chain) => chain !== first);
    await expect(first.stop()).rejects.toThrow(/another process/);
    await second.fund(address);
  });

  test('the log of another chain, or of none, is refused', async () => {
    const file = join(folder, 'ledger.log');
    for (const record of [
      '{"kind":"genesis","version":1,"genesisHash":"x"}',
      '{"kind":"rollBack","toSlot":1}',
    ]) {
      const log = openLedgerLog(folder, () => {});
      log.append(record);
      await log.close();
      await expect(start()).rejects.toThrow(/another chain|no proper beginning/);
      rmSync(file);
    }
  });
});

describe('kill -9', () => {
  /** A chain in a process of its own, whose slots fly by so that checkpoints are written all the time. */
  async function spawnChain(): Promise<{ child: ChildProcess; rpcUrl: string }> {
    const script = `
      import { startSandboxChain } from ${JSON.stringify(new URL('./start-sandbox-chain.ts', import.meta.url).href)};
      const chain = await startSandboxChain({
        stateFolder: ${JSON.stringify(folder)}, slotMs: 20, now: () => new Date(${START}),
      });
      console.log(chain.rpcUrl);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout!, 'data');
    return { child, rpcUrl: String(line).trim() };
  }

  test('in the middle of writing, nothing that was acknowledged is lost and no slot comes twice', async () => {
    const { address } = await generateKeyPairSigner();
    const acknowledged: Signature[] = [];
    let highest = 0n;
    for (let round = 0; round < 3; round++) {
      const { child, rpcUrl } = await spawnChain();
      const rpc = createSolanaRpc(rpcUrl);
      const shown = await rpc.getSlot({ commitment: 'processed' }).send();
      expect(shown).toBeGreaterThan(highest);
      let dead = false;
      const senders = Array.from({ length: 4 }, async () => {
        while (!dead) {
          try {
            acknowledged.push(await call(rpcUrl, 'requestAirdrop', address, 1_000_000));
            const slot = await rpc.getSlot({ commitment: 'processed' }).send();
            if (slot > highest) highest = slot;
          } catch {
            // The process is being killed under our hands.
          }
        }
      });
      const enough = acknowledged.length + 40;
      while (acknowledged.length < enough) await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await once(child, 'exit');
      dead = true;
      await Promise.all(senders);
    }
    const chain = await start();
    expect(BigInt(chain.slot)).toBeGreaterThan(highest);
    settle(chain, 'finalized');
    const rpc = createSolanaRpc(chain.rpcUrl);
    const listed = await rpc.getSignaturesForAddress(address, { limit: 1_000 }).send();
    const landed = new Set(listed.map(({ signature }) => signature));
    expect(acknowledged.filter((signature) => !landed.has(signature))).toEqual([]);
    expect((await rpc.getBalance(address).send()).value).toBe(1_000_000n * BigInt(listed.length));
    const lines = readFileSync(join(folder, 'ledger.log'), 'utf8').split('\n').length;
    expect(lines).toBeGreaterThan(listed.length);
  });

  async function call(rpcUrl: string, method: string, ...params: unknown[]): Promise<Signature> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return ((await response.json()) as { result: Signature }).result;
  }
});

describe('roll back', () => {
  test('what was only confirmed vanishes, accounts are as before, and it may be sent again', async () => {
    const chain = await start();
    const rpc = createSolanaRpc(chain.rpcUrl);
    const wallet = await createWallet(chain, { usdcBaseUnits: 1_000n });
    const to = (await generateKeyPairSigner()).address;
    const account = await tokenAccountOf(to);
    const payment = { rpcUrl: chain.rpcUrl, from: wallet.signer, destinationOwner: to };
    settle(chain, 'finalized');
    const accounts = [wallet.address, wallet.usdcAccount, account, to, usdcMint];
    const before = await Promise.all(accounts.map((address) => story(chain, address)));
    const config = { encoding: 'base64', preflightCommitment: 'processed' } as const;
    const wire = await sign({
      rpcUrl: chain.rpcUrl,
      payer: wallet.signer,
      instructions: [memoInstruction('again')],
    });
    const again = await rpc.sendTransaction(wire, config).send();
    const paid = await pay({ ...payment, amountBaseUnits: 5n });
    settle(chain, 'confirmed');
    expect((await rpc.getSignatureStatuses([paid]).send()).value[0]).toMatchObject({
      confirmationStatus: 'confirmed',
    });

    const { slot } = chain;
    expect(chain.rollBack(3).sort()).toEqual([again, paid].sort());
    expect(chain.slot).toBeGreaterThan(slot);
    expect(await Promise.all(accounts.map((address) => story(chain, address)))).toEqual(before);
    expect((await rpc.getSignatureStatuses([paid, again]).send()).value).toEqual([null, null]);
    expect(await rpc.sendTransaction(wire, config).send()).toBe(again);
    await pay({ ...payment, amountBaseUnits: 6n });
    expect((await rpc.getTokenAccountBalance(account, { commitment: 'processed' }).send()).value.amount).toBe(
      '6',
    );
    settle(chain, 'finalized');
    const after = await Promise.all(accounts.map((address) => story(chain, address)));
    await stop(chain);
    const restarted = await start();
    expect(await Promise.all(accounts.map((address) => story(restarted, address)))).toEqual(after);
  });

  test('only the last slots go, and what is final never does', async () => {
    const chain = await start(undefined);
    const rpc = createSolanaRpc(chain.rpcUrl);
    const { address } = await generateKeyPairSigner();
    await chain.fund(address, 1_000_000n);
    chain.advanceSlots(1);
    const second = await chain.fund(address, 2_000_000n);
    expect(chain.rollBack(1)).toEqual([second]);
    expect((await rpc.getBalance(address, { commitment: 'processed' }).send()).value).toBe(1_000_000n);
    settle(chain, 'finalized');
    expect(chain.rollBack(32)).toEqual([]);
    expect((await rpc.getBalance(address, { commitment: 'processed' }).send()).value).toBe(1_000_000n);
    for (const count of [0, 33, 1.5]) expect(() => chain.rollBack(count)).toThrow(/1 to 32/);
  });
});

describe('time', () => {
  test('slots tick by themselves', async () => {
    const chain = await startSandboxChain({ slotMs: 5, now: () => new Date(START) });
    running.push(chain);
    const signature = (await chain.fund((await generateKeyPairSigner()).address)) as Signature;
    expect(await waitForSignature(chain.rpcUrl, signature, 'finalized')).toMatchObject({ err: null });
  });

  test('many subscribers and a hanging call do not keep it from stopping', async () => {
    const chain = await startSandboxChain({ slotMs: 0, now: () => new Date(START) });
    chain.faults.set({ rules: [{ kind: 'hang', methods: ['getSlot'] }] });
    const hanging = createSolanaRpc(chain.rpcUrl).getSlot().send();
    hanging.catch(() => {});
    const slots = await createSolanaRpcSubscriptions(chain.wsUrl)
      .slotNotifications()
      .subscribe({ abortSignal: new AbortController().signal });
    await chain.stop();
    await expect(hanging).rejects.toThrow();
    await expect(slots[Symbol.asyncIterator]().next()).rejects.toThrow();
  });
});

test('hundreds of payments are paged through without one missing or told twice', async () => {
  const chain = await start(undefined);
  const rpc = createSolanaRpc(chain.rpcUrl);
  const wallet = await createWallet(chain);
  const { address } = await generateKeyPairSigner();
  await chain.fund(address);
  const sent = new Set<string>();
  for (let i = 0; i < 250; i++) {
    const instructions = [{ ...memoInstruction(`${i}`), accounts: [{ address, role: 0 }] }];
    sent.add(await send({ rpcUrl: chain.rpcUrl, payer: wallet.signer, instructions, skipPreflight: true }));
    if (i % 10 === 0) chain.advanceSlots(1);
  }
  settle(chain, 'finalized');
  const seen: Signature[] = [];
  for (;;) {
    const before = seen.at(-1);
    const page = await rpc.getSignaturesForAddress(address, { limit: 60, ...(before && { before }) }).send();
    seen.push(...page.map(({ signature }) => signature));
    if (page.length < 60) break;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((signature) => sent.has(signature))).toHaveLength(sent.size);
});
