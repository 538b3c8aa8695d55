import { type FaultRule, seededRandom } from '@florin/sandbox-chain';
import { address } from '@solana/kit';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import { bookedCents } from './booked-cents.ts';
import type { TestChain } from './chain.ts';
import { type LyingNode, newSignature } from './lying-node.ts';
import { pay } from './wallet.ts';

/** Methods that the watcher calls; wallets continue to pay undisturbed. */
const WATCHED_METHODS = [
  'getSlot',
  'getBlockTime',
  'getSignaturesForAddress',
  'getTransaction',
  'getSignatureStatuses',
  'getMultipleAccounts',
];

export interface HostileReport {
  seed: number;
  missed: string[];
  doubled: string[];
  /** Expired or failed though paid in time. */
  wronged: string[];
}

/** Misbehaviour of nodes for the length of a round. */
export interface Misbehaviour {
  begin(random: () => number, seed: number): void;
  /** Each payment as it was made. */
  meet?(payment: { signature: string; reference: string }, random: () => number): void;
  /** Tempts nodes before the end with intents still waiting for money. */
  tempt?(references: readonly string[], random: () => number): Promise<void>;
  end(): void;
}

/** The chain's own node does whatever can go wrong. */
function faultyNode({ chain }: TestChain): Misbehaviour {
  return {
    begin: (random, seed) => chain.faults.set({ seed, rules: rulesOf(random) }),
    end: () => chain.faults.clear(),
  };
}

