import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newCustomer,
  newPlan,
  newSession,
  readInvoice,
  readSession,
  readSubscription,
} from '../../../test/support/billing.ts';
import { newLinkToken, visit } from '../../../test/support/portal.ts';
import { call } from '../../../test/support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { dispatchAll, setUrl } from '../../../test/support/webhooks.ts';
import { createLog } from '../../platform/lib/log.ts';
import { runDueErasures } from './run-due-erasures.ts';

let w: SubscriptionWorld;

beforeAll(async () => {
  w = await subscriptionWorld();
});

const remove = (id: string, query = '') => w.shop.call('DELETE', `/api/v2/customers/${id}${query}`);
const progress = async (id: string) => (await w.shop.call('GET', `/api/v2/customers/${id}/erasure`)).body;
const refusal = async (id: string) => {
  const { status, body } = await remove(id);
  return [status, body.error?.code, body.error?.message];
};
/** One run gives each customer a time slice, which may be too short on a busy machine. */
async function finish(id: string): Promise<void> {
  do await w.runDue();
  while ((await progress(id)).status !== 'erased');
}
/** One transaction's work at most. */
const runOnce = () =>
  runDueErasures({ db: w.service.db, log: createLog('silent') }, w.service.clock.now(), -1);

describe('DELETE /api/v2/customers/{customerId}', () => {
  test('409 with the reason while a subscription lives, and 202 when it has ended', async () => {
    const plan = await newPlan(w.shop, w.projectId);
    const sub = await w.subscribe(plan.id, 'subscribed');
    expect(await refusal(sub.customerId)).toEqual([
      409,
      'INVALID_STATE',
      expect.stringContaining('subscription'),
    ]);
    await w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/cancel`, { atPeriodEnd: true });
    expect((await remove(sub.customerId)).status).toBe(409);
    await w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/cancel`, { atPeriodEnd: false });
    expect((await remove(sub.customerId)).status).toBe(202);
    await finish(sub.customerId);
    const { body } = await w.shop.call('GET', `/api/v2/subscriptions/${sub.id}?expand[]=customer`);
    expect(body).toMatchObject({ externalCustomerId: null, customer: { id: sub.customerId, email: null } });
    await expectSound(w.service);
  });

  test('409 while a payment is on its way or was made in part', async () => {
    const session = await newSession(w.shop, w.projectId, { externalCustomerId: 'pays', amountCents: 900 });
    await w.payInvoice(session.invoiceId, 400);
    expect(await refusal(session.customerId)).toEqual([
      409,
      'INVALID_STATE',
      expect.stringContaining('payment'),
    ]);
    expect(await readSession(w.shop, session.id)).toMatchObject({
      status: 'open',
      paymentStatus: 'underpaid',
    });
    await w.payInvoice(session.invoiceId, 500);
    expect((await remove(session.customerId)).status).toBe(202);
    await w.runDue();
    expect(await readInvoice(w.shop, session.invoiceId)).toMatchObject({ status: 'paid', totalCents: 900 });
    await expectSound(w.service);
  });

  test('409 while a refund is under way', async () => {
    const session = await newSession(w.shop, w.projectId, { externalCustomerId: 'refunded' });
    await w.payInvoice(session.invoiceId);
    const fields = { invoiceId: session.invoiceId, reason: 'other' };
    const { body: refund } = await w.shop.call('POST', '/api/v2/refunds', fields);
    expect(await refusal(session.customerId)).toEqual([
      409,
      'INVALID_STATE',
      expect.stringContaining('refund'),
    ]);
    await w.shop.call('POST', `/api/v2/refunds/${refund.id}/cancel`);
    expect((await remove(session.customerId)).status).toBe(202);
  });

  test('409 while an invoice written by hand is open; a draft goes', async () => {
    const { id: customerId } = await newCustomer(w.shop, w.projectId, { name: 'Ada' });
    const order = { projectId: w.projectId, customerId, lineItems: [{ name: 'Work', unitAmountCents: 100 }] };
    const { body: draft } = await w.shop.call('POST', '/api/v2/invoices', order);
    const { body: open } = await w.shop.call('POST', '/api/v2/invoices', order);
    await w.shop.call('POST', `/api/v2/invoices/${open.id}/open`);
    expect(await refusal(customerId)).toEqual([409, 'INVALID_STATE', expect.stringContaining('invoice')]);
    expect((await readInvoice(w.shop, open.id)).status).toBe('open');
    await w.shop.call('POST', `/api/v2/invoices/${open.id}/void`);
    expect((await remove(customerId)).status).toBe(202);
    expect((await w.shop.call('GET', `/api/v2/invoices/${draft.id}`)).status).toBe(404);
    await expectSound(w.service);
  });

  test('what ended overdue cannot be paid back to life', async () => {
    const plan = await newPlan(w.shop, w.projectId);
    const sub = await w.subscribe(plan.id, 'overdue');
    await w.moveTo(days(sub.currentPeriodEnd, 10));
    const ended = await readSubscription(w.shop, sub.id);
    expect(ended).toMatchObject({ status: 'canceled', cancelReason: 'payment_overdue' });
    expect((await remove(sub.customerId)).status).toBe(202);
    await w.payInvoice(ended.latestInvoiceId);
    await w.runDue();
    expect((await readSubscription(w.shop, sub.id)).status).toBe('canceled');
    const [exception] = (await w.shop.call('GET', '/api/v2/exceptions?status=open')).body.data;
    expect(exception).toMatchObject({ kind: 'canceled' });
    await expectSound(w.service);
  });

  test('404 for nobody, for another merchant’s, and for the erasure of a customer who is not deleted', async () => {
    const other = await w.service.createMerchant('Other');
    const { id } = await newCustomer(w.shop, w.projectId, { name: 'Ada' });
    expect((await other.call('DELETE', `/api/v2/customers/${id}`)).status).toBe(404);
    expect((await remove(randomUUID())).status).toBe(404);
    expect((await w.shop.call('GET', `/api/v2/customers/${id}/erasure`)).status).toBe(404);
    expect((await w.shop.call('GET', `/api/v2/customers/${id}`)).body.name).toBe('Ada');
    expect((await remove(id)).status).toBe(202);
    expect((await other.call('GET', `/api/v2/customers/${id}/erasure`)).status).toBe(404);
    expect((await remove(id, '?discardBalance=perhaps')).status).toBe(400);
  });

  test('a key for billing alone forfeits nobody’s balance', async () => {
    const { id } = await newCustomer(w.shop, w.projectId, {});
    await w.shop.call('POST', `/api/v2/customers/${id}/balance-adjustments`, {
      deltaCredits: 50,
      reason: 'gift',
    });
    const key = await w.shop.keyWith(['billing:read', 'billing:write']);
    const path = `${w.service.url}/api/v2/customers/${id}`;
    const headers = { authorization: `Bearer ${key}` };
    expect((await call(path, 'DELETE', undefined, headers)).status).toBe(409);
    const refused = await call(`${path}?discardBalance=true`, 'DELETE', undefined, headers);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect((await w.shop.call('GET', `/api/v2/customers/${id}`)).body.creditBalance).toBe(50);
    expect((await remove(id, '?discardBalance=true')).status).toBe(202);
  });

  test('twenty at once delete once', async () => {
    const { id } = await newCustomer(w.shop, w.projectId, { name: 'Ada' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const events = await w.service.db.query(
      `select from events where event = 'customer.deleted' and ordering_key = $1`,
      [id],
    );
    expect(events.length).toBe(1);
    await expectSound(w.service);
  });
});

describe('at the same moment', () => {
  test('checkouts, drafts, links to the portal and adjustments are before it or refused, never after it', async () => {
    const { projectId } = w;
    for (let round = 0; round < 5; round++) {
      const externalCustomerId = `racer ${round}`;
      const { id: customerId } = await newCustomer(w.shop, projectId, { externalCustomerId, name: 'Ada' });
      const post = (path: string, body: object) => w.shop.call('POST', `/api/v2${path}`, body);
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, () =>
          post('/checkout-sessions', { projectId, mode: 'one_time', amountCents: 100, externalCustomerId }),
        ),
        remove(customerId),
        ...Array.from({ length: 6 }, () =>
          post('/checkout-sessions', { projectId, mode: 'one_time', amountCents: 100, customerId }),
        ),
        post('/portal-sessions', { projectId, customerId }),
        post('/invoices', { projectId, customerId, lineItems: [{ name: 'Work', unitAmountCents: 100 }] }),
      ]);
      expect(answers[6]!.status).toBe(202);
      expect(
        answers.map(({ status }) => status).filter((status) => ![201, 202, 400].includes(status)),
      ).toEqual([]);
      await finish(customerId);
      const left = await w.service.db.query(
        `select from checkout_sessions where customer_id = $1 and (status = 'open' or external_customer_id is not null)
         union all select from portal_sessions where customer_id = $1
         union all select from invoices where customer_id = $1 and status = 'draft'`,
        [customerId],
      );
      expect(left.length).toBe(0);
      expect((await progress(customerId)).status).toBe('erased');
    }
    await expectSound(w.service);
  });

  test('a payment that settles is first or too late, and the money is somewhere', async () => {
    for (let round = 0; round < 5; round++) {
      const session = await newSession(w.shop, w.projectId, {
        externalCustomerId: `payer ${round}`,
        amountCents: 300,
      });
      const [{ status }] = await Promise.all([remove(session.customerId), w.payInvoice(session.invoiceId)]);
      expect([202, 409]).toContain(status);
      await w.runDue();
      await expectSound(w.service);
    }
  });

  test('ends their portal session, and an unused portal link opens nothing', async () => {
    const { id } = await newCustomer(w.shop, w.projectId, { name: 'Ada' });
    const visitor = await visit(w.service, w.shop, w.projectId, id);
    const token = await newLinkToken(w.shop, w.projectId, id);
    expect((await remove(id)).status).toBe(202);
    expect((await visitor.call('GET', '/me')).status).toBe(401);
    const login = await call(`${w.service.url}/api/portal/login`, 'POST', { token });
    expect(login.status).toBeGreaterThanOrEqual(400);
  });
});

