import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandboxChain } from '@florin/sandbox-chain';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeBase58, newReferenceAddress } from '../../src/platform/lib/base58.ts';
import { createPayer } from '../payer.ts';
import type { RecordedPayment } from '../recorded-payments.ts';

/**
 * A node that costs next to nothing: it plays payments at an even pace, each of them the record of a real one with
 * its own signature, reference, destination and balances. What it does not know it asks the sandbox chain.
 */
const CENTS = Number(process.env.CENTS);
const SLOT_MS = Number(process.env.SLOT_MS);
/** Balance of every account before its first payment; 0: it does not exist. */
const OPENING_BALANCE = BigInt(process.env.OPENING_BALANCE ?? 0);
const CONFIRMED_SLOTS = 2;
const FINAL_SLOTS = 32;

const sandbox = await startSandboxChain({ slotMs: 0, now: () => new Date() });
const record = await recordPayment();

const startedMs = performance.now();
const openSlot = () => 1_000 + Math.floor((performance.now() - startedMs) / SLOT_MS);
const timeOf = (slot: number) => Math.floor((Date.now() - (openSlot() - slot) * SLOT_MS) / 1000);

interface Landed extends RecordedPayment {
  slot: number;
  blockTime: number;
  balanceBefore: bigint;
}
const landed = new Map<string, Landed>();
const byAccount = new Map<string, Landed[]>();
const isConfirmed = ({ slot }: Landed) => slot <= openSlot() - CONFIRMED_SLOTS;
const isFinal = ({ slot }: Landed) => slot <= openSlot() - FINAL_SLOTS;

function land(payment: RecordedPayment): void {
  const history = byAccount.get(payment.account) ?? [];
  byAccount.set(payment.account, history);
  const before = history.at(-1);
  const balanceBefore = before ? balanceAfter(before) : OPENING_BALANCE;
  const slot = openSlot();
  const one = { ...payment, slot, blockTime: timeOf(slot), balanceBefore };
  history.push(one);
  landed.set(payment.signature, one);
  setTimeout(() => notify(payment.account), CONFIRMED_SLOTS * SLOT_MS + SLOT_MS);
}

const PLAY_MS = 10;

function play(payments: readonly RecordedPayment[], perSecond: number): void {
  const playedFromMs = performance.now();
  let next = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - playedFromMs) / 1000) * perSecond;
    while (next < payments.length && next < due) land(payments[next++]!);
    if (next === payments.length) clearInterval(timer);
  }, PLAY_MS);
}

type Params = [never, Record<string, unknown>];
const methods: Record<string, (params: Params) => unknown> = {
  getSlot: () => openSlot() - FINAL_SLOTS,
  getBlockTime: ([slot]) => timeOf(slot),
  getMultipleAccounts([accounts]: [string[]] | Params) {
    const slot = openSlot() - FINAL_SLOTS;
    const value = (accounts as string[]).map((account) => {
      const newest = byAccount.get(account)?.findLast((one) => one.slot <= slot);
      const balance = newest ? balanceAfter(newest) : OPENING_BALANCE;
      return balance > 0n ? { data: [tokenAccount(balance), 'base64'] } : null;
    });
    return { context: { slot }, value };
  },
  getSignaturesForAddress([account, { until, before, limit }]) {
    const history = byAccount.get(account) ?? [];
    const page: object[] = [];
    const first = openingOf(account);
    let isAfter = before === undefined;
    for (let i = history.length - 1; i >= 0 && page.length < Number(limit); i--) {
      const one = history[i]!;
      if (one.signature === until) return page;
      if (isAfter && isConfirmed(one)) page.push(listed(one));
      if (one.signature === before) isAfter = true;
    }
    if (OPENING_BALANCE > 0n && isAfter && before !== first.signature && page.length < Number(limit))
      page.push(first);
    return page;
  },
  getSignatureStatuses: ([signatures]: [string[]] | Params) => ({
    value: (signatures as string[]).map((signature) => {
      const one = landed.get(signature);
      return one ? { confirmationStatus: isFinal(one) ? 'finalized' : 'confirmed' } : null;
    }),
  }),
  getTransaction([signature, { commitment }]) {
    const one = landed.get(signature);
    return one && (commitment === 'finalized' ? isFinal(one) : isConfirmed(one)) ? transactionOf(one) : null;
  },
  bench_landed: () => landed.size,
  bench_final: () => [...landed.values()].filter(isFinal).length,
};