/** One node of several hides, alters and invents payments, or falls silent; the others are honest. */
export function lyingNode(t: TestChain, nodes: readonly LyingNode[]): Misbehaviour {
  let liar = nodes[0]!;
  const made: { signature: string; reference: string }[] = [];
  return {
    begin(random) {
      liar = nodes[Math.floor(random() * nodes.length)]!;
    },
    meet(payment, random) {
      made.push(payment);
      const lie = Math.floor(random() * 5);
      if (lie === 0) liar.hidden.add(payment.signature);
      if (lie === 1) liar.altered.set(payment.signature, doubled);
      if (lie === 2) liar.altered.set(payment.signature, ({ meta }) => Object.assign(meta, { err: 'no' }));
      if (random() < 0.2) liar.extraUnits = BigInt(Math.floor(random() * 2_000_000));
      if (random() < 0.1) liar.listedSlots = Math.floor(random() * 1_000);
    },
    async tempt(references, random) {
      const like = made.at(-1);
      if (like)
        for (const reference of references)
          liar.invented.push({
            signature: newSignature(),
            like: like.signature,
            replace: { [like.reference]: reference },
            status: random() < 0.5 ? 'confirmed' : 'finalized',
          });
      liar.isDead = random() < 0.2;
      // Long enough for it to stop counting, half of the time.
      for (let i = 0; liar.isDead && random() < 0.9 && i < 14; i++) {
        await t.checkNodes();
        t.elapse(10);
        t.chain.advanceSlots(1);
      }
    },
    end() {
      for (const node of nodes) node.repent();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what is altered has the shape its method gives it.
function doubled({ meta }: any): void {
  for (const { uiTokenAmount } of meta.postTokenBalances)
    uiTokenAmount.amount = String(BigInt(uiTokenAmount.amount) * 2n);
}

/**
 * One seed: a handful of intents, some paid in full or in parts, while the node misbehaves in ways the seed
 * chooses; then the node recovers, and everything must be exactly as the chain says.
 */
export async function hostileRound(
  t: TestChain,
  seed: number,
  nodes: Misbehaviour = faultyNode(t),
): Promise<HostileReport> {
  const random = seededRandom(seed, 99);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  const plan = Array.from({ length: 4 }, (_, i) => ({
    orderId: `h${seed}-${i}`,
    parts: pick([[100n], [60n, 40n], [30n], [], [100n, 100n], [150n]]),
  }));
  const intents = await Promise.all(
    plan.map(async ({ orderId, parts }) => {
      const { body } = await t.shop.call('POST', '/api/merchants/intents', { amountCents: 100, orderId });
      return { id: body.id as string, reference: address(body.referenceAddress), parts };
    }),
  );
  nodes.begin(random, seed);
  // Half of the time nobody looks until it is almost too late.
  const isBlind = random() < 0.5;
  const payments = intents.flatMap(({ reference, parts }) => parts.map((cents) => ({ reference, cents })));
  for (const { reference, cents } of payments) {
    const signature = await pay({
      rpcUrl: t.chain.rpcUrl,
      from: t.customer.signer,
      destinationOwner: t.merchant.address,
      amountBaseUnits: centsToBaseUnits(cents),
      references: [reference],
    });
    nodes.meet?.({ signature, reference }, random);
    t.chain.advanceSlots(Math.floor(random() * 12));
    if (!isBlind) await t.look();
  }
  const unpaid = intents.filter(({ parts }) => parts.length === 0);
  await nodes.tempt?.(
    unpaid.map(({ reference }) => reference),
    random,
  );
  // Their time passes while the node is still at it.
  t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + 31 * 60_000);
  for (let i = 0; i < 5; i++) {
    t.chain.advanceSlots(isBlind ? 40 : 12);
    await t.look();
    await t.expire();
  }
  const meanwhile = await judge(t, seed, intents);
  nodes.end();
  // Lookups of unreadable transactions become rarer and rarer: let that time pass.
  t.service.clock.setOffsetMs(t.service.clock.now().getTime() - Date.now() + 24 * 3_600_000);
  for (let i = 0; i < 4; i++) {
    await t.finalize();
    await t.checkNodes();
    await t.expire();
  }
  const report = await judge(t, seed, intents);
  return { ...report, doubled: [...meanwhile.doubled, ...report.doubled] };
}

async function judge(
  t: TestChain,
  seed: number,
  intents: { id: string; parts: bigint[] }[],
): Promise<HostileReport> {
  const report: HostileReport = { seed, missed: [], doubled: [], wronged: [] };
  for (const { id, parts } of intents) {
    const { body } = await t.shop.call('GET', `/api/merchants/intents/${id}`);
    const paid = parts.reduce((sum, cents) => sum + cents, 0n);
    const cents = await bookedCents(t.service.db, id);
    if (cents < paid) report.missed.push(`${id}: ${cents} of ${paid}`);
    if (cents > paid) report.doubled.push(`${id}: ${cents} of ${paid}`);
    const expected = paid >= 100n ? 'succeeded' : paid > 0n ? 'underpaid' : 'expired';
    if (body.status !== expected) report.wronged.push(`${id}: ${body.status} instead of ${expected}`);
    const events = await t.service.db.query<{ event: string }>(
      'select event from events where object_id = $1',
      [id],
    );
    const names = events.map(({ event }) => event.replace('payment_intent.', ''));
    if (paid > 0n && (names.includes('expired') || names.includes('failed')))
      report.wronged.push(`${id}: ${names}`);
    if (names.filter((name) => name === 'succeeded').length > 1) report.doubled.push(`${id}: ${names}`);
  }
  return report;
}

function rulesOf(random: () => number): FaultRule[] {
  const chance = () => 0.1 + random() * 0.6;
  const all: (() => FaultRule)[] = [
    () => ({ kind: 'rateLimit', retryAfterSeconds: 0, methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'httpError', methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'cutConnection', methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'rpcError', methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'garbage', shape: 'notJson', methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'garbage', shape: 'truncated', methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'garbage', shape: 'wrongShape', methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'garbage', shape: 'nullResult', methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'garbage', shape: 'emptyBody', methods: WATCHED_METHODS, chance: chance() }),
    () => ({ kind: 'lag', slots: Math.floor(random() * 60), methods: WATCHED_METHODS, chance: chance() }),
    () => ({
      kind: 'silence',
      methods: ['getSignaturesForAddress', 'getTransaction', 'getSignatureStatuses'],
      chance: chance(),
    }),
    () => ({ kind: 'hideSignatures', share: random(), chance: chance() }),
    () => ({ kind: 'repeatSignatures', share: random(), chance: chance() }),
    () => ({ kind: 'reverseOrder', chance: chance() }),
    () => ({ kind: 'ignoreUntil', chance: chance() }),
    () => ({ kind: 'shortPage', max: 1 + Math.floor(random() * 5), chance: chance() }),
    () => ({ kind: 'missingTransaction', chance: chance() }),
  ];
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    all[Math.floor(random() * all.length)]!(),
  );
}
