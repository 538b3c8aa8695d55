import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Agent, Response } from 'undici';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { parseForeignJson } from '../../platform/lib/foreign-json.ts';
import { type Json, stringifyJson } from '../../platform/lib/json.ts';
import { FairBudget } from './fair-budget.ts';
import { ProviderLimit } from './provider-limit.ts';
import { isOfMany, limitBelow, limitIn, refusalOf } from './refusal.ts';
import {
  RpcBadParams,
  RpcFailure,
  RpcNotFound,
  RpcRefusal,
  RpcTooMany,
  RpcUnasked,
  RpcUnreadable,
} from './rpc-failure.ts';

export interface RpcOptions {
  /** The preferred first; the next is asked when one fails. */
  urls: readonly string[];
  timeoutMs?: number;
  /** Calls per second, over all nodes. */
  maxPerSecond?: number;
  onCall?: (method: string, ok: boolean, node: number, tookMs: number) => void;
  /** An answer was not what the method promises, such as fewer items than were requested. The call has failed, too. */
  onInvalidAnswer?: (node: number, method: string, problem: string) => void;
  /** A call was not made, because the node's provider wants it to be left alone. */
  onLimited?: (node: number) => void;
}

export interface Rpc {
  /** Calls the nodes in turn until `read` accepts an answer. */
  ask<Result>(method: string, params: readonly unknown[], read: (value: Json) => Result): Promise<Result>;
  /** Asks one node alone, the n-th: for second opinions. */
  askNode<Result>(
    node: number,
    method: string,
    params: readonly unknown[],
    read: (value: Json) => Result,
  ): Promise<Result>;
  readonly nodeCount: number;
  /** Items that a list of this method may have at the most, as far as the node has refused longer ones. */
  mostAtOnce(node: number, method: string): number;
  /** For how much longer a node is to be left alone. */
  limitedMs(node: number): number;
}

interface Node {
  index: number;
  url: string;
  /** It has been failing: others are asked first until then. */
  restUntilMs: number;
  failures: number;
  /** No calls at all while it holds. */
  limit: ProviderLimit;
  /** By method. */
  mostAtOnce: Map<string, number>;
  connections: Promise<Agent> | undefined;
}

const SEND = 'sendTransaction';
const DEFAULT_TIMEOUT_MS = 8_000;
const MAX_REST_MS = 30_000;
/** A pause that is over so soon is waited for; during a longer one the call fails, and another node can be asked. */
const MAX_WAIT_MS = 1_000;
const TOO_MANY_REQUESTS = 429;
const TOO_LARGE = 413;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Talks JSON-RPC to one or more Solana nodes. Every answer is checked before it is believed: an error, a
 * timeout, garbage or an answer of another shape is *unknown*, and unknown is never "not paid".
 */
export function createRpc({
  urls,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  maxPerSecond = 1_000,
  onCall,
  onInvalidAnswer,
  onLimited,
}: RpcOptions): Rpc {
  const nodes = urls.map(newNode);
  const budget = new FairBudget(maxPerSecond);

  async function ask<Result>(method: string, params: readonly unknown[], read: (value: Json) => Result) {
    let failure: unknown = new RpcFailure('no Solana RPC node is set');
    let unknown: RpcFailure | undefined;
    const rested = restedAmong(nodes);
    for (const [i, node] of rested.entries()) {
      try {
        const result = await askOne(node, method, params, read);
        // A node may say that it took a payment and pass it on to nobody.
        if (method === SEND)
          for (const other of rested.slice(i + 1)) askOne(other, method, params, read).catch(() => {});
        return result;
      } catch (error) {
        failure = error;
        if (mayHaveActed(error)) unknown ??= error;
      }
    }
    // One node refuses what another has perhaps passed on.
    throw method === SEND ? (unknown ?? failure) : failure;
  }

  async function askOne<Result>(
    node: Node,
    method: string,
    params: readonly unknown[],
    read: (value: Json) => Result,
  ) {
    const isProbe = await admit(node, method, budget, onLimited);
    const startedMs = elapsedMs();
    const note = (ok: boolean) => onCall?.(method, ok, node.index, elapsedMs() - startedMs);
    try {
      const answer = await post(node, method, params, timeoutMs);
      const result = accept(answer, read, (problem) => onInvalidAnswer?.(node.index, method, problem));
      node.failures = 0;
      node.restUntilMs = 0;
      node.limit.noteAnswer({ isProbe });
      note(true);
      return result;
    } catch (error) {
      // Otherwise anybody who sends what no node takes, or what we cannot read, would send our nodes to rest.
      if (isOfNodeInHealth(error)) {
        note(true);
        throw error;
      }
      note(false);
      node.failures++;
      node.restUntilMs = elapsedMs() + Math.min(100 * 2 ** node.failures, MAX_REST_MS);
      throw error instanceof RpcFailure ? error : failureOf(method, error as Error);
    }
  }

  return {
    ask,
    askNode: (node, method, params, read) => askOne(nodes[node]!, method, params, read),
    nodeCount: nodes.length,
    mostAtOnce: (node, method) => nodes[node]!.mostAtOnce.get(method) ?? Number.POSITIVE_INFINITY,
    limitedMs: (node) => nodes[node]!.limit.leftMs(),
  };
}

