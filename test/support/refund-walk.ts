import { randomUUID } from 'node:crypto';
import { seededRandom } from '@florin/sandbox-chain';
import { type Address, address, getSignatureFromTransaction, getTransactionDecoder } from '@solana/kit';
import { newSession, referenceOf } from './billing.ts';
import type { TestChain } from './chain.ts';
import { isGivenUp, type ModelRefund, type ModelTransaction, RefundModel } from './refund-model.ts';
import { newAddress } from './service.ts';
import { createWallet, type Payment, paymentInstructions, sign, type Wallet } from './wallet.ts';

/** Parts that all walks share: a shop, its other wallet, and things for sale. */
export interface Ground {
  t: TestChain;
  /** A wallet of the merchant's that Florin does not know. */
  treasury: Wallet;
  projectId: string;
  topUpId: string;
  planId: string;
  fakeMint: Address;
}

/** The money a refund is about. */
export interface Target {
  intentId: string | null;
  exceptionId: string | null;
}

/** Money that arrived, by what the service says of it. */
export interface Source {
  intentId: string | null;
  invoiceId: string | null;
  cents: bigint;
  reference: Address | null;
  /** Effect that a refund of it may also have. */
  effect: 'revokeCredits' | 'cancelSubscription' | null;
}

export interface ExceptionRow {
  id: string;
  kind: string;
  status: string;
  intentId: string | null;
  cents: bigint;
  refundId: string | null;
  isAfterPayment: boolean;
}

/** True if its money is part of an intent’s. */
export const isOfIntent = ({ kind, isAfterPayment }: ExceptionRow) =>
  !isAfterPayment && ['surplus', 'duplicate_order', 'stray'].includes(kind);

/** Everything one walk has done, and how to compare it with the service. */
export class RefundWalk {
  readonly model: RefundModel;
  readonly sources: Source[] = [];
  readonly signatures: string[] = [];
  /** Signed and kept, to be sent at another time. */
  readonly held: ModelTransaction[] = [];
  readonly steps: string[] = [];
  readonly ground: Ground;
  readonly #random: () => number;
  customer!: Wallet;
  readonly addresses = new Set<string>();

