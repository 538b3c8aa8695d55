import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ACCOUNTS } from '../../chain/nodes/account-snapshots.ts';
import { checkNode } from '../../chain/solana/check-network.ts';
import { GENESIS_HASHES, type Network, USDC_MINTS } from '../../chain/solana/network.ts';
import { createRpc, type Rpc } from '../../chain/solana/rpc.ts';
import { RpcNotFound, RpcTooMany } from '../../chain/solana/rpc-failure.ts';
import { array, arrayOf, blockSeconds, integer, object, text } from '../../chain/solana/shapes.ts';
import { MAX_STATUSES } from '../../chain/solana/signature-statuses.ts';
import { LOOKS_MS } from '../../payments/watcher/read-mentioned.ts';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import { DAY_MS, elapsedMs, HOUR_MS, realNow } from '../../platform/lib/clock.ts';
import { listenOnce } from './listen-once.ts';

export interface ProbedNode {
  url: string;
  /** Endpoint for notifications; undefined: none is used. */
  socketUrl: string | undefined;
  network: Network;
  mint: string;
  /** Calls per second that the service may make. */
  callsPerSecond: number;
}

/** One measurement: what it is about, whether the service can work with it, and what was measured. */
export type NoteProbe = (check: string, ok: boolean, detail: string) => void;

interface Probing extends ProbedNode {
  rpc: Rpc;
  note: NoteProbe;
}

/**
 * Measures what a node and the plan of its provider allow, with about a hundred calls. Nothing is sent or stored, and a
 * measurement that fails says so and keeps none of the others from being made.
 */
export async function probeNode(node: ProbedNode, note: NoteProbe): Promise<void> {
  const probing = { ...node, note, rpc: createRpc({ urls: [node.url] }) };
  if (!(await measured(probing, 'network', probeNetwork))) return;
  await measured(probing, 'version', probeVersion);
  await measured(probing, 'history', probeHistory);
  await measured(probing, 'pruned transactions', probePruned);
  await measured(probing, 'accounts in one call', probeAccounts);
  await measured(probing, 'signatures in one call', probeSignatures);
  await measured(probing, 'index', probeIndex);
  if (node.socketUrl !== undefined) await measured(probing, 'notifications', probeNotifications);
  // Last, because it may use up what the plan allows for a while.
  await measured(probing, 'calls per second', probeRate);
}

/** The network that a node is on, and what is USDC there; undefined: none that is known. */
export async function learnNetwork(url: string): Promise<{ network: Network; mint: string } | undefined> {
  const rpc = createRpc({ urls: [url] });
  const genesis = await rpc.askNode(0, 'getGenesisHash', [], (value) => text(value, 'genesis hash'));
  const found = (['mainnet', 'devnet'] as const).find((network) => GENESIS_HASHES[network] === genesis);
  return found && { network: found, mint: USDC_MINTS[found] };
}

type Measured = [ok: boolean, detail: string];

async function measured(
  probing: Probing,
  check: string,
  measure: (probing: Probing) => Promise<Measured>,
): Promise<boolean> {
  const [ok, detail] = await measure(probing).catch((error: Error): Measured => [false, error.message]);
  probing.note(check, ok, detail);
  return ok;
}

async function probeNetwork({ rpc, network, mint }: Probing): Promise<Measured> {
  await checkNode(rpc, 0, network, mint);
  return [true, `on ${network}, and knows its USDC`];
}

async function probeVersion({ rpc }: Probing): Promise<Measured> {
  const version = await rpc.askNode(0, 'getVersion', [], (value) =>
    text(object(value, 'version')['solana-core'], 'version'),
  );
  return [true, version];
}

/** A service that was off for longer than a node keeps its history misses what is older. */
const MIN_KEPT_MS = 2 * DAY_MS;

async function probeHistory({ rpc, network }: Probing): Promise<Measured> {
  const first = await rpc.askNode(0, 'getFirstAvailableBlock', [], (value) => integer(value, 'block'));
  if (first <= 1) return [true, 'everything, from the first block on'];
  const seconds = await rpc.askNode(0, 'getBlockTime', [first], blockSeconds);
  const keptMs = realNow().getTime() - seconds * 1000;
  const ok = keptMs >= MIN_KEPT_MS || network === 'sandbox';
  const advice = ok
    ? ''
    : '; while the service is off for longer, payments may go unseen: add a node that keeps more';
  return [ok, `${inDays(keptMs)} (from block ${first} on)${advice}`];
}

const inDays = (ms: number) =>
  ms >= DAY_MS ? `${(ms / DAY_MS).toFixed(1)} days` : `${(ms / HOUR_MS).toFixed(1)} hours`;

