import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newCustomer, newProject, newSession } from '../../test/support/billing.ts';
import { cleanUp } from '../../test/support/clean-up.ts';
import { type MailServer, startMailServer } from '../../test/support/mail.ts';
import { type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import { eventually } from '../../test/support/webhooks.ts';
import { DAY_MS } from '../platform/lib/clock.ts';
import { formatUsd, labelled } from '../platform/lib/format.ts';
import { languageOf } from '../platform/lib/language.ts';
import { createLog } from '../platform/lib/log.ts';
import { composeEmail } from './compose-email.ts';
import { type EmailKind, LEASE_MS, MAX_ATTEMPTS, STALE_MS } from './email.ts';
import type { SmtpServer } from './mail-settings.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { pruneEmails } from './prune-emails.ts';
import { updateLeases } from './queries.ts';
import { queueEmails } from './queue-email.ts';
import { sendDueEmails } from './send-due-emails.ts';

const FROM = { name: 'Billing', address: 'billing@florin.example' };
const PAY_URL = 'https://pay.example/checkout/cs_1?a=1&b=2';

let service: TestService;
let shop: TestMerchant;
let server: MailServer;
let mailer: Mailer;
const lines: string[] = [];
const log = createLog('debug', (line) => lines.push(line));

beforeAll(async () => {
  service = await testService();
  server = await startMailServer();
  mailer = createMailer(server.settings, FROM);
});

beforeEach(async () => {
  service.db.queuesEmails = true;
  server.refuse(0, 0);
  server.received.length = 0;
  await service.db.query('delete from emails');
  shop = await service.createMerchant('Café Zoë');
});

/** An e-mail to a customer of its own, unless told otherwise. */
async function write(
  {
    kind = 'renewal',
    ...fields
  }: { kind?: EmailKind; name?: string; email?: string | null; language?: string } = {},
  merchant = shop,
) {
  const projectId = (await newProject(merchant)).id;
  const { language, ...person } = fields;
  const customer = await newCustomer(merchant, projectId, { email: 'ann@example.com', ...person });
  await service.db.query('update customers set language = $2 where id = $1', [customer.id, language ?? null]);
  const { invoiceId } = await newSession(merchant, projectId);
  const email = {
    merchantId: merchant.id,
    projectId,
    customerId: customer.id,
    kind,
    invoiceId,
    number: 1,
    facts: {
      number: 'INV-000007',
      items: [{ description: 'Coffee <b>club</b> ☕', amountCents: 9_007_199_254_740_993n }],
      creditCents: 93n,
      totalCents: 9_007_199_254_740_900n,
      dueCents: kind === 'receipt' ? 0n : 9_007_199_254_740_900n,
      dueAt: new Date('2026-03-01T12:30:45Z'),
      endsAt: new Date('2026-03-08T12:30:45Z'),
      paidAt: kind === 'receipt' ? new Date('2026-02-27T08:00:00Z') : null,
      payUrl: kind === 'receipt' ? null : PAY_URL,
      txSignature: kind === 'receipt' ? '5sig' : null,
    },
  };
  await service.db.transaction((tx) => queueEmails(tx, () => [email]));
  return email;
}

const send = (now: Date = new Date(), by: Mailer = mailer) =>
  sendDueEmails({
    publicUrl: () => 'https://pay.example',
    secrets: service.secrets,
    db: service.db,
    mailer: by,
    log,
    now: () => now,
  });

interface Row {
  id: string;
  status: string;
  error: string | null;
  attempts: number;
  nextAttemptAt: Date | null;
}
const rows = () =>
  service.db.query<Row>(
    `select id, status, error, attempt_count::integer as attempts, next_attempt_at as "nextAttemptAt"
       from emails order by id`,
  );
const after = (ms: number) => new Date(Date.now() + ms);

describe('what is sent', () => {
  test.each([
    ['renewal', 'en', 'Your renewal is ready to pay (INV-000007)', 'Pay now'],
    ['reminder', 'it', 'Reminder: your renewal is due soon (INV-000007)', 'March 1, 2026 at 12:30 PM UTC'],
    ['past_due', undefined, 'Your payment is overdue (INV-000007)', 'until March 8, 2026 at 12:30 PM UTC'],
    ['canceled', 'en-GB', 'Your subscription has ended (INV-000007)', 'within 30 days'],
    ['renewal', 'de', 'Ihre Verlängerung kann bezahlt werden (INV-000007)', 'Jetzt bezahlen'],
    ['past_due', 'de-AT', 'Ihre Zahlung ist überfällig (INV-000007)', 'bis zum 8. März 2026 um 12:30 UTC'],
    ['reminder', 'es-MX', 'Recordatorio: su renovación vence pronto (INV-000007)', 'Pagar ahora'],
    ['canceled', 'fr', 'Votre abonnement a pris fin (INV-000007)', 'dans les 30 jours'],
    ['past_due', 'ar', 'تأخر دفع اشتراكك (INV-000007)', 'حتى 8 مارس 2026 في 12:30 م UTC'],
  ] as const)('%s in %s, once', async (kind, language, subject, words) => {
    await write({ kind, name: 'Ann', ...(language && { language }) });
    expect([await send(), await send()]).toEqual([1, 0]);
    expect(server.received).toHaveLength(1);
    const { headers, text, html, to, from } = server.received[0]!;
    const [{ id, status }] = (await rows()) as [Row];
    expect([status, to, from]).toEqual(['sent', ['ann@example.com'], FROM.address]);
    expect(headers.get('subject')).toBe(labelled('Café Zoë', subject, languageOf(language)));
    expect(headers.get('from')).toBe('Billing <billing@florin.example>');
    expect(headers.get('to')).toBe('Ann <ann@example.com>');
    expect(headers.get('message-id')).toBe(`<${id}@florin.example>`);
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    const usd = (cents: bigint) => formatUsd(cents, languageOf(language));
    const [total, credit] = [usd(9_007_199_254_740_900n), usd(-93n)];
    for (const part of ['Café Zoë', 'INV-000007', total, credit, words]) {
      expect(text).toContain(part);
      expect(html).toContain(part);
    }
    expect(text).toContain(PAY_URL);
    expect(html).toContain('href="https://pay.example/checkout/cs_1?a=1&amp;b=2"');
    const coffee = labelled('Coffee <b>club</b> ☕', usd(9_007_199_254_740_993n), languageOf(language));
    expect(text).toContain(coffee);
    expect(html).toContain('Coffee &lt;b&gt;club&lt;/b&gt; ☕');
    expect(html).not.toMatch(/<b>|<img|<script/);
    expect(html.includes('dir="rtl"')).toBe(language === 'ar');
  });

  test('a receipt: amount, what, when, the transaction; nothing to pay', async () => {
    await write({ kind: 'receipt' });
    await send();
    const { headers, text } = server.received[0]!;
    expect(headers.get('subject')).toBe('Café Zoë: Your receipt for INV-000007');
    expect(text).toContain('Paid on: February 27, 2026 at 8:00 AM UTC');
    expect(text).toContain('Solana transaction: 5sig');
    expect(text).toContain('Total (USDC): $90,071,992,547,409.00');
    expect(text).not.toMatch(/https?:|Due by/);
  });

  test('customers find their portal, where they can sign in to it by e-mail', async () => {
    service.db.queuesEmails = true;
    const { projectId } = await write({ kind: 'receipt' });
    const settings = { portalSignIn: true };
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { settings });
    await send();
    const { text, html } = server.received[0]!;
    const url = `https://pay.example/portal/sign-in/${projectId}`;
    expect(text).toContain(`Your subscriptions and invoices:\n${url}`);
    expect(html).toContain(`<a href="${url}">Your subscriptions and invoices</a>`);
  });

  test('a reply goes to the seller, where the project says how to reach them', async () => {
    const { projectId } = await write({ kind: 'receipt' });
    const settings = { supportEmail: 'help@shop.example' };
    expect((await shop.call('PATCH', `/api/v2/projects/${projectId}`, { settings })).body).toMatchObject({
      settings,
    });
    await send();
    const { headers, to } = server.received[0]!;
    expect([headers.get('reply-to'), to]).toEqual(['Café Zoë <help@shop.example>', ['ann@example.com']]);
  });

  test.each([
    ['Zoë "Ünï" Ōmori, 日本', 'Hi Zoë "Ünï" Ōmori, 日本,'],
    ['👩‍🚀 Ann 🦀', 'Hi 👩‍🚀 Ann 🦀,'],
    ['Ann\r\nBcc: eve@evil.example\r\n\r\nHi', 'Hi,'],
    ['Ann\u2028X-Evil\u0000 y', 'Hi Ann X-Evil  y,'],
    ['<ann@x>, eve@evil.example', 'Hi,'],
    ['see http://evil.example now', 'Hi,'],
    ['=?utf-8?Q?Bcc=3A_eve?=', 'Hi =?utf-8?Q?Bcc=3A_eve?=,'],
  ])('the name %j is a name and nothing more', async (name, greeting) => {
    const { customerId } = await write();
    // Straight into the row: the API refuses the worst of these.
    await service.db.query('update customers set name = $2 where id = $1', [
      customerId,
      name.replaceAll('\u0000', ''),
    ]);
    await service.db.query('update merchants set name = $2 where id = $1', [
      shop.id,
      'Shop\r\nBcc: eve@evil.example\r\n\r\n<p>“日本” 🦀',
    ]);
    await send();
    const { headers, text, to, raw } = server.received[0]!;
    expect(to).toEqual(['ann@example.com']);
    expect([...headers.keys()].sort()).toEqual(
      [
        ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
      ].sort(),
    );
    expect(headers.get('subject')).toBe(
      'Shop Bcc: eve@evil.example <p>“日本” 🦀: Your renewal is ready to pay (INV-000007)',
    );
    expect(headers.get('to')).toContain('ann@example.com');
    expect(headers.get('to')).not.toContain('evil');
    expect(text.split('\n')[0]).toBe(greeting.replaceAll('  ', ' '));
    expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^(bcc|x-evil)/im);
    expect(raw).toMatch(/^[\x00-\x7f]*$/);
  });
});

