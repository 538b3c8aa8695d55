import {
  type Address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getSignatureFromTransaction,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createWallet, pay, send, settle, type Wallet } from '../../../test/support/wallet.ts';
import { type SandboxChain, startSandboxChain } from './start-sandbox-chain.ts';

let chain: SandboxChain;
let wallet: Wallet;
let to: Address;
let listening: AbortController;

beforeEach(async () => {
  chain = await startSandboxChain({ slotMs: 0, now: () => new Date(Date.UTC(2026, 0, 31)) });
  wallet = await createWallet(chain, { usdcBaseUnits: 1_000n });
  settle(chain, 'finalized');
  to = (await generateKeyPairSigner()).address;
  listening = new AbortController();
});

afterEach(async () => {
  listening.abort();
  await chain.stop();
});

const subscriptions = () => createSolanaRpcSubscriptions(chain.wsUrl);
const signal = () => ({ abortSignal: listening.signal });
const payNow = () =>
  pay({ rpcUrl: chain.rpcUrl, from: wallet.signer, destinationOwner: to, amountBaseUnits: 1n });

/** The next notification of a kit subscription. */
async function next<Item>(items: AsyncIterable<Item>): Promise<Item> {
  for await (const item of items) return item;
  throw new Error('the subscription ended');
}

describe('an unmodified kit client', () => {
  test('sends and confirms over WebSocket while slots tick', async () => {
    const ticking = await startSandboxChain({ slotMs: 50, now: () => new Date(Date.UTC(2026, 0, 31)) });
    try {
      const rpc = createSolanaRpc(ticking.rpcUrl);
      const rpcSubscriptions = createSolanaRpcSubscriptions(ticking.wsUrl);
      const payer = (await createWallet(ticking)).signer;
      const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send();
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (draft) => setTransactionMessageFeePayerSigner(payer, draft),
        (draft) => setTransactionMessageLifetimeUsingBlockhash(latest, draft),
        (draft) =>
          appendTransactionMessageInstructions(
            [getTransferSolInstruction({ source: payer, destination: to, amount: 5_000_000n })],
            draft,
          ),
      );
      const transaction = await signTransactionMessageWithSigners(message);
      assertIsTransactionWithBlockhashLifetime(transaction);
      const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
      await sendAndConfirm(transaction, { commitment: 'confirmed', preflightCommitment: 'processed' });
      expect((await rpc.getBalance(to, { commitment: 'confirmed' }).send()).value).toBe(5_000_000n);
      const { value } = await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
      expect(['confirmed', 'finalized']).toContain(value[0]!.confirmationStatus);
    } finally {
      await ticking.stop();
    }
  });

  test('slots are announced as they open, with parent and root', async () => {
    const slots = await subscriptions().slotNotifications().subscribe(signal());
    chain.advanceSlots(1);
    const slot = BigInt(chain.slot);
    expect(await next(slots)).toEqual({ parent: slot - 1n, root: slot - 32n, slot });
  });

  test('logs that mention an address come at the commitment asked for', async () => {
    const account = wallet.usdcAccount;
    const processed = await subscriptions()
      .logsNotifications({ mentions: [account] }, { commitment: 'processed' })
      .subscribe(signal());
    const finalized = await subscriptions()
      .logsNotifications({ mentions: [account] }, { commitment: 'finalized' })
      .subscribe(signal());
    const [first, last] = [next(processed), next(finalized)];
    const signature = await payNow();
    const told = await first;
    expect(told.value).toMatchObject({ err: null, signature });
    expect(told.value.logs.join()).toContain('success');
    expect(told.context.slot).toBe(BigInt(chain.slot));
    let isFinal = false;
    void last.then(() => {
      isFinal = true;
    });
    settle(chain, 'confirmed');
    await chain.flush();
    expect(isFinal).toBe(false);
    settle(chain, 'finalized');
    expect((await last).value.signature).toBe(signature);
  });

  test('all logs, and none of strangers for those who asked about one address', async () => {
    const all = await subscriptions()
      .logsNotifications('all', { commitment: 'processed' })
      .subscribe(signal());
    const stranger = await subscriptions()
      .logsNotifications({ mentions: [to] }, { commitment: 'processed' })
      .subscribe(signal());
    const [heard, heardLater] = [next(all), next(stranger)];
    const unrelated = await chain.fund(wallet.address);
    expect((await heard).value.signature).toBe(unrelated);
    const mine = await chain.fund(to);
    expect((await heardLater).value.signature).toBe(mine);
  });

  test('an account notification follows every change', async () => {
    const changes = await subscriptions()
      .accountNotifications(to, { commitment: 'confirmed', encoding: 'base64' })
      .subscribe(signal());
    const change = next(changes);
    await chain.fund(to, 1_000_000n);
    await chain.fund(to, 2_000_000n);
    settle(chain, 'confirmed');
    expect((await change).value).toMatchObject({ lamports: 3_000_000n });
  });

  test('a signature is announced at its commitment, even when it got there long ago', async () => {
    const signature = await payNow();
    settle(chain, 'finalized');
    const late = await subscriptions()
      .signatureNotifications(signature, { commitment: 'finalized' })
      .subscribe(signal());
    expect((await next(late)).value).toEqual({ err: null });
  });

  test('a failed transaction is announced with its error', async () => {
    const instructions = [
      getTransferSolInstruction({ source: wallet.signer, destination: to, amount: 10n ** 15n }),
    ];
    const signature = await send({
      rpcUrl: chain.rpcUrl,
      payer: wallet.signer,
      instructions,
      skipPreflight: true,
    });
    const told = await subscriptions()
      .signatureNotifications(signature, { commitment: 'processed' })
      .subscribe(signal());
    expect((await next(told)).value).toEqual({ err: { InstructionError: [1n, { Custom: 1n }] } });
  });
});

