import type { AddressInfo } from 'node:net';
import type { Address } from '@solana/kit';
import { Chain } from '../ledger/chain.ts';
import { createFaucet } from './faucet.ts';
import { Faults } from './faults.ts';
import { type ListenAt, startHttpFace } from './http-face.ts';
import type { RpcMethods } from './rpc-call.ts';
import { rpcMethods } from './rpc-methods.ts';
import { startWebSocketFace, type WebSocketFace } from './websocket-face.ts';

export interface SandboxChainOptions {
  /** Folder that keeps the chain over restarts; without one it lives in memory. */
  stateFolder?: string;
  /** How long a slot lasts; 0: until it is ended by hand. */
  slotMs?: number;
  /** Block times come from here, at the opening of each slot; the machine's clock by default. */
  now?: () => Date;
  /** Host to listen on; 127.0.0.1 by default. Anyone who reaches it can give test money away and move its time. */
  host?: string;
  /** 0: any free one. */
  port?: number;
}

export interface SandboxNode {
  rpcUrl: string;
  wsUrl: string;
  faults: Faults;
}

export interface SandboxChain {
  rpcUrl: string;
  wsUrl: string;
  /** Faults on the way to this node, and in it. */
  faults: Faults;
  /** The open slot. */
  readonly slot: number;
  advanceSlots(count: number): void;
  /** Makes what landed in the last slots (1 to 32) vanish; answers the signatures, which may land again. */
  rollBack(slotCount: number): string[];
  /** Sends SOL, 10 by default; returns the signature. */
  fund(owner: Address, lamports?: bigint): Promise<string>;
  /** Gives USDC, making the owner's token account if there is none; answers the signature. */
  mintTo(owner: Address, baseUnits: bigint): Promise<string>;
  /** Another node of the same chain, with its own address and its own faults; it ends with the chain. */
  openNode(): Promise<SandboxNode>;
  /** Resolves when all that happened is on disk and every notification is on its way. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const DEFAULT_SLOT_MS = 400;
const LOOPBACK = '127.0.0.1';

/**
 * A real Solana runtime behind the ordinary JSON-RPC and WebSocket face of a node. Clients talk to it by URL and
 * cannot tell it from a cluster.
 */
export async function startSandboxChain(options: SandboxChainOptions = {}): Promise<SandboxChain> {
  const { stateFolder, slotMs = DEFAULT_SLOT_MS, now = () => new Date() } = options;
  const { host = LOOPBACK, port = 0 } = options;
  const chain = new Chain({ now, stateFolder });
  const faucet = await createFaucet(chain);
  const methods = rpcMethods(faucet);
  const first = await startNode(chain, methods, { host, port }).catch(async (error) => {
    // The port may be taken; the next attempt must find the state folder free.
    await chain.close();
    throw error;
  });
  const nodes = [first];
  const stopTicking = slotMs > 0 ? tick(chain, slotMs) : () => {};
  return {
    ...addressOf(first),
    get slot() {
      return chain.slots.slot;
    },
    advanceSlots(count) {
      for (let i = 0; i < count; i++) chain.openSlot();
    },
    rollBack: (slotCount) => chain.rollBack(slotCount),
    fund: faucet.fund,
    mintTo: faucet.mintTo,
    async openNode() {
      const node = await startNode(chain, methods, { host, port: 0 });
      nodes.push(node);
      return addressOf(node);
    },
    async flush() {
      await chain.synced();
      for (const { sockets } of nodes) await sockets.flush();
    },
    async stop() {
      stopTicking();
      await Promise.all(nodes.map((node) => node.stop()));
      await chain.close();
    },
  };
}

interface RunningNode extends SandboxNode {
  sockets: WebSocketFace;
  stop(): Promise<void>;
}

const addressOf = ({ rpcUrl, wsUrl, faults }: SandboxNode): SandboxNode => ({ rpcUrl, wsUrl, faults });

async function startNode(chain: Chain, methods: RpcMethods, { host, port }: ListenAt): Promise<RunningNode> {
  const faults = new Faults();
  const server = await startHttpFace({ host, port }, { chain, faults, methods });
  const sockets = startWebSocketFace(server, chain, faults);
  const place = `${hostInUrl(host)}:${(server.address() as AddressInfo).port}`;
  return {
    rpcUrl: `http://${place}`,
    wsUrl: `ws://${place}`,
    faults,
    sockets,
    async stop() {
      sockets.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server that listens on all addresses is reached on loopback too. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return LOOPBACK;
  return host.includes(':') ? `[${host}]` : host;
}

/** After a pause of the machine the chain makes up for some slots, not for a night of them. */
const MAX_SLOTS_AT_ONCE = 64;

function tick(chain: Chain, slotMs: number): () => void {
  let due = performance.now() + slotMs;
  const timer = setInterval(() => {
    const behind = Math.floor((performance.now() - due) / slotMs) + 1;
    due += Math.max(behind, 0) * slotMs;
    try {
      for (let i = 0; i < Math.min(behind, MAX_SLOTS_AT_ONCE); i++) chain.openSlot();
    } catch {
      // While the disk cannot be written, the chain does not advance; senders of transactions get the reason.
    }
  }, slotMs);
  timer.unref();
  return () => clearInterval(timer);
}
