import { randomUUID } from 'node:crypto';
import { type Address, address, createSignableMessage } from '@solana/kit';
import { expect } from 'vitest';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import { readPast } from './billing.ts';
import { signed } from './payments.ts';
import { isOpen, refundStep } from './refund-creating.ts';
import { isGivenUp, type ModelRefund } from './refund-model.ts';
import {
  cancelAndLookStep,
  cancelTwiceStep,
  createAndCancelStep,
  createTwiceStep,
  dueWorkStep,
} from './refund-races.ts';
import { isOfIntent, type RefundWalk, transactionOf } from './refund-walk.ts';
import { call, newAddress } from './service.ts';

type Step = (walk: RefundWalk, seed: string) => Promise<string>;

/** Steps of a person, a customer or the chain. Each returns what it did, for the failure message. */
const steps: Record<string, { weight: number; step: Step }> = {
  pay: { weight: 5, step: payStep },
  'pay again': { weight: 2, step: payAgainStep },
  'pay an order twice': { weight: 2, step: payOrderTwiceStep },
  'pay unmatched': { weight: 1, step: payUnmatchedStep },
  'pay canceled': { weight: 1, step: payCanceledStep },
  refund: { weight: 8, step: refundStep },
  claim: { weight: 3, step: claimStep },
  approve: { weight: 3, step: approveStep },
  cancel: { weight: 3, step: cancelStep },
  send: { weight: 8, step: sendStep },
  'send through Florin': { weight: 4, step: florinStep },
  'send twice': { weight: 2, step: twiceStep },
  'send what was kept': { weight: 2, step: heldStep },
  'roll back': { weight: 2, step: rollBackStep },
  'let time pass': { weight: 2, step: timeStep },
  'mark returned': { weight: 1, step: returnStep },
  'create twice at once': { weight: 2, step: createTwiceStep },
  'create and cancel at once': { weight: 2, step: createAndCancelStep },
  'cancel and look at once': { weight: 2, step: cancelAndLookStep },
  'cancel twice at once': { weight: 1, step: cancelTwiceStep },
  'due work twice at once': { weight: 1, step: dueWorkStep },
};

const BAG = Object.entries(steps).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));

export async function takeStep(walk: RefundWalk, seed: string): Promise<void> {
  const name = walk.pick(BAG);
  walk.steps.push(name);
  const did = await steps[name]!.step(walk, seed);
  walk.steps[walk.steps.length - 1] = `${name}: ${did}`;
  if (walk.chance(0.75)) {
    const isFinal = walk.chance(0.6);
    walk.steps.push(isFinal ? 'finalize' : 'look');
    await walk.look(isFinal);
  } else await walk.look(false);
}

async function customerPays(walk: RefundWalk, units: bigint, references: Address[]): Promise<string> {
  const { t } = walk.ground;
  const payment = { from: walk.customer.signer, destinationOwner: t.merchant.address, references };
  const transaction = await walk.signed([{ ...payment, amountBaseUnits: units }]);
  expect(await walk.submit(transaction)).toBe(true);
  return `${units}`;
}

async function payStep(walk: RefundWalk, seed: string) {
  const source = await walk.newSource(seed);
  const exact = centsToBaseUnits(source.cents);
  const units = walk.pick([exact, exact, exact + BigInt(1 + walk.below(900_000)), (exact + 1n) / 2n, 5_000n]);
  return customerPays(walk, units, [source.reference!]);
}

async function payAgainStep(walk: RefundWalk) {
  const known = walk.sources.filter(({ reference }) => reference);
  if (known.length === 0) return 'nothing';
  const source = walk.pick(known);
  return customerPays(walk, walk.pick([centsToBaseUnits(source.cents), 12_345n]), [source.reference!]);
}

/** Two intents for one order, as two tabs open them, and both are paid. */
async function payOrderTwiceStep(walk: RefundWalk) {
  const orderId = `order ${randomUUID()}`;
  const cents = BigInt(1 + walk.below(300));
  const both = [await walk.newIntent(cents, orderId), await walk.newIntent(cents, orderId)];
  const surplus = walk.chance(0.3) ? BigInt(1 + walk.below(500_000)) : 0n;
  for (const { reference } of both) await customerPays(walk, centsToBaseUnits(cents) + surplus, [reference!]);
  return `${cents} cents and ${surplus} units, each`;
}

async function payUnmatchedStep(walk: RefundWalk) {
  return customerPays(walk, BigInt(1 + walk.below(2_000_000)), []);
}

async function payCanceledStep(walk: RefundWalk, seed: string) {
  const source = await walk.newSource(seed);
  if (source.invoiceId === null)
    await walk.ground.t.shop.call('POST', `/api/merchants/intents/${source.intentId}/cancel`);
  return customerPays(walk, centsToBaseUnits(source.cents), [source.reference!]);
}

