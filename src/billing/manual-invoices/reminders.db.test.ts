import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  advance,
  bring,
  eventNames,
  expectSound,
  newCustomer,
  newProject,
  readInvoice,
  readPast,
  readSession,
  runDue,
} from '../../../test/support/billing.ts';
import { type MailServer, startMailServer } from '../../../test/support/mail.ts';
import { newOpenInvoice } from '../../../test/support/manual-invoices.ts';
import { readPdf, scanPdf } from '../../../test/support/read-pdf.ts';
import {
  newAddress,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import type { ClaimedEmail } from '../../email/email.ts';
import { createMailer } from '../../email/mailer.ts';
import { sendDueEmails } from '../../email/send-due-emails.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';
import { attachInvoice } from '../invoices/attach-invoice.ts';
import { runDueReminders } from './run-due-reminders.ts';

let service: TestService;
let server: MailServer;
let shop: TestMerchant;
let projectId: string;
let customerId: string;

beforeAll(async () => {
  service = await testService();
  service.db.queuesEmails = true;
  server = await startMailServer();
});

beforeEach(async () => {
  shop = await service.createMerchant('Café Zoë');
  projectId = (await newProject(shop)).id;
  customerId = (await newCustomer(shop, projectId, { name: 'Ada', email: 'ada@example.com' })).id;
});

const opened = (fields: object = {}) =>
  newOpenInvoice({ shop, projectId, customerId }, { netDays: 10, send: true, ...fields });
const send = (id: string) => shop.call('POST', `/api/v2/invoices/${id}/send`);
const queued = async () =>
  (
    await service.db.query<{ kind: string; number: number }>(
      'select kind, number from emails where merchant_id = $1 order by created_at, id',
      [shop.id],
    )
  ).map(({ kind, number }) => `${kind} ${number}`);
const invoiceEvents = async () =>
  (await eventNames(service, shop.id)).filter((name) => name.startsWith('invoice.'));

/** Sends everything that is queued, and answers what arrived. */
async function deliver() {
  server.received.length = 0;
  const mailer = createMailer(server.settings, { name: 'Billing', address: 'billing@florin.example' });
  const attach = (email: ClaimedEmail) =>
    attachInvoice(service.db, email, { network: 'sandbox', now: service.clock.now() });
  const parts = { db: service.db, secrets: service.secrets, log: createLog('silent'), mailer, attach };
  await sendDueEmails({ ...parts, publicUrl: () => 'https://pay.example' });
  return server.received;
}

describe('sending', () => {
  test('opening with send e-mails the link, the note and the PDF', async () => {
    const invoice = await opened({ memo: 'Thank you for\nyour trust' });
    expect(invoice.sentAt).toBe(invoice.openedAt);
    const [mail] = await deliver();
    expect(mail!.to).toEqual(['ada@example.com']);
    expect(mail!.headers.get('subject')).toBe('Café Zoë: Your invoice (INV-000001)');
    for (const words of [
      'Café Zoë has sent you an invoice. Please pay $960.00 by',
      invoice.checkoutUrl,
      'your trust',
    ])
      expect(mail!.text).toContain(words);
    expect(mail!.html).toContain(invoice.checkoutUrl);
    const printed = await readPdf(new Uint8Array(mail!.attachments.get('INV-000001.pdf')!));
    expect(printed.join('\n')).toContain('$960.00 due');
  });

  test.each(['de', 'es', 'fr', 'ar'])('in the customer’s language: %s', async (language) => {
    await service.db.query('update customers set language = $2 where id = $1', [customerId, language]);
    await opened();
    const [mail] = await deliver();
    expect(mail!.html).toContain(`lang="${language}"`);
    expect(mail!.text).not.toContain('has sent you');
  });

  /** Advances the clock until it can be sent again. */
  const later = () => advance(service, 1 / 24);

  test('again with each request, and with one key once', async () => {
    const invoice = await opened({ send: false });
    expect(invoice.sentAt).toBe(null);
    expect(await queued()).toEqual([]);
    expect((await send(invoice.id)).body.sentAt).not.toBe(null);
    await later();
    await send(invoice.id);
    await later();
    const path = `/api/v2/invoices/${invoice.id}/send`;
    for (let i = 0; i < 3; i++) await shop.call('POST', path, undefined, { 'idempotency-key': 'k' });
    expect(await queued()).toEqual(['invoice 1', 'invoice 2', 'invoice 3']);
  });

  test('409 of a draft, of what is void, and to somebody without an address', async () => {
    const draft = { projectId, customerId, lineItems: [{ name: 'a', unitAmountCents: 1 }] };
    const { id } = (await shop.call('POST', '/api/v2/invoices', draft)).body;
    expect((await send(id)).body.error.message).toBe('A draft invoice cannot be sent.');
    await shop.call('PATCH', `/api/v2/invoices/${id}`, { send: true });
    await service.db.query('update customers set email = null, email_source = null where id = $1', [
      customerId,
    ]);
    const refused = await shop.call('POST', `/api/v2/invoices/${id}/open`);
    expect([refused.status, refused.body.error.message]).toEqual([
      ...[409, 'It cannot be sent: the customer has no e-mail address.'],
    ]);
    expect((await readInvoice(shop, id)).status).toBe('draft');
    await service.db.query(
      `update customers set email = 'a@example.com', email_source = 'merchant' where id = $1`,
      [customerId],
    );
    expect((await shop.call('POST', `/api/v2/invoices/${id}/open`)).body.number).toBe('INV-000001');
    await shop.call('POST', `/api/v2/invoices/${id}/void`);
    expect((await send(id)).body.error.message).toBe('A void invoice cannot be sent.');
  });
});

describe('reminders', () => {
  test('three days before it is due, and 1, 7 and 14 days after, once each', async () => {
    const invoice = await opened();
    const days = async (count: number) => {
      await advance(service, count);
      await Promise.all([runDueReminders(service.db, service.clock.now()), runDue(service)]);
      await runDue(service);
    };
    await days(6.9);
    expect(await queued()).toEqual(['invoice 1']);
    await days(0.2);
    expect(await queued()).toEqual(['invoice 1', 'invoice_reminder 1']);
    expect(await invoiceEvents()).toEqual(['invoice.created', 'invoice.upcoming']);
    await days(3);
    expect(await readInvoice(shop, invoice.id)).toMatchObject({ status: 'open', isOverdue: true });
    expect(await invoiceEvents()).toEqual(['invoice.created', 'invoice.upcoming', 'invoice.overdue']);
    for (const count of [1, 6, 7, 30]) await days(count);
    const late = ['invoice_overdue 3', 'invoice_overdue 4', 'invoice_overdue 5'];
    expect(await queued()).toEqual(['invoice 1', 'invoice_reminder 1', ...late]);
    expect((await invoiceEvents()).length).toBe(3);
    // It can still be paid, a year later.
    await days(300);
    await bring(service, shop, await readSession(shop, invoice.checkoutSessionId), 96_000, {
      blockTime: service.clock.now(),
    });
    expect((await readInvoice(shop, invoice.id)).status).toBe('paid');
    await expectSound(service);
  });

  test('end with the payment and with the void', async () => {
    const [paid, voided] = [await opened(), await opened()];
    await bring(service, shop, await readSession(shop, paid.checkoutSessionId), 96_000, {
      blockTime: service.clock.now(),
    });
    await shop.call('POST', `/api/v2/invoices/${voided.id}/void`);
    await advance(service, 40);
    await runDue(service);
    expect((await queued()).filter((name) => /reminder|overdue/.test(name))).toEqual([]);
    expect(await invoiceEvents()).not.toContain('invoice.overdue');
  });

  test('after a pause only the last is sent, and the due date is announced', async () => {
    await opened();
    await advance(service, 18);
    await runDue(service);
    expect(await queued()).toEqual(['invoice 1', 'invoice_overdue 4']);
    expect(await invoiceEvents()).toEqual(['invoice.created', 'invoice.overdue']);
  });

  test('wait until the chain was read past the due date', async () => {
    await opened();
    await readPast(service, service.clock.now());
    await advance(service, 10.5, { isRead: false });
    await runDue(service);
    expect(await invoiceEvents()).toEqual(['invoice.created']);
    await readPast(service, service.clock.now());
    await advance(service, 0.01);
    await runDue(service);
    expect(await invoiceEvents()).toEqual(['invoice.created', 'invoice.overdue']);
  });

  test('without an e-mail where we sent none; the events come all the same', async () => {
    await opened({ send: false });
    await advance(service, 12);
    await runDue(service);
    expect(await queued()).toEqual([]);
    expect(await invoiceEvents()).toEqual(['invoice.created', 'invoice.overdue']);
  });

  test('no reminders, no sending and no QR code once a part payment is being refunded', async () => {
    const invoice = await opened();
    const session = await readSession(shop, invoice.checkoutSessionId);
    await bring(service, shop, session, 10_000, { blockTime: service.clock.now() });
    const pdf = async () => {
      const headers = { authorization: `Bearer ${shop.key}` };
      const path = `/api/v2/invoices/${invoice.id}/pdf`;
      return scanPdf(await (await fetch(service.url + path, { headers })).bytes());
    };
    expect(await pdf()).toBe(invoice.checkoutUrl);
    const part = { paymentIntentId: session.paymentIntentId, reason: 'other', address: newAddress() };
    const { status } = await shop.call('POST', '/api/v2/refunds', part);
    expect(status).toBe(201);
    expect(await pdf()).toBeUndefined();
    await advance(service, 1);
    const refused = await send(invoice.id);
    expect([refused.status, refused.body.error.message]).toEqual([
      ...[409, 'What was paid of it goes back, so it can no longer be paid. Void it instead.'],
    ]);
    await advance(service, 40);
    await runDue(service);
    expect((await queued()).filter((name) => /reminder|overdue/.test(name))).toEqual([]);
    expect(await invoiceEvents()).not.toContain('invoice.overdue');
    await expectSound(service);
  });

  test('one that fails does not block the others, and is reported', async () => {
    const [broken] = [await opened({ send: false }), await opened({ send: false })];
    await service.db.query(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.id = '${broken.id}' and new.steps_done > 0 then raise 'refused'; end if; return new; end $$`);
    await service.db.query(
      'create trigger refuse before update on invoices for each row execute function refuse()',
    );
    await advance(service, 8);
    expect(await runDueReminders(service.db, service.clock.now())).toBe(1);
    expect(await service.db.query('select item_id as id, reason from set_aside_work')).toEqual([
      { id: broken!.id, reason: 'refused' },
    ]);
    expect((await invoiceEvents()).filter((name) => name === 'invoice.upcoming')).toHaveLength(1);
    await service.db.query('drop trigger refuse on invoices');
    expect(await runDueReminders(service.db, addMinutes(service.clock.now(), 1))).toBe(1);
    await expectSound(service);
  });
});