describe('on the wire', () => {
  async function connect() {
    const socket = new WebSocket(chain.wsUrl);
    const heard: { method?: string; result?: unknown; error?: { code: number }; id?: number }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    let id = 0;
    /** Resolves with the answer; notifications that came before it are in `heard` too. */
    const call = (method: string, ...params: unknown[]) => {
      const mine = ++id;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: mine, method, params }));
      return new Promise<(typeof heard)[number]>((resolve) => {
        const look = (data: unknown) => {
          const message = JSON.parse(String(data));
          if (message.id !== mine) return;
          socket.off('message', look);
          resolve(message);
        };
        socket.on('message', look);
      });
    };
    const untilHeard = async (count: number) => {
      while (heard.length < count) await new Promise((resolve) => socket.once('message', resolve));
    };
    return { socket, heard, call, untilHeard };
  }

  test('received, then processed; the answer to subscribing comes before both', async () => {
    const { call, heard, untilHeard, socket } = await connect();
    const signature = await payNow();
    await call('signatureSubscribe', signature, {
      commitment: 'processed',
      enableReceivedNotification: true,
    });
    await untilHeard(3);
    expect(heard.map(({ method, id }) => method ?? id)).toEqual([
      1,
      'signatureNotification',
      'signatureNotification',
    ]);
    socket.terminate();
  });

  test('an ended subscription is silent; one of somebody else cannot be ended', async () => {
    const { call, heard, socket } = await connect();
    const stranger = await connect();
    const { result } = await call('slotSubscribe');
    expect((await stranger.call('slotUnsubscribe', result)).error?.code).toBe(-32602);
    chain.advanceSlots(1);
    expect(await call('slotUnsubscribe', result)).toMatchObject({ result: true });
    chain.advanceSlots(1);
    expect((await call('slotUnsubscribe', result)).error?.code).toBe(-32602);
    expect(heard.filter(({ method }) => method === 'slotNotification')).toHaveLength(1);
    for (const { terminate } of [socket, stranger.socket].map((ws) => ({ terminate: () => ws.terminate() })))
      terminate();
  });

  test('nonsense is answered with an error, and a ping without id not at all', async () => {
    const { call, heard, socket } = await connect();
    socket.send('{"jsonrpc":"2.0","method":"ping"}');
    socket.send('{');
    expect((await call('voteSubscribe')).error?.code).toBe(-32601);
    expect((await call('logsSubscribe', { mentions: [to, to] })).error?.code).toBe(-32602);
    expect((await call('logsSubscribe', 'some')).error?.code).toBe(-32602);
    expect(heard[0]).toMatchObject({ error: { code: -32700 } });
    expect(heard).toHaveLength(4);
    socket.terminate();
  });
});
