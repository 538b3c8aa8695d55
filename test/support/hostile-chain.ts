import { type FaultRule, seededRandom } from '@florin/sandbox-chain';
import { AccountRole, type Address, address, type Instruction } from '@solana/kit';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import { bookedCents } from './booked-cents.ts';
import type { TestChain } from './chain.ts';
import type { TestMerchant } from './service.ts';
import {
  createMint,
  createWallet,
  memoProgram,
  type Payment,
  pay,
  paymentInstructions,
  send,
  type Wallet,
} from './wallet.ts';

export interface HostileWalkReport {
  seed: number;
  missed: string[];
  doubled: string[];
  delayed: string[];
}

export interface HostileStreet {
  t: TestChain;
  shops: { shop: TestMerchant; wallet: Wallet }[];
  /** The attacker, who also pays like anybody else. */
  stranger: Wallet;
  fakeMint: Address;
}

/** Two merchants, a customer and a stranger with a mint of their own, for any number of walks. */
export async function hostileStreet(t: TestChain): Promise<HostileStreet> {
  const wallet = await createWallet(t.chain);
  const stranger = await createWallet(t.chain, { lamports: 10n ** 13n, usdcBaseUnits: 10n ** 12n });
  const fakeMint = await createMint(t.chain.rpcUrl, stranger.signer, 10n ** 15n);
  const neighbour = await t.service.createMerchant('Neighbour', wallet.address);
  const shops = [
    { shop: t.shop, wallet: t.merchant },
    { shop: neighbour, wallet },
  ];
  return { t, shops, stranger, fakeMint };
}

interface Due {
  shop: TestMerchant;
  owner: Address;
  id: string;
  reference: Address;
  paidCents: bigint;
}

interface Sent {
  signature: string;
  atSeconds: number;
  seenSeconds?: number;
  finalSeconds?: number;
}

const SLOT_SECONDS = 0.4;
const TICK_SLOTS = 5;
const END_SLOTS = 12;
const FINAL_SECONDS = 33 * SLOT_SECONDS;
const STEPS = 10;
/** Seconds of the sandbox's time: from a payment to its being seen, and from its finality to its being final here. */
const ALLOWED_SECONDS = 10;

/**
 * Walks by seed, side by side: payments to two merchants among everything a stranger can do to their accounts for the
 * price of a fee, shown by a node in unexpected forms. Time passes only here, slot by slot, and the watcher looks
 * every two seconds of it, at the end every five.
 */
export async function hostileWalks(street: HostileStreet, seeds: number[]): Promise<HostileWalkReport[]> {
  const { t } = street;
  const walks = await Promise.all(seeds.map((seed) => beginWalk(street, seed)));
  const sent = walks.flatMap((walk) => walk.sent);
  let seconds = 0;
  async function tick(slots: number): Promise<void> {
    seconds += slots * SLOT_SECONDS;
    const { clock } = t.service;
    clock.setOffsetMs(clock.now().getTime() - Date.now() + slots * SLOT_SECONDS * 1000);
    t.chain.advanceSlots(slots);
    await t.look();
    await noteSeen(t, sent, seconds);
  }
  for (let step = 0; step < STEPS; step++) {
    t.chain.faults.set({ seed: seeds[0]! * STEPS + step, rules: walks.flatMap(oddRules) });
    for (const walk of walks) {
      if (walk.random() < 0.5) {
        const payment = { signature: await payAsAnybody(walk), atSeconds: seconds };
        walk.sent.push(payment);
        sent.push(payment);
      } else walk.spam.push(...(await walk.pick(HARM)(walk)));
    }
    if (walks[0]!.random() < 0.6) await tick(TICK_SLOTS);
  }
  const end = seconds + FINAL_SECONDS + ALLOWED_SECONDS;
  while (seconds < end) await tick(END_SLOTS);
  t.chain.faults.clear();
  return Promise.all(walks.map(judge));
}

interface Walk {
  seed: number;
  street: HostileStreet;
  random: () => number;
  pick: <Item>(items: readonly Item[]) => Item;
  due: Due[];
  sent: Sent[];
  /** Transactions that the stranger has sent. */
  spam: string[];
}

