import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults, SandboxChain } from '@florin/sandbox-chain';
import { type TestChain, testChain } from './chain.ts';
import { type OddNode, startOddNode } from './odd-node.ts';
import { newIntent, payIntent, readIntent } from './payments.ts';
import type { ProviderProfile } from './provider-profiles.ts';
import { passWatched } from './pruned.ts';
import { type SwallowingProxy, startSwallowingProxy } from './swallowing-proxy.ts';
import { type Watching, watchChain } from './watch.ts';

/** A provider's endpoints in front of a chain. It is without limits until it begins. */
export interface Provider {
  url: string;
  wsUrl: string;
  node: OddNode;
  /** Faults of each backend. */
  faults: Faults[];
  socket: SwallowingProxy;
  begin(): void;
  /** The socket misbehaves in the next way of its profile. */
  nextPayment(): void;
  end(): void;
}

async function startProvider(chain: SandboxChain, profile: ProviderProfile): Promise<Provider> {
  const { backends = [[]], plan, socket: ways = [] } = profile;
  const nodes = await Promise.all(backends.map(() => chain.openNode()));
  const node = await startOddNode(...nodes.map(({ rpcUrl }) => rpcUrl));
  const { hostname: host, port } = new URL(nodes[0]!.wsUrl);
  const socket = await startSwallowingProxy({ host, port: Number(port) });
  let payments = 0;
  const provider: Provider = {
    ...{ url: node.url, wsUrl: `ws://127.0.0.1:${socket.port}`, node, socket },
    faults: nodes.map(({ faults }) => faults),
    begin() {
      for (const [i, rules] of backends.entries()) provider.faults[i]!.set({ rules: [...rules] });
      node.alter = plan?.();
    },
    nextPayment: () => ways[payments++]?.(provider),
    end() {
      for (const faults of provider.faults) faults.clear();
      node.alter = undefined;
    },
  };
  return provider;
}

export interface ProfiledChain extends TestChain {
  provider: Provider;
  watching: Watching;
}

/** More addresses than the smallest plan takes in one call. */
const NEIGHBOURS = 6;
/** Calls per second, as on mainnet without a setting. */
const CALLS_PER_SECOND = '25';

/** A shop among others whose only node is of this provider, with payments older than what the node keeps. */
export async function profiledChain(profile: ProviderProfile): Promise<ProfiledChain> {
  const holder: { provider?: Provider } = {};
  const t = await testChain({ SOLANA_MAX_CALLS_PER_SECOND: CALLS_PER_SECOND }, async (_rpcUrl, chain) => {
    holder.provider = await startProvider(chain, profile);
    return [holder.provider.url];
  });
  const provider = holder.provider!;
  for (let i = 0; i < NEIGHBOURS; i++) await newIntent(await t.service.createMerchant(`Neighbour ${i}`));
  await payIntent(t, await newIntent(t.shop));
  await t.finalize();
  await passWatched(t, 90);
  provider.begin();
  const { WATCH_POLL_MS: pollMs, WATCH_FINALITY_MS: finalityMs } = t.service.config;
  const { url, wsUrl } = provider;
  const watching = await watchChain(t, { urls: [url], wsUrl, pollMs, finalityMs });
  return Object.assign(t, { provider, watching });
}

/** Slots that pass in a second on the real network, or a few more. */
const SLOTS_PER_SECOND = 3;
const LOOK_MS = 100;

/** Ends a slot now and then, as the watcher's seconds pass, until it is so; returns how many of them it took. */
export async function secondsUntil(
  { chain, watching }: ProfiledChain,
  isSo: () => Promise<boolean>,
  most: number,
): Promise<number> {
  const firstSecond = watching.seconds();
  for (let last = firstSecond; !(await isSo()); ) {
    const second = watching.seconds();
    if (second - firstSecond > most)
      throw new Error(`not within ${most} seconds:\n${watching.log.join('\n')}`);
    if (second !== last) chain.advanceSlots(SLOTS_PER_SECOND);
    last = second;
    await sleep(LOOK_MS);
  }
  return watching.seconds() - firstSecond;
}

export const isPaid = async (t: TestChain, intent: Parameters<typeof readIntent>[1]) =>
  (await readIntent(t.shop, intent)).status === 'succeeded';
