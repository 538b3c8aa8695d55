import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { cleanUp } from './clean-up.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is altered has the shape its method gives it.
type Loose = any;

/** A payment that is on no chain, dressed up as a real one. */
export interface Invented {
  signature: string;
  /** A real transaction that it looks like. */
  like: string;
  /** Text of the real one that is replaced, such as the reference. */
  replace: Record<string, string>;
  status?: 'confirmed' | 'finalized';
}

export interface LyingNode {
  url: string;
  isDead: boolean;
  /** Refuses every call with 429, and says when to come back. */
  retryAfter: string | undefined;
  /** Whatever these are, it does not have them. */
  hidden: Set<string>;
  invented: Invented[];
  /** Shows a transaction as this makes it, by signature. */
  altered: Map<string, (transaction: Loose) => void>;
  /** Added to every token account's final balance. */
  extraUnits: bigint;
  /** Says that it has sent what it keeps. */
  isKeeping: boolean;
  /** In base64. */
  kept: string[];
  /** Slots it claims to be ahead of where it is. */
  slotsAhead: number;
  /** Added to the slots of its lists. */
  listedSlots: number;
  asked: string[];
  /** Honest and alive from now on. */
  repent(): void;
}

/** A node in front of a chain that tells the truth until it is switched to lie, as real HTTP. */
export async function startLyingNode(rpcUrl: string): Promise<LyingNode> {
  const headers = { 'content-type': 'application/json' };
  async function ask(method: string, params: readonly Loose[]): Promise<Loose> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(rpcUrl, { method: 'POST', headers, body });
    return response.json();
  }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (node.isDead) return response.destroy();
    if (node.retryAfter !== undefined) {
      node.asked.push('refused');
      return response.writeHead(429, { 'retry-after': node.retryAfter }).end();
    }
    const { id, method, params = [] } = JSON.parse(body.toString());
    node.asked.push(method);
    const answer = { ...(await lie(node, ask, method, params)), id };
    response.writeHead(200, headers).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  const node: LyingNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isDead: false,
    retryAfter: undefined,
    hidden: new Set(),
    invented: [],
    altered: new Map(),
    extraUnits: 0n,
    isKeeping: false,
    kept: [],
    slotsAhead: 0,
    listedSlots: 0,
    asked: [],
    repent() {
      node.isDead = false;
      node.retryAfter = undefined;
      node.hidden.clear();
      node.invented = [];
      node.altered.clear();
      node.extraUnits = 0n;
      node.isKeeping = false;
      node.slotsAhead = 0;
      node.listedSlots = 0;
    },
  };
  return node;
}

export const newSignature = () => encodeBase58(randomBytes(64));

type Ask = (method: string, params: readonly Loose[]) => Promise<Loose>;

async function lie(node: LyingNode, ask: Ask, method: string, params: readonly Loose[]): Promise<Loose> {
  const madeUp = (signature: string) => node.invented.find((one) => one.signature === signature);
  if (method === 'sendTransaction' && node.isKeeping) {
    node.kept.push(params[0]);
    // After the number of signatures comes the first, which names it.
    return { jsonrpc: '2.0', result: encodeBase58(Buffer.from(params[0], 'base64').subarray(1, 65)) };
  }
  if (method === 'getTransaction') {
    const [signature, ...more] = params;
    if (node.hidden.has(signature)) return { jsonrpc: '2.0', result: null };
    const invention = madeUp(signature);
    const answer = await ask(method, [invention?.like ?? signature, ...more]);
    if (answer.result) node.altered.get(signature)?.(answer.result);
    return invention ? dressUp(answer, invention) : answer;
  }
  const answer = await ask(method, params);
  const { result } = answer;
  if (method === 'getSignaturesForAddress' && Array.isArray(result)) {
    const seen = result.filter((info: Loose) => !node.hidden.has(info.signature));
    // An invention takes the place of the one it looks like, and names whatever that one names.
    const all = seen.flatMap((info: Loose) => [...inventedLike(node, info), info]);
    const named = await inventedFor(node, ask, params);
    for (const info of all) info.slot += node.listedSlots;
    return { ...answer, result: [...named, ...all] };
  }
  if (method === 'getSignatureStatuses' && result)
    result.value = params[0].map((signature: string, i: number) => {
      if (node.hidden.has(signature)) return null;
      const invention = madeUp(signature);
      if (!invention) return result.value[i];
      return { slot: 1, confirmations: null, err: null, confirmationStatus: invention.status ?? 'finalized' };
    });
  if (method === 'getMultipleAccounts' && result)
    for (const account of result.value) addUnits(account, node.extraUnits);
  if (method === 'getSlot' && typeof result === 'number')
    return { ...answer, result: result + node.slotsAhead };
  return answer;
}

function dressUp(answer: Loose, { signature, like, replace }: Invented): Loose {
  let text = JSON.stringify(answer).replaceAll(like, signature);
  for (const [from, to] of Object.entries(replace)) text = text.replaceAll(from, to);
  return JSON.parse(text);
}

function inventedLike(node: LyingNode, info: Loose): Loose[] {
  return node.invented
    .filter(({ like }) => like === info.signature)
    .map(({ signature, status = 'finalized' }) => ({ ...info, signature, confirmationStatus: status }));
}

/** Returns the invented transactions that name this address. */
async function inventedFor(node: LyingNode, ask: Ask, [address]: readonly Loose[]): Promise<Loose[]> {
  const named = node.invented.filter(({ replace }) => Object.values(replace).includes(address));
  return Promise.all(
    named.map(async ({ signature, like, status = 'finalized' }) => {
      const { result } = await ask('getTransaction', [like, { maxSupportedTransactionVersion: 1 }]);
      const { slot, blockTime } = result;
      return { signature, slot, blockTime, err: null, memo: null, confirmationStatus: status };
    }),
  );
}

const AMOUNT_AT = 64;

function addUnits(account: Loose, units: bigint): void {
  if (!account || units === 0n) return;
  const data = Buffer.from(account.data[0], 'base64');
  data.writeBigUInt64LE(data.readBigUInt64LE(AMOUNT_AT) + units, AMOUNT_AT);
  account.data[0] = data.toString('base64');
}