async function beginWalk(street: HostileStreet, seed: number): Promise<Walk> {
  const random = seededRandom(seed, 7);
  const due = await Promise.all(
    street.shops.flatMap(({ shop, wallet }) =>
      [0, 1, 2].map(async (i): Promise<Due> => {
        const order = { amountCents: 100, orderId: `walk${seed}-${i}` };
        const { body } = await shop.call('POST', '/api/merchants/intents', order);
        const reference = address(body.referenceAddress);
        return { shop, owner: wallet.address, id: body.id, reference, paidCents: 0n };
      }),
    ),
  );
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  return { seed, street, random, pick, due, sent: [], spam: [] };
}

const MEMOS = [
  'thanks',
  '',
  'a\0b',
  '\u0001\u001f\u007f',
  '\ufeff"]}\\u0000\\ud800',
  '\u202egnp.exe',
  '\u{10ffff}\ufffe',
  '0'.repeat(400),
  '9007199254740993'.repeat(20),
];
const CENTS = [100n, 100n, 60n, 40n, 150n, 1n];

const between = ({ street }: Walk, { owner, reference }: Due, cents: bigint): Payment => ({
  rpcUrl: street.t.chain.rpcUrl,
  from: street.t.customer.signer,
  destinationOwner: owner,
  amountBaseUnits: centsToBaseUnits(cents),
  references: [reference],
});

/** One intent, or two of a merchant at once, in full or in part, with a memo of any kind. */
async function payAsAnybody(walk: Walk): Promise<string> {
  const { random, pick, due } = walk;
  const one = pick(due);
  const cents = pick(CENTS);
  one.paidCents += cents;
  const payment = between(walk, one, cents);
  if (random() < 0.2) {
    const other = pick(due.filter((item) => item.owner === one.owner && item !== one));
    other.paidCents += 70n;
    const after = await paymentInstructions(between(walk, other, 70n));
    return pay({ ...payment, after });
  }
  const memo = random() < 0.5 ? { memo: pick(MEMOS) } : {};
  const version = pick(['legacy', 0, 1] as const);
  return pay({ ...payment, ...memo, version });
}

/** Actions of a stranger; each returns its transactions. */
const HARM: ((walk: Walk) => Promise<string[]>)[] = [
  // Names the account of a merchant, or the reference of an intent, in transactions that bring nothing.
  async ({ street, pick, due }) => {
    const { owner, reference } = pick(due);
    const { usdcAccount } = street.shops.find(({ wallet }) => wallet.address === owner)!.wallet;
    const signatures: string[] = [];
    for (let i = 0; i < 3; i++)
      signatures.push(
        await fromStranger(street, [memo(pick(MEMOS)), naming(street, usdcAccount, reference)]),
      );
    return signatures;
  },
  // A memo that is no text: the transaction fails, and lands.
  async ({ street, pick, due }) => {
    const target = pick(due);
    const { usdcAccount } = street.shops.find(({ wallet }) => wallet.address === target.owner)!.wallet;
    const bytes = { programAddress: memoProgram, accounts: [], data: Uint8Array.from([0xff, 0xed, 0xa0]) };
    return [await fromStranger(street, [naming(street, usdcAccount), bytes])];
  },
  // A real payment that fails at its end, so that nothing moves.
  async (walk) => {
    const { street, pick, due } = walk;
    const transfer = await paymentInstructions({
      ...between(walk, pick(due), 100n),
      from: street.stranger.signer,
    });
    const bytes = { programAddress: memoProgram, accounts: [], data: Uint8Array.from([0xff]) };
    return [await fromStranger(street, [...transfer, bytes])];
  },
  // Money of the stranger's own making, under a true reference and naming the true account.
  async (walk) => {
    const { street, pick, due } = walk;
    const target = pick(due);
    const { usdcAccount } = street.shops.find(({ wallet }) => wallet.address === target.owner)!.wallet;
    const fake = { ...between(walk, target, 100n), from: street.stranger.signer, mint: street.fakeMint };
    return [await fromStranger(street, [...(await paymentInstructions(fake)), naming(street, usdcAccount)])];
  },
  // Dust without a reference: real, and for nobody.
  async (walk) => {
    const { street, pick, due } = walk;
    const dust = { ...between(walk, pick(due), 0n), amountBaseUnits: 1n, references: [] };
    return [await fromStranger(street, await paymentInstructions({ ...dust, from: street.stranger.signer }))];
  },
];