async function claimStep(walk: RefundWalk) {
  const waiting = walk.model.refunds.filter((refund) => refund.address === null || !refund.isApproved);
  if (waiting.length === 0) return 'nothing';
  const refund = walk.pick(waiting);
  const link = await walk.call('POST', `/refunds/${refund.id}/claim-link`);
  expect(link.status).toBe(isOpen(refund) ? 201 : 409);
  if (link.status !== 201) return 'refused';
  const urlOf = (made: typeof link) =>
    `${walk.ground.t.service.url}/api/public/refunds/${made.body.url.split('/').at(-1)}`;
  let url = urlOf(link);
  if (walk.chance(0.3)) {
    // The customer has lost the link; the merchant sends another, and the first one opens nothing any more.
    url = urlOf(await walk.call('POST', `/refunds/${refund.id}/claim-link`));
    expect((await call(urlOf(link), 'POST', { address: newAddress() })).status).toBe(404);
  }
  const { body } = await call(url, 'GET');
  const canSign = body.payerAddress === walk.customer.address;
  if (canSign && walk.chance(0.4)) {
    const [signatures] = await walk.customer.signer.signMessages([createSignableMessage(body.proofMessage)]);
    const signature = encodeBase58(Buffer.from(signatures![walk.customer.address]!));
    const answer = await call(url, 'POST', { address: walk.customer.address, signature });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    Object.assign(refund, { address: walk.customer.address, isApproved: true, status: 'ready' });
    return 'signed';
  }
  if (walk.chance(0.3)) return nameTwice(walk, refund, url);
  const receiver = walk.newReceiver();
  expect((await call(url, 'POST', { address: receiver })).status).toBe(200);
  refund.address = receiver;
  return 'named';
}

/** The customer names another address at the very moment in which the merchant approves the first. */
async function nameTwice(walk: RefundWalk, refund: ModelRefund, url: string) {
  const [first, second] = [walk.newReceiver(), walk.newReceiver()];
  expect((await call(url, 'POST', { address: first })).status).toBe(200);
  const [named, approved] = await Promise.all([
    call(url, 'POST', { address: second }),
    walk.call('POST', `/refunds/${refund.id}/approve-address`, { address: first }),
  ]);
  const isSame = first === second;
  expect([200, 409]).toContain(named.status);
  if (isSame) expect(approved.status).toBe(200);
  // The first has won, and what is approved is what the merchant has looked at.
  else expect([named.status, approved.status].sort()).toEqual([200, 409]);
  if (approved.status === 200) Object.assign(refund, { address: first, isApproved: true, status: 'ready' });
  else refund.address = second;
  return `twice, ${approved.status === 200 ? 'approved' : 'changed'}`;
}

async function approveStep(walk: RefundWalk) {
  const waiting = walk.model.refunds.filter(({ isApproved }) => !isApproved);
  if (waiting.length === 0) return 'nothing';
  const refund = walk.pick(waiting);
  const receiver = refund.address ?? walk.newReceiver();
  const answer = await walk.call('POST', `/refunds/${refund.id}/approve-address`, { address: receiver });
  expect([answer.status, answer.text]).toEqual([isOpen(refund) ? 200 : 409, answer.text]);
  if (answer.status !== 200) return 'refused';
  Object.assign(refund, { address: receiver, isApproved: true, status: 'ready' });
  return receiver;
}

async function cancelStep(walk: RefundWalk) {
  if (walk.model.refunds.length === 0) return 'nothing';
  const refund = walk.pick(walk.model.refunds);
  const answer = await walk.call('POST', `/refunds/${refund.id}/cancel`);
  expect([answer.status, answer.text]).toEqual([isOpen(refund) ? 200 : 409, answer.text]);
  if (answer.status === 200) walk.model.end(refund, 'canceled');
  return `${refund.id} ${answer.status}`;
}

/** Sends from a wallet, without Florin: any refund that has an address, in any state, right or wrong. */
async function sendStep(walk: RefundWalk) {
  const { t, treasury, fakeMint } = walk.ground;
  const named = walk.model.refunds.filter((refund) => refund.address !== null && refund.isApproved);
  if (named.length === 0) return 'nothing';
  const open = named.filter(({ status }) => status === 'ready');
  const from = walk.pick([t.merchant, treasury]).signer;
  const chosen = [
    ...new Set(
      Array.from({ length: walk.pick([1, 1, 2, 3]) }, () =>
        walk.pick(walk.chance(0.7) && open.length > 0 ? open : named),
      ),
    ),
  ];
  const how = walk.pick(['right', 'right', 'right', 'right', 'wrong mint', 'wrong owner'] as const);
  const payments = chosen.map((refund) => {
    const due = centsToBaseUnits(refund.cents) - refund.sent;
    const units = walk.pick([due, due, due / 2n, due - 1n, due + 7_000n, BigInt(1 + walk.below(30_000))]);
    return {
      from,
      destinationOwner: address(how === 'wrong owner' ? newAddress() : refund.address!),
      amountBaseUnits: units > 0n ? units : 10_000n,
      references: [address(refund.reference)],
      ...(how === 'wrong mint' && { from: treasury.signer, mint: fakeMint }),
    };
  });
  const transaction = await walk.signed(payments);
  if (how === 'right')
    transaction.legs = chosen.map((refund, i) => ({ refund, units: payments[i]!.amountBaseUnits }));
  const done = walk.chance(0.85) ? await walk.submit(transaction) : walk.held.push(transaction);
  return `${how} ${chosen.map(({ id, status }, i) => `${id} ${status} ${payments[i]!.amountBaseUnits}`).join(', ')}: ${done}`;
}

