import { randomUUID } from 'node:crypto';
import { newAddress } from '../support/service.ts';
import type { Answer, Shop } from './shop.ts';

/** Random choices, all from one seed. */
export interface Dice {
  below(count: number): number;
  pick<Item>(items: readonly Item[]): Item | undefined;
  chance(share: number): boolean;
}

export type Operation = (shop: Shop, dice: Dice) => Promise<Answer | undefined>;

const V2 = '/api/v2';
const HOUR = 3600;

async function newSession(shop: Shop, dice: Dice, fields: object): Promise<Answer> {
  const code = dice.chance(0.2) ? dice.pick(shop.codes) : undefined;
  const answer = await shop.call('POST', `${V2}/checkout-sessions`, {
    projectId: shop.projectId,
    ...fields,
    ...(code && { promotionCode: code }),
  });
  if (answer.status === 201) shop.sessions.push(answer.body.id);
  return answer;
}

const pay = (shop: Shop, target: string | undefined, more: object = {}) =>
  target === undefined
    ? Promise.resolve(undefined)
    : shop.call('POST', `${V2}/sandbox/payments`, { target, ...more });

const someone = (shop: Shop, dice: Dice) => ({ customerId: dice.pick(shop.customers) });

async function oneOf(shop: Shop, dice: Dice, list: string): Promise<{ id: string } | undefined> {
  const { body, status, text } = await shop.call('GET', `${V2}/${list}`);
  if (status !== 200) throw new Error(`${list}: ${text}`);
  return dice.pick(body.data as { id: string }[]);
}