describe('what is not sent', () => {
  test('nothing is written without a mail server, nor to a customer without an address, nor twice', async () => {
    service.db.queuesEmails = false;
    await write();
    expect(await rows()).toEqual([]);
    service.db.queuesEmails = true;
    await write({ email: null });
    expect(await rows()).toEqual([]);
    const email = await write();
    await service.db.transaction((tx) => queueEmails(tx, () => [email]));
    expect(await rows()).toHaveLength(1);
    await service.db.transaction((tx) => queueEmails(tx, () => [{ ...email, number: 2 }]));
    expect(await rows()).toHaveLength(2);
  });

  test('no statement at all is run without a mail server', async () => {
    const query = () => expect.fail('a query');
    await queueEmails({ inTransaction: true, queuesEmails: false, query }, () => expect.fail('an e-mail'));
  });

  test('an undone transaction leaves no e-mail', async () => {
    const email = await write();
    await service.db.query('delete from emails');
    const undone = service.db.transaction(async (tx) => {
      await queueEmails(tx, () => [email]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await rows()).toEqual([]);
  });

  test('to a corrected address, or to none any more; nothing stale', async () => {
    const changed = await write();
    await service.db.query(`update customers set email = 'new@example.com' where id = $1`, [
      changed.customerId,
    ]);
    const forgotten = await write();
    await service.db.query('update customers set email = null, email_source = null where id = $1', [
      forgotten.customerId,
    ]);
    await send();
    expect(server.received.map(({ to }) => to)).toEqual([['new@example.com']]);
    await write();
    await send(after(STALE_MS + 60_000));
    expect(server.received).toHaveLength(1);
    expect((await rows()).map(({ status, error }) => [status, error])).toEqual([
      ['sent', null],
      ['dead', 'the customer no longer has an e-mail address'],
      ['dead', 'it waited for more than two days'],
    ]);
  });

  test('a customer of another merchant is out of reach', async () => {
    const other = await service.createMerchant();
    const [mine, theirs] = [await write(), await write({}, other)];
    const mixed = { ...mine, number: 5, customerId: theirs.customerId, projectId: theirs.projectId };
    await service.db.transaction((tx) => queueEmails(tx, () => [mixed]));
    expect(await rows()).toHaveLength(2);
  });
});

describe('retries', () => {
  test.each([421, 451, 452, 550, 554])('%i is tried again', async (code) => {
    await write();
    server.refuse(code);
    await send();
    const [failed] = (await rows()) as [Row];
    expect(failed).toMatchObject({ status: 'retrying', attempts: 1 });
    expect(failed.error).toContain(`${code} not now`);
    expect(await send()).toBe(0);
    expect(await send(failed.nextAttemptAt!)).toBe(1);
    expect(server.received).toHaveLength(1);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2, error: null }]);
  });

  test('over about a day, then it is dead with its reason', async () => {
    await write();
    server.refuse(550, 100);
    const start = new Date();
    let now = start;
    for (let attempt = 1; ; attempt++) {
      expect(await send(now)).toBe(1);
      const [row] = (await rows()) as [Row];
      expect(row.attempts).toBe(attempt);
      if (row.status === 'dead') break;
      expect(await send(new Date(row.nextAttemptAt!.getTime() - 1))).toBe(0);
      now = row.nextAttemptAt!;
    }
    expect(await rows()).toMatchObject([{ status: 'dead', attempts: MAX_ATTEMPTS, nextAttemptAt: null }]);
    expect((await rows())[0]!.error).toContain('550 not now');
    const hours = (now.getTime() - start.getTime()) / 3_600_000;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(28);
    expect(await send(after(5 * DAY_MS))).toBe(0);
  });

  test('a refused connection, a silent server, one that drips', async () => {
    const listening = createServer((socket) => {
      socket.on('error', () => {});
      if (listening.connections++ === 0) return;
      const timer = setInterval(() => socket.write('220-x\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    }) as ReturnType<typeof createServer> & { connections: number };
    listening.connections = 0;
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    cleanUp(async () => listening.close());
    const at = (port: number): SmtpServer => ({ ...server.settings, port });
    const { port } = listening.address() as AddressInfo;
    await write();
    const reasons: string[] = [];
    for (const bad of [at(1), at(port), at(port)]) {
      const [row] = (await rows()) as [Row];
      await send(row.nextAttemptAt!, createMailer(bad, FROM, { timeoutMs: 300 }));
      reasons.push((await rows())[0]!.error!);
    }
    expect(reasons[0]).toContain('ECONNREFUSED');
    expect(reasons[1]).toMatch(/timeout|Greeting|no end/i);
    expect(reasons[2]).toMatch(/timeout|Greeting|no end/i);
    expect(await rows()).toMatchObject([{ status: 'retrying', attempts: 3 }]);
    await send((await rows())[0]!.nextAttemptAt!);
    expect(server.received).toHaveLength(1);
  });
});

test('a server that keeps one recipient waiting holds up no other, not even one that comes later', async () => {
  const asked = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const slow = await startMailServer({
    async onRcptTo({ address }, _session, done) {
      if (address !== 'poison@example.com') return done();
      asked.resolve();
      await free.promise;
      done(Object.assign(new Error('not here'), { responseCode: 550 }));
    },
  });
  const poisoned = await write({ email: 'poison@example.com' });
  const sending = sendDueEmails({
    publicUrl: () => 'https://pay.example',
    secrets: service.secrets,
    db: service.db,
    mailer: createMailer(slow.settings, FROM),
    log,
  });
  await asked.promise;
  for (let n = 0; n < 3; n++) await write({ email: `later-${n}@example.com` });
  await eventually(async () => slow.received.length === 3);
  free.resolve();
  expect(await sending).toBe(4);
  const stuck = await service.db.query('select status from emails where customer_id = $1', [
    poisoned.customerId,
  ]);
  expect(stuck).toEqual([{ status: 'retrying' }]);
});

test('however many of one domain are kept waiting, the e-mails of all others go out meanwhile', async () => {
  const free = Promise.withResolvers<void>();
  let kept = 0;
  const slow = await startMailServer({
    async onRcptTo({ address }, _session, done) {
      if (!address.endsWith('@hangs.example')) return done();
      kept++;
      await free.promise;
      done(Object.assign(new Error('not here'), { responseCode: 550 }));
    },
  });
  const hanging = await write({ email: 'first@hangs.example' });
  await service.db.transaction(async (tx) => {
    for (let number = 2; number <= 40; number++) await queueEmails(tx, () => [{ ...hanging, number }]);
  });
  for (let n = 0; n < 3; n++) await write({ email: `other-${n}@example.com` });
  // They would be waited for all day.
  const patient = createMailer(slow.settings, FROM, { timeoutMs: DAY_MS });
  const sending = sendDueEmails({
    publicUrl: () => 'https://pay.example',
    secrets: service.secrets,
    db: service.db,
    mailer: patient,
    log,
  });
  // All that were begun are kept by then, and no others follow them.
  await eventually(async () => slow.received.length === 3 && kept >= 16);
  expect(kept).toBe(16);
  free.resolve();
  expect(await sending).toBe(43);
  expect(kept).toBe(40);
});

describe('leases', () => {
  test('a worker that dies between sending and recording: a second copy at most, of the same Message-ID', async () => {
    await write();
    const now = new Date();
    // It sends, and nothing is ever heard of it again.
    const [claimed] = await updateLeases(service.db, 1, {
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
    });
    await mailer.send(composeEmail(claimed!, 'https://pay.example'));
    expect(await send(new Date(now.getTime() + LEASE_MS - 1))).toBe(0);
    expect(await send(new Date(now.getTime() + LEASE_MS))).toBe(1);
    expect(server.received).toHaveLength(2);
    const ids = server.received.map(({ headers }) => headers.get('message-id'));
    expect(ids[0]).toBe(ids[1]);
    expect(server.received[0]!.text).toBe(server.received[1]!.text);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1 }]);
  });

  test('a zombie’s result is refused', async () => {
    await write();
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let now = new Date();
    const zombie = sendDueEmails({
      publicUrl: () => 'https://pay.example',
      secrets: service.secrets,
      db: service.db,
      log,
      now: () => now,
      mailer: {
        send() {
          begun.resolve();
          return held.promise;
        },
      },
    });
    await begun.promise;
    now = new Date(now.getTime() + LEASE_MS);
    await send(now);
    held.reject(new Error('too late'));
    await zombie;
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1, error: null }]);
    expect(lines.join('')).toContain('result arrived after its lease ended');
  });

  test('several workers never send the same e-mail', async () => {
    const { customerId, projectId, merchantId, ...rest } = await write();
    await service.db.transaction(async (tx) => {
      for (let number = 2; number <= 60; number++)
        await queueEmails(tx, () => [{ ...rest, merchantId, projectId, customerId, number }]);
    });
    const handled = await Promise.all([1, 2, 3, 4].map(() => send()));
    expect(handled.reduce((sum, count) => sum + count)).toBe(60);
    const ids = server.received.map(({ headers }) => headers.get('message-id'));
    expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
  });

  test('a stopping worker claims no more e-mails', async () => {
    const email = await write();
    await service.db.transaction(async (tx) => {
      for (let number = 2; number <= 40; number++) await queueEmails(tx, () => [{ ...email, number }]);
    });
    expect(
      await sendDueEmails(
        { publicUrl: () => 'https://pay.example', secrets: service.secrets, db: service.db, mailer, log },
        AbortSignal.abort(),
      ),
    ).toBe(16);
  });
});