describe('the work in batches', () => {
  test('continues where it was, shows how far it is, and never twice', async () => {
    const externalCustomerId = 'long history';
    for (let n = 0; n < 120; n++)
      await newSession(w.shop, w.projectId, { externalCustomerId, merchantReference: `secret ${n}` });
    const { body } = await w.shop.call(
      'GET',
      `/api/v2/customers?externalCustomerId=${encodeURIComponent(externalCustomerId)}`,
    );
    const { id } = body.data[0];
    expect((await remove(id)).body).toMatchObject({ done: 0, total: null });
    const seen: number[] = [];
    for (let steps = 0; (await progress(id)).status === 'erasing'; steps++) {
      expect(steps).toBeLessThan(100);
      await runOnce();
      const { done, total } = await progress(id);
      expect(done).toBeLessThanOrEqual(total);
      seen.push(done);
    }
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(new Set(seen).size).toBeGreaterThan(4);
    const left = await w.service.db.query(`select from events where strpos(body, 'secret ') > 0`);
    expect(left.length).toBe(0);
    await expectSound(w.service);
  });

  test('waits for a webhook that is being sent, because its answer is stored afterwards', async () => {
    const { db } = w.service;
    await setUrl(db, w.shop.id, 'http://127.0.0.1:1');
    const { id } = await newCustomer(w.shop, w.projectId, { name: 'Ada' });
    await dispatchAll(db);
    await db.query(
      `update webhook_deliveries set lease_id = gen_random_uuid(), lease_until = now() + interval '1 hour'
        where ordering_key = $1`,
      [id],
    );
    await remove(id);
    await w.runDue();
    expect((await progress(id)).status).toBe('erasing');
    await db.query(
      'update webhook_deliveries set lease_id = null, lease_until = null where ordering_key = $1',
      [id],
    );
    await finish(id);
    expect((await progress(id)).status).toBe('erased');
    await setUrl(db, w.shop.id, null);
  });

  test('the database refuses any other change of what only grows, also during an erasure', async () => {
    const { db } = w.service;
    const { id } = await newCustomer(w.shop, w.projectId, { name: 'Ada' });
    const { id: other } = await newCustomer(w.shop, w.projectId, { name: 'Bea' });
    for (const each of [id, other])
      await w.shop.call('POST', `/api/v2/customers/${each}/balance-adjustments`, {
        deltaCredits: 5,
        reason: 'gift',
      });
    const change = (statement: string, during = id) =>
      db.transaction(async (tx) => {
        await tx.query(`select set_config('florin.erasing_customer', $1, true)`, [during]);
        await tx.query(statement);
      });
    await expect(change(`update postings set reason = null where customer_id = '${id}'`)).rejects.toThrow(
      'only grows',
    );
    await remove(id, '?discardBalance=true');
    for (const statement of [
      `update events set status = 'x' where ordering_key = '${id}'`,
      `update events set body = '{"id": "x"}' where ordering_key = '${id}'`,
      `update postings set delta_credits = 7 where customer_id = '${id}'`,
      `update postings set reason = 'other' where customer_id = '${id}'`,
      `update postings set reason = null where customer_id <> '${id}'`,
    ])
      await expect(change(statement)).rejects.toThrow('only grows');
    await change(`update postings set reason = null where customer_id = '${id}'`);
    await finish(id);
    await expect(change(`update postings set reason = null where customer_id = '${id}'`)).rejects.toThrow(
      'only grows',
    );
  });
});