async function probePruned({ rpc, mint }: Probing): Promise<Measured> {
  const options = { limit: 1, until: encodeBase58(randomBytes(64)) };
  try {
    await rpc.askNode(0, 'getSignaturesForAddress', [mint, options], (value) => array(value, 'signatures'));
    return [true, 'a list up to a transaction that is not there is the whole list'];
  } catch (error) {
    if (!(error instanceof RpcNotFound)) throw error;
    return [
      true,
      'a list up to a transaction that is not there is an error (-32020), and is read without it',
    ];
  }
}

async function probeAccounts({ rpc }: Probing): Promise<Measured> {
  const options = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } };
  return probeList(rpc, 'getMultipleAccounts', MAX_ACCOUNTS, 32, options);
}

async function probeSignatures({ rpc }: Probing): Promise<Measured> {
  return probeList(rpc, 'getSignatureStatuses', MAX_STATUSES, 64, {});
}

/** Asks for as many as the service does, and for fewer until the node answers. Nobody has these: their bytes are random. */
async function probeList(
  rpc: Rpc,
  method: string,
  wanted: number,
  bytes: number,
  options: object,
): Promise<Measured> {
  for (let count = wanted; ; count = Math.min(rpc.mostAtOnce(0, method), count - 1)) {
    const items = Array.from({ length: count }, () => encodeBase58(randomBytes(bytes)));
    try {
      await rpc.askNode(0, method, [items, options], (value) =>
        arrayOf(count, object(value, 'list').value, 'items'),
      );
      const times = Math.ceil(wanted / count);
      const cost = count === wanted ? '' : `: what takes one call elsewhere takes up to ${times} here`;
      return [true, `${count}${cost}`];
    } catch (error) {
      if (!(error instanceof RpcTooMany) || count === 1) throw error;
    }
  }
}

/** Slots by which the index of a busy address may be behind; more is an index that payments are missing in. */
const MAX_BEHIND_SLOTS = 150;

async function probeIndex({ rpc, mint, network }: Probing): Promise<Measured> {
  const commitment = 'confirmed';
  const slot = await rpc.askNode(0, 'getSlot', [{ commitment }], (value) => integer(value, 'slot'));
  const newest = await rpc.askNode(
    0,
    'getSignaturesForAddress',
    [mint, { limit: 1, commitment }],
    (value) => {
      const [first] = array(value, 'signatures');
      return first === undefined ? undefined : integer(object(first, 'signature').slot, 'slot');
    },
  );
  if (newest === undefined) return [network === 'sandbox', 'lists no transactions of the token'];
  const behind = Math.max(0, slot - newest);
  // Only on mainnet somebody pays with USDC in every slot.
  const ok = network !== 'mainnet' || behind <= MAX_BEHIND_SLOTS;
  return [ok, `the newest transaction listed is ${behind} slots old`];
}

/** Time within which somebody on the network pays with USDC. */
const LISTEN_MS = 5_000;

async function probeNotifications({ rpc, mint, socketUrl }: Probing): Promise<Measured> {
  const { confirmedMs, signature } = await listenOnce(socketUrl!, mint, LISTEN_MS);
  const subscribed = `subscribed after ${Math.round(confirmedMs)} ms`;
  if (signature === undefined)
    return [true, `${subscribed}; nobody paid with the token in ${LISTEN_MS / 1000} s`];
  const startedMs = elapsedMs();
  for (const waitMs of LOOKS_MS) {
    await sleep(Math.max(0, waitMs - (elapsedMs() - startedMs)));
    const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    const isThere = await rpc.askNode(0, 'getTransaction', [signature, options], (value) => value !== null);
    if (isThere) {
      const tookMs = Math.round(elapsedMs() - startedMs);
      return [true, `${subscribed}; a transaction that it announced could be read ${tookMs} ms later`];
    }
  }
  return [false, `${subscribed}; a transaction that it announced could not be read within 2 s`];
}

/** Faster than any plan that a shop needs. */
const MAX_RATE = 100;

async function probeRate({ url, callsPerSecond }: Probing): Promise<Measured> {
  const wanted = Math.min(callsPerSecond, MAX_RATE);
  // A client of its own: one that was refused leaves the node alone.
  const rpc = createRpc({ urls: [url], maxPerSecond: wanted });
  let taken = 0;
  let refusal: Error | undefined;
  const call = () =>
    rpc
      .askNode(0, 'getSlot', [], (value) => integer(value, 'slot'))
      .then(
        () => void taken++,
        (error: Error) => {
          refusal ??= error;
        },
      );
  const calls: Promise<void>[] = [];
  for (let i = 0; i < 2 * wanted && !refusal; i++) {
    calls.push(call());
    await sleep(1000 / wanted);
  }
  await Promise.all(calls);
  if (!refusal) return [true, `${wanted}, as the service makes at the most`];
  const setting = `set SOLANA_MAX_CALLS_PER_SECOND to less than ${wanted}, or take a larger plan`;
  return [false, `${taken} were taken before one was refused (${refusal.message}); ${setting}`];
}