/** Prepared by Florin, signed by the merchant, and sent through Florin, directly, or later. */
async function florinStep(walk: RefundWalk) {
  const { t } = walk.ground;
  const ready = walk.model.refunds.filter(({ status }) => status === 'ready');
  if (ready.length === 0) return 'nothing';
  const chosen = [...new Set([walk.pick(ready), walk.pick(ready)])];
  const ids = chosen.map(({ id }) => id);
  const answer = await walk.call('POST', '/refunds/prepare', { ids, payer: t.merchant.address });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const transaction = transactionOf(await signed(answer.body.transaction, t.merchant.signer));
  const isKnown = walk.model.transactions.some(({ signature }) => signature === transaction.signature);
  if (isKnown) return 'the same once more';
  transaction.legs = chosen.map((refund) => ({
    refund,
    units: centsToBaseUnits(refund.cents) - refund.sent,
  }));
  transaction.isOwn = true;
  const how = walk.pick(['florin', 'florin', 'wallet', 'keep'] as const);
  if (how === 'keep') walk.held.push(transaction);
  if (how === 'wallet') expect(await walk.submit(transaction)).toBe(true);
  if (how === 'florin') {
    const sent = await walk.call('POST', '/refunds/send', { transaction: transaction.wire });
    expect([sent.status, sent.text]).toEqual([202, sent.text]);
    transaction.slot = walk.slot;
    walk.model.transactions.push(transaction);
  }
  return `${how} ${ids.join(', ')}`;
}

/** Two people, or one impatient person: the whole amount from two wallets at the same moment. */
async function twiceStep(walk: RefundWalk) {
  const { t, treasury } = walk.ground;
  const ready = walk.model.refunds.filter(({ status }) => status === 'ready');
  if (ready.length === 0) return 'nothing';
  const refund = walk.pick(ready);
  const units = centsToBaseUnits(refund.cents) - refund.sent;
  for (const { signer } of [t.merchant, treasury]) {
    const transaction = await walk.signed([
      {
        from: signer,
        destinationOwner: address(refund.address!),
        amountBaseUnits: units,
        references: [address(refund.reference)],
      },
    ]);
    transaction.legs = [{ refund, units }];
    expect(await walk.submit(transaction)).toBe(true);
  }
  return `${refund.id} ${units}`;
}

/** Kept, or rolled back: it lands now, whatever has become of its refunds. */
async function heldStep(walk: RefundWalk) {
  const gone = walk.model.transactions.filter(({ slot }) => slot === null);
  const candidates = [...walk.held, ...gone];
  if (candidates.length === 0) return 'nothing';
  const transaction = walk.pick(candidates);
  return `${transaction.signature}: ${await walk.submit(transaction)}`;
}

async function rollBackStep(walk: RefundWalk) {
  const slots = 1 + walk.below(10);
  const gone = walk.ground.t.chain.rollBack(slots);
  walk.model.vanish(gone);
  return `${slots} slots, ${gone.length} transactions`;
}

async function timeStep(walk: RefundWalk) {
  const { service } = walk.ground.t;
  const days = walk.pick([0.01, 0.01, 2, 35, 91]);
  await walk.look(true);
  service.clock.setOffsetMs(service.clock.now().getTime() - Date.now() + days * DAY_MS);
  await walk.look(true);
  // All of it has been looked at, also where the watcher would have gone on looking meanwhile.
  await readPast(service, service.clock.now());
  await walk.ground.t.expire();
  walk.model.expire(service.clock.now().getTime());
  return `${days} days`;
}

async function returnStep(walk: RefundWalk) {
  const open = (await walk.exceptions()).filter(({ status }) => status === 'open');
  if (open.length === 0) return 'nothing';
  const exception = walk.pick(open);
  const isHeld = walk.model.refunds.some(
    (refund) => refund.exceptionId === exception.id && !isGivenUp(refund) && refund.status !== 'succeeded',
  );
  // Refunds may have left too little of the payment.
  const ofIntent = await walk.left({ intentId: exception.intentId, exceptionId: exception.id });
  const alone = await walk.left({ intentId: null, exceptionId: exception.id });
  const isTaken = isOfIntent(exception) && ofIntent < alone;
  const answer = await walk.call('POST', `/exceptions/${exception.id}/mark-returned`, {});
  expect([answer.status, answer.text]).toEqual([isHeld || isTaken ? 409 : 200, answer.text]);
  return `${exception.id} ${answer.status}`;
}