function mayHaveActed(error: unknown): error is RpcFailure {
  return error instanceof RpcFailure && !(error instanceof RpcUnasked) && !isOfNodeInHealth(error);
}

/** Errors of a connection that was never made. */
const UNCONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

function failureOf(method: string, error: Error): RpcFailure {
  const { code } = (error.cause ?? {}) as { code?: string };
  const Failure = UNCONNECTED.includes(code ?? '') ? RpcUnasked : RpcFailure;
  return new Failure(`${method}: ${error.message}`, { cause: error });
}

function isOfNodeInHealth(error: unknown): boolean {
  return [RpcRefusal, RpcBadParams, RpcUnreadable, RpcNotFound].some((kind) => error instanceof kind);
}

const newNode = (url: string, index: number): Node => ({
  index,
  url,
  restUntilMs: 0,
  failures: 0,
  limit: new ProviderLimit(),
  mostAtOnce: new Map(),
  connections: undefined,
});

/** When all of them rest, the one that is back first is worth a try. */
function restedAmong(nodes: readonly Node[]): readonly Node[] {
  const backInMs = (node: Node) => Math.max(node.restUntilMs - elapsedMs(), node.limit.leftMs());
  const rested = nodes.filter((node) => backInMs(node) <= 0);
  return rested.length > 0 ? rested : nodes.toSorted((a, b) => backInMs(a) - backInMs(b)).slice(0, 1);
}

/** Waits for its turn among all calls, and leaves a node alone that is to be; true for the one call that may try it all the same. */
async function admit(
  { index, limit }: Node,
  method: string,
  budget: FairBudget,
  onLimited: RpcOptions['onLimited'],
): Promise<boolean> {
  for (;;) {
    const leftMs = limit.leftMs();
    if (leftMs > MAX_WAIT_MS) {
      if (limit.takeProbe()) {
        await budget.take();
        return true;
      }
      onLimited?.(index);
      const seconds = Math.ceil(leftMs / 1000);
      throw new RpcUnasked(`${method}: the node's provider refuses calls for another ${seconds} s`);
    }
    if (leftMs > 0) await sleep(leftMs);
    await budget.take();
    // Another call may have been refused while this one waited.
    if (limit.leftMs() === 0) return false;
  }
}

function accept<Result>(
  answer: Json,
  read: (value: Json) => Result,
  onInvalid: (problem: string) => void,
): Result {
  try {
    return read(answer);
  } catch (error) {
    if (error instanceof RpcFailure && !(error instanceof RpcUnreadable)) onInvalid(error.message);
    throw error;
  }
}

async function post(
  node: Node,
  method: string,
  params: readonly unknown[],
  timeoutMs: number,
): Promise<Json> {
  const { fetch } = await import('undici');
  node.connections ??= openConnections();
  const sentMs = elapsedMs();
  const response = await fetch(node.url, {
    dispatcher: await node.connections,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: stringifyJson({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  });
  const bytes = await readBytes(response);
  if (bytes.length > LARGE_BYTES) await ownTurn();
  if (!response.ok) {
    const retryAfter = response.headers.get('retry-after');
    if (response.status === TOO_MANY_REQUESTS || retryAfter !== null)
      node.limit.noteRefusal(retryAfter, sentMs);
    const told = `${method}: the node answered ${response.status}`;
    if (response.status === TOO_LARGE && isOfMany(method)) throw noteTooMany(node, method, params, told);
    throw new RpcFailure(told);
  }
  const answer = parseForeignJson(bytes.toString('utf8'));
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer))
    throw new RpcFailure(`${method}: not an answer`);
  if (answer.error) {
    const told = `${method}: ${stringifyJson(answer.error).slice(0, 300)}`;
    const limit = limitIn(answer.error);
    if (limit === 'calls') node.limit.noteRefusal(response.headers.get('retry-after'), sentMs);
    if (limit === 'items' && isOfMany(method)) throw noteTooMany(node, method, params, told);
    throw limit === 'calls' ? new RpcFailure(told) : refusalOf(method, answer.error, told);
  }
  if (!('result' in answer)) throw new RpcFailure(`${method}: an answer without a result`);
  return answer.result as Json;
}

function noteTooMany(node: Node, method: string, params: readonly unknown[], told: string): RpcTooMany {
  const most = limitBelow((params[0] as readonly unknown[]).length);
  node.mostAtOnce.set(method, Math.min(most, node.mostAtOnce.get(method) ?? most));
  return new RpcTooMany(told, most);
}

/**
 * Our own, because with those that all calls of a process share, one answer with `Connection: close` can make each
 * later call open a connection of its own.
 */
async function openConnections(): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({ allowH2: false });
}

async function readBytes(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new RpcFailure('an answer larger than 16 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const LARGE_BYTES = 100_000;
let lastTurn = Promise.resolve();

/** Large answers that arrive together are read in a turn of the event loop each, so that requests come in between. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}
