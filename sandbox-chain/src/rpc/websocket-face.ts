import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { stringifyJson } from '../encoding/json.ts';
import type { Chain } from '../ledger/chain.ts';
import { failure, type RpcRequest, readRequests } from './answer-requests.ts';
import type { Faults } from './faults.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from './rpc-error.ts';
import { subscribeMethods } from './subscription-topics.ts';
import { Subscriptions } from './subscriptions.ts';

const MAX_MESSAGE_BYTES = 50 * 1024;
const LOOK_BACK_MS = 10;

export interface WebSocketFace {
  /** Resolves when everything said so far has been handed to the network. */
  flush(): Promise<void>;
  stop(): void;
}

/** Subscriptions over WebSocket, on the port that also answers calls. */
export function startWebSocketFace(server: Server, chain: Chain, faults: Faults): WebSocketFace {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const subscriptions = new Subscriptions(chain);
  const unwatch = chain.watch(subscriptions);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (faults.strike('dropWebSocket', 'connect')) socket.destroy();
    else sockets.handleUpgrade(request, socket, head, (ws) => new Connection(ws, subscriptions, faults));
  });
  return {
    async flush() {
      while ([...sockets.clients].some((ws) => ws.bufferedAmount > 0)) await sleep(1);
    },
    stop() {
      unwatch();
      for (const ws of sockets.clients) ws.terminate();
      sockets.close();
    },
  };
}

class Connection {
  readonly #ws: WebSocket;
  readonly #subscriptions: Subscriptions;
  readonly #faults: Faults;
  readonly #mine = new Set<number>();

  constructor(ws: WebSocket, subscriptions: Subscriptions, faults: Faults) {
    this.#ws = ws;
    this.#subscriptions = subscriptions;
    this.#faults = faults;
    ws.on('message', (data) => void this.#receive(String(data)));
    ws.on('close', () => this.#end());
    ws.on('error', () => ws.terminate());
  }

  async #receive(text: string): Promise<void> {
    const incoming = readRequests(text);
    if ('unreadable' in incoming) return this.#send(incoming.unreadable);
    for (const request of Array.isArray(incoming) ? incoming : [incoming]) await this.#answer(request);
  }

  async #answer(request: RpcRequest): Promise<void> {
    const { method, id } = request;
    if (this.#faults.strike('dropWebSocket', method)) return this.#ws.terminate();
    if (this.#faults.strike('hang', method)) return;
    const slow = this.#faults.strike('latency', method);
    if (slow) await sleep(slow.effect.ms);
    try {
      const error = this.#faults.strike('rpcError', method)?.effect;
      if (error) throw new RpcError(error.code ?? INTERNAL_ERROR, error.message ?? 'Internal error');
      const result = this.#resultOf(request);
      this.#send({ jsonrpc: '2.0', result, id });
      if (typeof result === 'number') void this.#lookBackSoon(result);
    } catch (error) {
      this.#send(
        failure(id, error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'Internal error')),
      );
    }
  }

  /**
   * Clients begin to listen only after they have read the number of their subscription. A node takes a moment too;
   * the turns of the loop make sure of it when the client is in this very process.
   */
  async #lookBackSoon(id: number): Promise<void> {
    await sleep(LOOK_BACK_MS);
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    this.#subscriptions.lookBack(id);
  }

  /** The number of a new subscription, or true for one that has ended. */
  #resultOf({ method, params }: RpcRequest): number | true {
    const subscribe = Object.hasOwn(subscribeMethods, method) ? subscribeMethods[method] : undefined;
    if (subscribe) {
      const id = this.#subscriptions.add(subscribe(params), (...told) => this.#notify(...told));
      this.#mine.add(id);
      return id;
    }
    if (!Object.hasOwn(subscribeMethods, method.replace(/Unsubscribe$/, 'Subscribe')))
      throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
    const [id] = params;
    if (typeof id !== 'number' || !this.#mine.delete(id))
      throw new RpcError(INVALID_PARAMS, 'Invalid subscription id.');
    this.#subscriptions.remove(id);
    return true;
  }

  #notify(method: string, subscription: number, result: unknown): void {
    if (this.#faults.strike('dropWebSocket', method)) {
      this.#ws.terminate();
      return;
    }
    if (this.#faults.strike('loseNotification', method)) return;
    const message = { jsonrpc: '2.0', method, params: { result, subscription } };
    this.#send(message);
    if (this.#faults.strike('repeatNotification', method)) this.#send(message);
  }

  #send(message: object): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.send(stringifyJson(message));
  }

  #end(): void {
    for (const id of this.#mine) this.#subscriptions.remove(id);
    this.#mine.clear();
  }
}