test('what was sent or given up on is forgotten after 30 days; what waits is not', async () => {
  await write();
  await send();
  await write();
  expect(await pruneEmails(service.db, after(30 * DAY_MS - 60_000))).toBe(0);
  expect(await pruneEmails(service.db, after(30 * DAY_MS + 60_000))).toBe(1);
  expect(await rows()).toMatchObject([{ status: 'pending' }]);
});

test('no password, address or name reaches a log or a reason', async () => {
  const password = `s3cret-${randomUUID()}`;
  const strict = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      done(new Error(`no ${auth.password} ${Buffer.from(`\0u\0${auth.password}`).toString('base64')}`)),
  });
  const by = createMailer({ ...strict.settings, user: 'u', password }, FROM);
  await write({ name: 'Secret Ann', email: 'secret.ann@example.com' });
  const before = lines.length;
  await send(new Date(), by);
  const [row] = (await rows()) as [Row];
  expect(row.error).toContain('no [redacted] [redacted]');
  const formatted = lines.slice(before).join('');
  expect(formatted).toContain('sending an e-mail failed');
  for (const secret of [password, Buffer.from(password).toString('base64'), 'ecret.ann', 'Secret Ann'])
    expect(formatted + row.error).not.toContain(secret);
});

test('a password is used where the server takes it', async () => {
  const seen: unknown[] = [];
  const strict = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      seen.push([auth.username, auth.password]);
      done(null, { user: 'u' });
    },
  });
  await write();
  await send(new Date(), createMailer({ ...strict.settings, user: 'u@x', password: 'p:/@' }, FROM));
  expect([seen, strict.received.length]).toEqual([[['u@x', 'p:/@']], 1]);
});