/** Every billing operation there is, by its name in the record of a walk. */
export const OPERATIONS: Record<string, Operation> = {
  async customer(shop, dice) {
    const answer = await shop.call('POST', `${V2}/customers`, {
      ...{ projectId: shop.projectId, name: `Customer ${shop.customers.length}` },
      ...(dice.chance(0.5) && { email: `c${dice.below(1e9)}@shop.example`, country: 'DE' }),
    });
    if (answer.status === 201) shop.customers.push(answer.body.id);
    return answer;
  },
  'checkout of an amount': (shop, dice) =>
    newSession(shop, dice, { mode: 'one_time', amountCents: 1 + dice.below(5000) }),
  'checkout of prices': (shop, dice) =>
    newSession(shop, dice, {
      mode: 'one_time',
      lineItems: [
        { priceId: shop.prices.once, quantity: 1 + dice.below(4) },
        { priceId: shop.prices.taxed, quantity: 1 + dice.below(3) },
      ],
      ...(dice.chance(0.5) && someone(shop, dice)),
    }),
  'top-up': (shop, dice) =>
    newSession(shop, dice, { mode: 'balance_top_up', priceId: shop.prices.topUp, ...someone(shop, dice) }),
  subscribe: (shop, dice) =>
    newSession(shop, dice, {
      mode: 'subscription',
      priceId: dice.pick([shop.prices.month, shop.prices.year, shop.prices.trial]),
      ...someone(shop, dice),
    }),
  'pay exactly': (shop, dice) => pay(shop, dice.pick(shop.sessions.slice(-8))),
  'pay something late or twice': (shop, dice) => pay(shop, dice.pick(shop.sessions), { amountCents: 1234 }),
  'pay too little': (shop, dice) =>
    pay(shop, dice.pick(shop.sessions.slice(-8)), { amountCents: 1 + dice.below(100) }),
  'pay too much': (shop, dice) =>
    pay(shop, dice.pick(shop.sessions.slice(-8)), { amountCents: 20_000 + dice.below(100) }),
  'pay oddly': (shop, dice) =>
    pay(shop, dice.pick(shop.sessions.slice(-8)), {
      outcome: dice.pick(['fail', 'wrong_mint', 'no_reference']),
    }),
  async 'pay a renewal'(shop, dice) {
    return pay(shop, (await oneOf(shop, dice, 'subscriptions'))?.id);
  },
  async 'pay an invoice'(shop, dice) {
    return pay(shop, (await oneOf(shop, dice, 'invoices?status=open'))?.id);
  },
  async refund(shop, dice) {
    const invoice = await oneOf(shop, dice, 'invoices?status=paid');
    if (!invoice) return undefined;
    return shop.call('POST', `${V2}/refunds`, {
      ...{ invoiceId: invoice.id, reason: 'requested_by_customer', notifyCustomer: false },
      ...(dice.chance(0.6) && { amountCents: 1 + dice.below(300) }),
      ...(dice.chance(0.8) && { address: newAddress() }),
    });
  },
  async 'send a refund'(shop, dice) {
    const refund = await oneOf(shop, dice, 'refunds?status=ready');
    return refund && shop.call('POST', `${V2}/sandbox/refunds/${refund.id}/pay`, {});
  },
  async 'cancel a refund'(shop, dice) {
    const refund = await oneOf(shop, dice, 'refunds');
    return refund && shop.call('POST', `${V2}/refunds/${refund.id}/cancel`);
  },
  async 'change plan'(shop, dice) {
    const subscription = await oneOf(shop, dice, 'subscriptions?status=active');
    if (!subscription) return undefined;
    return shop.call('PATCH', `${V2}/subscriptions/${subscription.id}`, {
      priceId: dice.pick([shop.prices.month, shop.prices.year]),
      prorationBehavior: dice.pick(['auto', 'charge_now', 'next_period', 'reset', 'none']),
      ...(dice.chance(0.3) && { quantity: 1 + dice.below(3) }),
    });
  },
  async 'cancel or resume'(shop, dice) {
    const subscription = await oneOf(shop, dice, 'subscriptions');
    if (!subscription) return undefined;
    const path = `${V2}/subscriptions/${subscription.id}`;
    if (dice.chance(0.5)) return shop.call('PATCH', path, { cancelAtPeriodEnd: dice.chance(0.5) });
    return shop.call('POST', `${path}/cancel`, { atPeriodEnd: dice.chance(0.5) });
  },
  usage: (shop, dice) =>
    shop.call('POST', `${V2}/usage`, {
      ...{ projectId: shop.projectId, metric: 'calls', quantity: 1 + dice.below(5) },
      ...{ idempotencyKey: randomUUID(), ...someone(shop, dice) },
    }),
  async adjust(shop, dice) {
    const customer = dice.pick(shop.customers);
    if (!customer) return undefined;
    const delta = dice.below(400) - 150 || 1;
    const what = dice.chance(0.5) ? { deltaCents: delta } : { deltaCredits: delta };
    const path = `${V2}/customers/${customer}/balance-adjustments`;
    return shop.call('POST', path, { ...what, reason: 'The walk' });
  },
  async 'merge customers'(shop, dice) {
    const [from, into] = [dice.pick(shop.customers), dice.pick(shop.customers)];
    if (!from || !into || dice.chance(0.5)) return undefined;
    return shop.call('POST', `${V2}/customers/${from}/merge`, { intoCustomerId: into });
  },
  async 'promotion code'(shop) {
    const answer = await shop.call('POST', `${V2}/promotion-codes`, { discountId: shop.discountId });
    if (answer.status === 201) shop.codes.push(answer.body.code);
    return answer;
  },
  async link(shop, dice) {
    const answer = await shop.call('POST', `${V2}/payment-links`, {
      ...{ projectId: shop.projectId, priceId: shop.prices.once },
      ...(dice.chance(0.4) && { maxPayments: 1 + dice.below(3) }),
    });
    if (answer.status === 201) shop.links.push(answer.body);
    return answer;
  },
  async 'checkout on a link'(shop, dice) {
    const link = dice.pick(shop.links);
    if (!link) return undefined;
    const answer = await shop.call('POST', `${V2}/payment-links/${link.publicToken}/checkout`, {});
    if (answer.status === 201) shop.sessions.push(answer.body.sessionId);
    return answer;
  },
  'cancel a checkout': async (shop, dice) => {
    const id = dice.pick(shop.sessions);
    return id === undefined ? undefined : shop.call('POST', `${V2}/checkout-sessions/${id}/cancel`);
  },
  async 'manual invoice'(shop, dice) {
    const customerId = dice.pick(shop.customers);
    if (!customerId) return undefined;
    return shop.call('POST', `${V2}/invoices`, {
      ...{ projectId: shop.projectId, customerId, send: false, netDays: 14 },
      lineItems: [{ name: 'Work', unitAmountCents: 100 + dice.below(900), quantity: 2 }],
    });
  },
  async 'open, void or accept an invoice'(shop, dice) {
    const invoice = await oneOf(shop, dice, `invoices?status=${dice.pick(['draft', 'open'])}`);
    return (
      invoice && shop.call('POST', `${V2}/invoices/${invoice.id}/${dice.pick(['open', 'void', 'accept'])}`)
    );
  },
  async 'sell at a terminal'(shop, dice) {
    const answer = await shop.call('POST', '/api/merchants/intents', {
      ...{ amountCents: 1 + dice.below(999), orderId: `order ${dice.below(40)}` },
      ...(dice.chance(0.5) && { terminalId: shop.terminalId }),
    });
    if (answer.status === 200) shop.intents.push(answer.body.id);
    return answer;
  },
  'pay an intent': (shop, dice) =>
    pay(shop, dice.pick(shop.intents), dice.chance(0.3) ? { amountCents: 1 + dice.below(999) } : {}),
  'cancel an intent': async (shop, dice) => {
    const id = dice.pick(shop.intents);
    return id === undefined ? undefined : shop.call('POST', `/api/merchants/intents/${id}/cancel`);
  },
  async 'decide about money'(shop, dice) {
    const open = await oneOf(
      shop,
      dice,
      `exceptions?status=${dice.pick(['open', 'open', 'linked', 'kept', 'credited'])}`,
    );
    if (!open) return undefined;
    const act = dice.pick(['link', 'keep', 'credit', 'reopen'])!;
    const session = dice.pick(shop.sessions);
    const found = session && (await shop.call('GET', `${V2}/checkout-sessions/${session}`)).body;
    const body = {
      link: { paymentIntentId: found?.paymentIntentId ?? undefined },
      credit: { customerId: dice.pick(shop.customers) },
      keep: {},
      reopen: {},
    }[act as 'link'];
    return shop.call('POST', `${V2}/exceptions/${open.id}/${act}`, body);
  },
  'let time pass': (shop, dice) =>
    shop.call('POST', `${V2}/sandbox/clock`, {
      advanceSeconds: dice.pick([HOUR, 7 * HOUR, 26 * HOUR, 4 * 24 * HOUR, 9 * 24 * HOUR]),
    }),
};

/** Operations that are chosen more often than the rest. */
export const OFTEN = [
  'pay exactly',
  'pay exactly',
  'pay an invoice',
  'pay a renewal',
  'customer',
  'subscribe',
];
