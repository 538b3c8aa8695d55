import { expect } from 'vitest';
import type { ModelRefund } from './refund-model.ts';
import { type ExceptionRow, isOfIntent, type RefundWalk, type Source, type Target } from './refund-walk.ts';
import type { TestAnswer } from './service.ts';

export const isOpen = ({ status }: ModelRefund) => status === 'awaiting_address' || status === 'ready';

/** Money that can be refunded: a payment's, or an exception's. */
export interface Money {
  target: Target;
  source: Source | undefined;
  exception: ExceptionRow | undefined;
}

export async function pickMoney(walk: RefundWalk): Promise<Money | undefined> {
  const exceptions = await walk.exceptions();
  const paid = walk.sources.filter(({ intentId }) => intentId);
  if (exceptions.length > 0 && walk.chance(0.35)) {
    const exception = walk.pick(exceptions);
    const intentId = isOfIntent(exception) ? exception.intentId : null;
    return { target: { intentId, exceptionId: exception.id }, source: undefined, exception };
  }
  if (paid.length === 0) return undefined;
  const source = walk.pick(paid);
  return { target: { intentId: source.intentId, exceptionId: null }, source, exception: undefined };
}

/** A request to create a refund, and what the rules say of it. */
export class Creation {
  readonly #walk: RefundWalk;
  readonly #money: Money;
  readonly #receiver: string | null;
  readonly cents: bigint | undefined;
  readonly #name: object;
  readonly #effects: object;

  constructor(walk: RefundWalk, money: Money, left: bigint) {
    const { source, exception } = money;
    this.#walk = walk;
    this.#money = money;
    this.cents = walk.chance(0.4) ? undefined : BigInt(1 + walk.below(Number(left) + 2));
    this.#receiver = walk.chance(0.6) ? walk.newReceiver() : null;
    this.#name = exception
      ? { exceptionId: exception.id }
      : source!.invoiceId && walk.chance(0.5)
        ? { invoiceId: source!.invoiceId }
        : { paymentIntentId: source!.intentId };
    this.#effects = source?.effect && walk.chance(0.5) ? { effects: { [source.effect]: true } } : {};
  }

  ask(): Promise<TestAnswer> {
    const { cents } = this;
    return this.#walk.call('POST', '/refunds', {
      ...{ ...this.#name, ...this.#effects, reason: 'other', address: this.#receiver },
      ...(cents !== undefined && { amountCents: Number(cents) }),
    });
  }

  /** Returns the expected status if so much is left. */
  status(left: bigint): number {
    const { exception } = this.#money;
    const isDecided = exception && exception.status !== 'open' && exception.status !== 'dust';
    if (isDecided || left <= 0n) return 409;
    return this.cents !== undefined && this.cents > left ? 400 : 201;
  }

  taken(left: bigint): bigint {
    return this.status(left) === 201 ? (this.cents ?? left) : 0n;
  }

  /** Created: the model has it too. */
  note({ body }: TestAnswer, left: bigint): void {
    const receiver = this.#receiver;
    this.#walk.model.refunds.push({
      ...{ id: body.id, reference: body.referenceAddress, ...this.#money.target },
      status: receiver ? 'ready' : 'awaiting_address',
      cents: this.cents ?? left,
      address: receiver,
      isApproved: receiver !== null,
      ...{ sent: 0n, listed: 0n, passedBy: 0n, expiresAt: Date.parse(body.expiresAt) },
    });
  }

  toString(): string {
    return `${this.cents ?? 'all'} of ${JSON.stringify({ ...this.#name, ...this.#effects })}`;
  }
}

export async function refundStep(walk: RefundWalk): Promise<string> {
  const money = await pickMoney(walk);
  if (!money) return 'nothing';
  const left = await walk.left(money.target);
  const creation = new Creation(walk, money, left);
  const answer = await creation.ask();
  expect([answer.status, answer.text]).toEqual([creation.status(left), answer.text]);
  if (answer.status !== 201) return `${creation}: refused ${answer.status}`;
  creation.note(answer, left);
  return `${creation}, ${left} left`;
}