const balanceAfter = (one: Landed) => one.balanceBefore + BigInt(CENTS * 10_000);

function listed(one: Landed) {
  const { signature, slot, blockTime } = one;
  return {
    signature,
    slot,
    blockTime,
    err: null,
    memo: null,
    confirmationStatus: isFinal(one) ? 'finalized' : 'confirmed',
  };
}

/** Transaction that brought the opening balance, long ago. */
function openingOf(account: string) {
  const signature = encodeBase58(createHash('sha512').update(account).digest());
  const blockTime = timeOf(openSlot()) - 86_400;
  return { signature, slot: 1, blockTime, err: null, memo: null, confirmationStatus: 'finalized' };
}

function tokenAccount(amount: bigint): string {
  const data = Buffer.alloc(165);
  data.writeBigUInt64LE(amount, 64);
  return data.toString('base64');
}

/** The record's words replaced by this payment's own. */
function transactionOf(one: Landed): RawText {
  const words: Record<string, string> = {
    [record.signature]: one.signature,
    [record.reference]: one.reference,
    [record.owner]: one.destination,
    [record.account]: one.account,
    [record.before]: one.balanceBefore.toString(),
    [record.after]: balanceAfter(one).toString(),
    '"@slot"': String(one.slot),
    '"@blockTime"': String(one.blockTime),
  };
  return new RawText(record.parts.map((part) => words[part] ?? part).join(''));
}

/** JSON as it is to be sent. */
class RawText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Two real payments: the second finds money in the account, as nearly every payment does. */
async function recordPayment() {
  sandbox.advanceSlots(40);
  const pay = await createPayer(sandbox.rpcUrl);
  const payment = { id: 'record', destination: newReferenceAddress(), cents: CENTS };
  await pay({ ...payment, reference: newReferenceAddress() });
  const reference = newReferenceAddress();
  const signature = await pay({ ...payment, reference });
  sandbox.advanceSlots(40);
  const options = { commitment: 'finalized', encoding: 'json', maxSupportedTransactionVersion: 1 };
  const { result } = await askSandbox({ method: 'getTransaction', params: [signature, options] });
  const balance = result.meta.postTokenBalances.find(
    (one: { owner: string }) => one.owner === payment.destination,
  );
  const account: string = result.transaction.message.accountKeys[balance.accountIndex];
  const [before, after] = [String(CENTS * 10_000), String(2 * CENTS * 10_000)];
  const text = JSON.stringify({ ...result, slot: '@slot', blockTime: '@blockTime' });
  const words = [
    signature,
    reference,
    payment.destination,
    account,
    `(?<=")${after}(?=")`,
    `(?<=")${before}(?=")`,
  ];
  const parts = text.split(new RegExp(`(${words.join('|')}|"@slot"|"@blockTime")`));
  return { signature, reference, owner: payment.destination, account, before, after, parts };
}

// biome-ignore lint/suspicious/noExplicitAny: it is our own node's answer
async function askSandbox(request: object): Promise<any> {
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
  });
  return response.json();
}

const server = createServer(async (incoming, response) => {
  const request = JSON.parse(await bodyOf(incoming));
  response.setHeader('content-type', 'application/json');
  if (request.method === 'bench_play') {
    const [path, perSecond] = request.params;
    play(JSON.parse(await readFile(path, 'utf8')), perSecond);
    return response.end('{"result":true}');
  }
  const method = methods[request.method];
  if (!method) return response.end(JSON.stringify(await askSandbox(request)));
  const result = method(request.params);
  const text = result instanceof RawText ? result.text : JSON.stringify(result);
  response.end(`{"jsonrpc":"2.0","id":1,"result":${text}}`);
});

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const listeners = new Map<string, { socket: WebSocket; subscription: number }>();
new WebSocketServer({ server }).on('connection', (socket) => {
  socket.on('message', (data) => {
    const { id, method, params } = JSON.parse(String(data));
    if (method !== 'logsSubscribe') return;
    listeners.set(params[0].mentions[0], { socket, subscription: id });
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: id }));
  });
});

function notify(account: string): void {
  const listener = listeners.get(account);
  const params = { subscription: listener?.subscription, result: {} };
  listener?.socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'logsNotification', params }));
}

process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
