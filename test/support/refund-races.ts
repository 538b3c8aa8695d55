import { expect } from 'vitest';
import { Creation, isOpen, pickMoney } from './refund-creating.ts';
import type { ModelRefund } from './refund-model.ts';
import type { RefundWalk } from './refund-walk.ts';

/** Steps of which two happen at once: whichever comes first, the outcome is that of one after the other. */

export async function createTwiceStep(walk: RefundWalk): Promise<string> {
  const money = await pickMoney(walk);
  if (!money) return 'nothing';
  const left = await walk.left(money.target);
  const both = [new Creation(walk, money, left), new Creation(walk, money, left)] as const;
  const answers = await Promise.all(both.map((creation) => creation.ask()));
  const orders = [
    [0, 1],
    [1, 0],
  ] as const;
  const fitting = orders.find(([first, second]) => {
    const rest = left - both[first].taken(left);
    return (
      answers[first]!.status === both[first].status(left) &&
      answers[second]!.status === both[second].status(rest) &&
      isAsked(both[first], answers[first]!, left) &&
      isAsked(both[second], answers[second]!, rest)
    );
  });
  const told = `${both.join(' and ')}, ${left} left: ${answers.map(({ text }) => text).join(' ')}`;
  expect([told, fitting]).toEqual([told, expect.anything()]);
  const [first, second] = fitting!;
  const rest = left - both[first].taken(left);
  if (answers[first]!.status === 201) both[first].note(answers[first]!, left);
  if (answers[second]!.status === 201) both[second].note(answers[second]!, rest);
  return `${both.join(' and ')}, ${left} left: ${answers.map(({ status }) => status)}`;
}

function isAsked(
  creation: Creation,
  answer: { status: number; body: { amountCents: number } },
  left: bigint,
) {
  return answer.status !== 201 || BigInt(answer.body.amountCents) === creation.taken(left);
}

/** The money that one refund gives up may be what the other takes. */
export async function createAndCancelStep(walk: RefundWalk): Promise<string> {
  const idle = walk.model.refunds.filter((refund) => isOpen(refund) && refund.sent === 0n);
  if (idle.length === 0) return 'nothing';
  const refund = walk.pick(idle);
  const { intentId, exceptionId } = refund;
  const source = exceptionId === null ? walk.sources.find((each) => each.intentId === intentId) : undefined;
  const exception = (await walk.exceptions()).find(({ id }) => id === exceptionId);
  const balance = await walk.balance(refund);
  const least = (cents: bigint) => (cents > 0n ? cents : 0n);
  const lefts = [least(balance), least(balance + refund.cents)];
  const creation = new Creation(walk, { target: { intentId, exceptionId }, source, exception }, lefts[1]!);
  const [answer, canceled] = await Promise.all([
    creation.ask(),
    walk.call('POST', `/refunds/${refund.id}/cancel`),
  ]);
  expect([canceled.status, canceled.text]).toEqual([200, canceled.text]);
  walk.model.end(refund, 'canceled');
  const left = lefts.find(
    (cents) => answer.status === creation.status(cents) && isAsked(creation, answer, cents),
  );
  const told = `${creation}, ${lefts.join(' or ')} left: ${answer.text}`;
  expect([told, left !== undefined]).toEqual([told, true]);
  if (answer.status === 201) creation.note(answer, left!);
  return `${creation}, ${lefts.join(' or ')} left: ${answer.status}; canceled ${refund.id}`;
}

/** The merchant gives a refund up while the watcher finds its money. */
export async function cancelAndLookStep(walk: RefundWalk): Promise<string> {
  const open = walk.model.refunds.filter(isOpen);
  if (open.length === 0) return 'nothing';
  const sent = open.filter((refund) => isOnChain(walk, refund));
  const refund = walk.pick(sent.length > 0 ? sent : open);
  const { t } = walk.ground;
  const [canceled] = await Promise.all([walk.call('POST', `/refunds/${refund.id}/cancel`), t.look()]);
  if (canceled.status !== 200) {
    expect([canceled.status, isOnChain(walk, refund)]).toEqual([409, true]);
    return `${refund.id} was found first`;
  }
  // A part that this very look has found counts before, or after, the refund was canceled.
  if (canceled.body.status === 'succeeded') walk.model.count(refund, walk.slot);
  walk.model.end(refund, 'canceled');
  return `${refund.id} ${canceled.body.status}`;
}

function isOnChain(walk: RefundWalk, refund: ModelRefund): boolean {
  return walk.model.transactions.some(({ slot, seenSlot, legs }) => {
    const isThere = slot !== null || seenSlot !== undefined;
    return isThere && legs.some((leg) => leg.refund === refund);
  });
}

export async function cancelTwiceStep(walk: RefundWalk): Promise<string> {
  const open = walk.model.refunds.filter(isOpen);
  if (open.length === 0) return 'nothing';
  const refund = walk.pick(open);
  const path = `/refunds/${refund.id}/cancel`;
  const answers = await Promise.all([walk.call('POST', path), walk.call('POST', path)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  walk.model.end(refund, 'canceled');
  return refund.id;
}

/** Two workers at the same time: each thing that is due happens once. */
export async function dueWorkStep(walk: RefundWalk): Promise<string> {
  const { t } = walk.ground;
  await walk.look(true);
  await Promise.all([t.expire(), t.expire()]);
  walk.model.expire(t.service.clock.now().getTime());
  return 'done';
}
