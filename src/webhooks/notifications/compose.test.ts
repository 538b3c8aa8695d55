import { expect, test } from 'vitest';
import samples from '../../sandbox/samples.json' with { type: 'json' };
import { NOTIFIABLE } from './channel.ts';
import { composeEmailText, composePost } from './compose.ts';
import { describeEvent } from './describe-event.ts';

const AT = { publicUrl: 'https://pay.example', chatId: '1' };
const bodyOf = (event: string, data: object) =>
  JSON.stringify({ id: 'e', event, createdAt: '2026-01-31T12:00:00.000Z', data });
const paid = (orderId: string | null) =>
  bodyOf('payment_intent.succeeded', { paymentIntentId: 'p', orderId, amountCents: 1250 });
const posted = (kind: Parameters<typeof composePost>[0], body: string) =>
  JSON.parse(composePost(kind, describeEvent(body), AT));

test.each(NOTIFIABLE)('%s: a whole sentence with nothing missing, and a link', (event) => {
  const { data } = (samples as Record<string, { data: object }>)[event]!;
  const { text, url } = posted('https', bodyOf(event, data));
  expect(text).toMatch(/^[A-Z$].*\.$/);
  expect(text).not.toMatch(/undefined|null|–|\$0\.00 arrived/);
  expect(url).toMatch(/^https:\/\/pay\.example\/dashboard\/[a-z-]+(\/[0-9a-f-]{36})?$/);
});

test('what somebody typed is text everywhere, and one line', () => {
  const nasty = '<!channel> <@U1> @everyone *b* _i_ `c` [x](https://evil.example) ~s~ & <b>\nsecond\u202e';
  expect(posted('slack', paid(nasty)).text.split('\n')[0]).toBe(
    'Paid: $12.50 for order &lt;!channel&gt; &lt;@U1&gt; @everyone *b* _i_ `c` [x](https://evil.example) ~s~ &amp; &lt;b&gt; second.',
  );
  const { content, allowed_mentions } = posted('discord', paid(nasty));
  expect(content.split('\n')[0]).toBe(
    'Paid: $12.50 for order \\<!channel\\> \\<\\@U1\\> \\@everyone \\*b\\* \\_i\\_ \\`c\\` \\[x\\]\\(https\\://evil.example\\) \\~s\\~ & \\<b\\> second.',
  );
  expect(allowed_mentions).toEqual({ parse: [] });
  expect(posted('telegram', paid(nasty))).not.toHaveProperty('parse_mode');
  expect(composeEmailText(describeEvent(paid(nasty)), AT.publicUrl).subject).not.toContain('\n');
});

test('what is long is cut, and the link stays', () => {
  const { content } = posted('discord', paid('*'.repeat(5_000)));
  expect(content.length).toBeLessThan(400);
  expect(content).toMatch(/…\.\nhttps:\/\/pay\.example\/dashboard\/payments\/p$/);
});

test('without an order id, with amounts beyond a double, and of an event that nobody has described', () => {
  const big = `{"id":"e","event":"payment_intent.succeeded","createdAt":"","data":{"paymentIntentId":"p","orderId":null,"amountCents":9007199254740993}}`;
  expect(posted('https', big).text).toBe('Paid: $90,071,992,547,409.93 for a payment without an order id.');
  expect(posted('https', bodyOf('future.event', {})).text).toBe('future.event');
  expect(posted('https', bodyOf('invoice.paid', {})).text).toBe('Invoice – was paid: $0.00.');
});

test('a daily summary counts one and many, and leaves out what did not happen', () => {
  const counts = (count: number) => ({
    ...{ failed: count, expired: 0, exceptions: count, overdueRenewals: count, newSubscriptions: count },
    ...{ endedSubscriptions: count, refunds: count, paid: 3, paidCents: 1250, from: '2026-01-30T12:00:00Z' },
  });
  expect(posted('https', bodyOf('notification.summary', counts(1))).text).toBe(
    'Since 2026-01-30 12:00 UTC: 3 paid ($12.50), 1 attempt brought no USDC, 1 to review, 1 renewal overdue, 1 subscription began, 1 subscription ended, 1 refund sent.',
  );
  expect(posted('https', bodyOf('notification.summary', counts(2))).text).toBe(
    'Since 2026-01-30 12:00 UTC: 3 paid ($12.50), 2 attempts brought no USDC, 2 to review, 2 renewals overdue, 2 subscriptions began, 2 subscriptions ended, 2 refunds sent.',
  );
});

test('an invoice that is overdue says what is still unpaid', () => {
  const body = bodyOf('invoice.overdue', { invoice: { id: 'i', number: 'INV-1', amountDueCents: 1000 } });
  expect(posted('https', body).text).toBe('Invoice INV-1 is overdue: $10.00 is still unpaid.');
});
