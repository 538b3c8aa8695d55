import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newCustomer, newPlan } from '../../test/support/billing.ts';
import { type MailServer, startMailServer } from '../../test/support/mail.ts';
import { newOpenInvoice } from '../../test/support/manual-invoices.ts';
import { visit } from '../../test/support/portal.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../../test/support/subscriptions.ts';
import { createLog } from '../platform/lib/log.ts';
import { createMailer } from './mailer.ts';
import { sendDueEmails } from './send-due-emails.ts';

let w: SubscriptionWorld;
let server: MailServer;

beforeAll(async () => {
  w = await subscriptionWorld();
  server = await startMailServer();
});

beforeEach(async () => {
  w.service.db.queuesEmails = true;
  await w.service.db.query('delete from emails');
});

/** Sends what is due and answers how each ended, in the order of writing. */
async function delivered() {
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  const parts = { db: w.service.db, secrets: w.service.secrets, publicUrl: () => w.service.url };
  await sendDueEmails({ ...parts, mailer, log: createLog('silent') });
  const rows = await w.service.db.query<{ kind: string; status: string; error: string | null }>(
    'select kind, status, error from emails order by created_at, id',
  );
  expect(server.received.splice(0)).toHaveLength(rows.filter(({ status }) => status === 'sent').length);
  return rows.map(({ kind, status, error }) => [kind, error ?? status]);
}

async function newInvoice(email: string) {
  const { id: customerId } = await newCustomer(w.shop, w.projectId, { email });
  return newOpenInvoice({ shop: w.shop, projectId: w.projectId, customerId }, { send: true });
}

test('nobody is asked to pay an invoice that was paid or voided meanwhile', async () => {
  const paid = await newInvoice('paid@example.com');
  const voided = await newInvoice('voided@example.com');
  await newInvoice('open@example.com');
  await w.payInvoice(paid.id);
  expect((await w.shop.call('POST', `/api/v2/invoices/${voided.id}/void`)).status).toBe(200);
  expect((await delivered()).sort()).toEqual([
    ['invoice', 'its invoice is no longer open'],
    ['invoice', 'its invoice is no longer open'],
    ['invoice', 'sent'],
    ['receipt', 'sent'],
  ]);
});

test('nobody is asked to pay for a change of plan that was withdrawn or replaced', async () => {
  const [plan, second, third] = await Promise.all(
    [1_000, 3_000, 5_000].map((unitAmountCents) => newPlan(w.shop, w.projectId, { unitAmountCents })),
  );
  const { id } = await w.subscribe(plan!.id, 'ann', { customerEmail: 'ann@example.com' });
  await w.service.db.query('delete from emails');
  const change = (priceId: string) => w.shop.call('PATCH', `/api/v2/subscriptions/${id}`, { priceId });
  await change(second!.id);
  await change(third!.id);
  const asked = (await delivered()).filter(([kind]) => kind === 'plan_change_to_pay');
  expect(asked).toEqual([
    ['plan_change_to_pay', 'the change can no longer be paid'],
    ['plan_change_to_pay', 'sent'],
  ]);
});

test('no customer is asked where to send a refund that was canceled', async () => {
  const refunds = [];
  for (const name of ['canceled', 'waiting']) {
    const { id } = await newInvoice(`${name}@example.com`);
    await w.payInvoice(id);
    const body = { invoiceId: id, reason: 'requested_by_customer' };
    const answer = await w.shop.call('POST', '/api/v2/refunds', body);
    expect(answer.text).toContain('awaiting_address');
    refunds.push(answer.body);
  }
  await w.shop.call('POST', `/api/v2/refunds/${refunds[0].id}/cancel`);
  expect((await delivered()).filter(([kind]) => kind === 'refund_claim')).toEqual([
    ['refund_claim', 'the refund needs no address'],
    ['refund_claim', 'sent'],
  ]);
});

test('no mailbox is asked to confirm an address that was withdrawn, or typed again', async () => {
  const { id } = await newCustomer(w.shop, w.projectId, { email: 'old@example.com' });
  const visitor = await visit(w.service, w.shop, w.projectId, id);
  const type = () => visitor.call('PATCH', '/me', { email: 'new@example.com' });
  await type();
  await type();
  const asked = async () => (await delivered()).filter(([kind]) => kind === 'email_confirmation');
  const over = ['email_confirmation', 'the change of the address has ended'];
  expect(await asked()).toEqual([over, ['email_confirmation', 'sent']]);
  await w.service.db.query('delete from emails');
  await type();
  await visitor.call('DELETE', '/me/pending-email');
  expect(await asked()).toEqual([over]);
});