function fromStranger({ t, stranger }: HostileStreet, instructions: Instruction[]): Promise<string> {
  return send({ rpcUrl: t.chain.rpcUrl, payer: stranger.signer, instructions, skipPreflight: true });
}

function memo(text: string): Instruction {
  return { programAddress: memoProgram, accounts: [], data: Buffer.from(text) };
}

/** Moves nothing to oneself and names whatever one likes. */
function naming({ stranger }: HostileStreet, ...named: Address[]): Instruction {
  const self = stranger.address;
  return {
    programAddress: address('11111111111111111111111111111111'),
    accounts: [
      { address: self, role: AccountRole.WRITABLE_SIGNER },
      { address: self, role: AccountRole.WRITABLE },
      ...named.map((one) => ({ address: one, role: AccountRole.READONLY })),
    ],
    data: Uint8Array.from([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
  };
}

const HARMLESS = ['nulText', 'loneSurrogate', 'unknownFields', 'deepNesting', 'hugeVersion'] as const;
/** Faults that hide any payment they apply to; a node with such faults about spam must not hold up anything else. */
const BLINDING = ['hugeSlot', 'nullBlockTime', 'longText', 'longInstructions'] as const;

function oddRules({ random, pick, spam }: Walk): FaultRule[] {
  const rules: FaultRule[] = [];
  if (random() < 0.5) rules.push({ kind: 'odd', form: pick(HARMLESS), chance: 0.3 + random() * 0.7 });
  if (random() < 0.3 && spam.length > 0)
    rules.push({ kind: 'odd', form: pick(BLINDING), signatures: spam.slice(-3) });
  return rules;
}

async function noteSeen(t: TestChain, sent: readonly Sent[], seconds: number): Promise<void> {
  const open = sent.filter(({ finalSeconds }) => finalSeconds === undefined);
  const rows = await t.service.db.query<{ signature: string; isFinal: boolean }>(
    `select signature, bool_and(is_final) as "isFinal" from (
       select signature, is_final from payment_allocations where signature = any($1)
       union all
       select signature, true from payment_exceptions where signature = any($1) and is_after_payment) as noted
      group by 1`,
    [open.map(({ signature }) => signature)],
  );
  for (const { signature, isFinal } of rows) {
    const payment = open.find((one) => one.signature === signature)!;
    payment.seenSeconds ??= seconds;
    if (isFinal) payment.finalSeconds = seconds;
  }
}

async function judge({ seed, street: { t }, due, sent }: Walk): Promise<HostileWalkReport> {
  const report: HostileWalkReport = { seed, missed: [], doubled: [], delayed: [] };
  for (const { signature, atSeconds, seenSeconds = Infinity, finalSeconds = Infinity } of sent) {
    const toSeen = seenSeconds - atSeconds;
    const toFinal = finalSeconds - atSeconds - FINAL_SECONDS;
    if (toSeen > ALLOWED_SECONDS || toFinal > ALLOWED_SECONDS)
      report.delayed.push(`${signature}: seen after ${toSeen} s, final ${toFinal} s late`);
  }
  for (const { shop, id, paidCents } of due) {
    const { body } = await shop.call('GET', `/api/merchants/intents/${id}`);
    const cents = await bookedCents(t.service.db, id);
    const told = `${id}: ${cents} of ${paidCents}, ${body.status}`;
    if (cents > paidCents) report.doubled.push(told);
    if (cents < paidCents) report.missed.push(told);
    else if (paidCents >= 100n && body.status !== 'succeeded') report.missed.push(told);
  }
  return report;
}