  constructor(ground: Ground, seed: number) {
    this.ground = ground;
    this.model = new RefundModel(() => ground.t.service.clock.now().getTime());
    this.#random = seededRandom(seed, 7);
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  get slot(): number {
    return this.ground.t.chain.slot;
  }

  async begin(): Promise<void> {
    const { chain } = this.ground.t;
    this.customer = await createWallet(chain, { usdcBaseUnits: 10n ** 12n });
    chain.advanceSlots(40);
  }

  /** The next walk need not renew what was subscribed to here. */
  async end(): Promise<void> {
    const { t } = this.ground;
    const running = await t.service.db.query<{ id: string }>(
      `select s.id from subscriptions s join invoices v on v.merchant_id = s.merchant_id and v.subscription_id = s.id
        where v.id = any($1) and s.status not in ('canceled', 'incomplete_expired')`,
      [this.sources.flatMap(({ invoiceId }) => invoiceId ?? [])],
    );
    for (const { id } of running)
      await this.call('POST', `/subscriptions/${id}/cancel`, { atPeriodEnd: false });
  }

  call(method: string, path: string, body?: unknown) {
    return this.ground.t.shop.call(method, `/api/v2${path}`, body);
  }

  async newSource(seed: string): Promise<Source> {
    const cents = BigInt(1 + this.below(300));
    if (this.chance(0.4)) return this.newIntent(cents);
    const { t, projectId, topUpId, planId } = this.ground;
    const who = { externalCustomerId: `walker ${seed}` };
    const subscriber = { externalCustomerId: `subscriber ${seed}-${this.sources.length}` };
    const [what, effect] = this.pick([
      [{ mode: 'balance_top_up', priceId: topUpId, ...who }, 'revokeCredits'],
      [{ mode: 'subscription', priceId: planId, ...subscriber }, 'cancelSubscription'],
      [{ mode: 'one_time', amountCents: Number(cents), ...who }, null],
      [{ mode: 'one_time', amountCents: Number(cents) }, null],
    ] as const);
    const session = await newSession(t.shop, projectId, what);
    return this.#add({
      intentId: session.paymentIntentId,
      invoiceId: session.invoiceId,
      cents: BigInt(session.amountCents),
      reference: await referenceOf(t.shop, session),
      effect,
    });
  }

  /**
   * Creates an intent for an order of its own, or for one that another intent is for already: paid twice, the second
   * is an exception.
   */
  async newIntent(cents: bigint, orderId = `walk ${randomUUID()}`): Promise<Source> {
    const order = { amountCents: Number(cents), orderId };
    const { body } = await this.ground.t.shop.call('POST', '/api/merchants/intents', order);
    const reference = address(body.referenceAddress);
    return this.#add({ intentId: body.id, invoiceId: null, cents, reference, effect: null });
  }

  #add(source: Source): Source {
    this.sources.push(source);
    return source;
  }

  async signed(payments: Omit<Payment, 'rpcUrl'>[]): Promise<ModelTransaction> {
    const { rpcUrl } = this.ground.t.chain;
    const instructions = [];
    for (const payment of payments) instructions.push(...(await paymentInstructions({ ...payment, rpcUrl })));
    const payer = payments[0]!.from;
    const transaction = transactionOf(await sign({ rpcUrl, payer, instructions }));
    return { ...transaction, isOwn: payer === this.ground.t.merchant.signer };
  }

  /** Answers false where the node refuses it, as when its time is over. */
  async submit(transaction: ModelTransaction): Promise<boolean> {
    const { model, signatures } = this;
    const known = model.transactions.find(({ signature }) => signature === transaction.signature);
    if (known && known.slot !== null) return true;
    if (transaction.legs.some(({ refund }) => !model.isWatched(refund))) return false;
    const options = { encoding: 'base64', preflightCommitment: 'processed' };
    const answer = await rpcCall(this.ground.t.chain.rpcUrl, 'sendTransaction', [transaction.wire, options]);
    if (answer.error) return false;
    if (!known) model.transactions.push(transaction);
    transaction.slot = this.slot;
    if (!signatures.includes(transaction.signature)) signatures.push(transaction.signature);
    return true;
  }

  async exceptions(): Promise<ExceptionRow[]> {
    const { db } = this.ground.t.service;
    return db.query(
      `select id, kind, status, intent_id as "intentId", div(base_units, 10000)::bigint as cents, refund_id as "refundId", is_after_payment as "isAfterPayment"
         from payment_exceptions where signature = any($1) and kind not in ('over_refunded', 'wrong_mint') order by id`,
      [this.signatures],
    );
  }

  async received(intentId: string): Promise<bigint> {
    const [row] = await this.ground.t.service.db.query<{ cents: bigint }>(
      'select div(received_base_units, 10000)::bigint as cents from payment_intents where id = $1',
      [intentId],
    );
    return row!.cents;
  }

  /** Returns what nothing else has taken of an intent's money, an exception's, or both. */
  async left(target: Target, except?: ModelRefund): Promise<bigint> {
    const left = await this.balance(target, except);
    return left > 0n ? left : 0n;
  }

  /** The same, below nothing where more was promised than is there, as after a roll-back. */
  async balance(target: Target, except?: ModelRefund): Promise<bigint> {
    const all = await this.exceptions();
    const found = all.find(({ id }) => id === target.exceptionId);
    const lefts: bigint[] = [];
    if (found) {
      const isUndecided = found.status === 'open' || found.status === 'dust';
      const taken = this.model.taken(({ exceptionId }) => exceptionId === found.id, except);
      lefts.push(isUndecided ? found.cents - taken : 0n);
    }
    const { intentId } = target;
    if (intentId !== null) {
      const elsewhere = all
        .filter((each) => each.id !== found?.id && isOfIntent(each))
        .filter((each) => each.intentId === intentId && each.refundId === null)
        .filter(({ status, kind }) => status === 'returned' || kind === 'stray')
        .reduce((sum, { cents }) => sum + cents, 0n);
      const taken = this.model.taken((refund) => refund.intentId === intentId, except);
      const beyond = await this.#sentBeyond(intentId, except);
      lefts.push((await this.received(intentId)) - taken - elsewhere - beyond);
    }
    return lefts.reduce((a, b) => (b < a ? b : a));
  }

  /**
   * Sums what other refunds have sent beyond what they count for, and nobody has settled: the customer has that
   * already.
   */
  async #sentBeyond(intentId: string, except: ModelRefund | undefined): Promise<bigint> {
    const [row] = await this.ground.t.service.db.query<{ cents: bigint }>(
      `select coalesce(sum(div(base_units, 10000)), 0)::bigint as cents from payment_exceptions
        where intent_id = $1 and kind = 'over_refunded' and status = 'open' and refund_id is distinct from $2`,
      [intentId, except?.id ?? null],
    );
    return row!.cents;
  }

  newReceiver(): string {
    const known = [...this.addresses];
    const receiver = known.length > 0 && this.chance(0.3) ? this.pick(known) : newAddress();
    this.addresses.add(receiver);
    return receiver;
  }

  /** The watcher looks, and the model does. */
  async look(isFinal: boolean): Promise<void> {
    const { t } = this.ground;
    // The state before decides how much refunds that have ended may still take.
    if (!isFinal) t.chain.advanceSlots(2 + this.below(3));
    else t.chain.advanceSlots(40);
    const lefts = new Map<ModelRefund, bigint>();
    await t.look();
    for (const refund of this.model.refunds.filter(isGivenUp)) lefts.set(refund, 0n);
    const before = this.model.refunds.filter(isGivenUp).filter((refund) => refund.isApproved);
    for (const refund of before)
      if (this.model.hasNews(refund, this.slot)) lefts.set(refund, await this.#leftBefore(refund));
    const unsure = this.model.look(this.slot, (refund) => lefts.get(refund)!);
    for (const refund of unsure) await this.#adopt(refund);
  }

  /** An exception that this very look has ended counts as it was before. */
  async #leftBefore(refund: ModelRefund): Promise<bigint> {
    const all = await this.exceptions();
    const own = all.find(({ id }) => id === refund.exceptionId);
    const endedBy = own?.status === 'returned' && own.refundId === refund.id;
    if (!endedBy) return this.left(refund, refund);
    const ofException = own.cents - this.model.taken((other) => other.exceptionId === own.id, refund);
    if (refund.intentId === null) return ofException;
    const ofIntent = await this.left({ intentId: refund.intentId, exceptionId: null }, refund);
    return ofIntent < ofException ? ofIntent : ofException;
  }

  /** Several at once that want the same money: whichever the service took first. */
  async #adopt(refund: ModelRefund): Promise<void> {
    const { body } = await this.call('GET', `/refunds/${refund.id}`);
    const [row] = await this.ground.t.service.db.query<{ sent: bigint }>(
      'select sent_base_units as sent from refunds where id = $1',
      [refund.id],
    );
    this.model.adoptSent(refund, this.slot, row!.sent);
    if (body.status === 'succeeded') this.model.countLate(refund, BigInt(body.amountCents));
    else this.model.countLate(refund, 0n);
  }
}

export function transactionOf(wire: string): ModelTransaction {
  const signature = getSignatureFromTransaction(getTransactionDecoder().decode(Buffer.from(wire, 'base64')));
  return { signature, wire, slot: null, legs: [], isOwn: false };
}

export async function rpcCall(url: string, method: string, params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
  return (await answer.json()) as any;
}
