import { beforeAll, describe, expect, test } from 'vitest';
import {
  bring,
  expectSound,
  newCustomer,
  newPlan,
  newPrice,
  newSession,
  readSession,
} from '../../../test/support/billing.ts';
import { visit } from '../../../test/support/portal.ts';
import type { TestMerchant, TestService } from '../../../test/support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import type { Language } from '../../platform/lib/language.ts';

let world: SubscriptionWorld;
let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  world = await subscriptionWorld();
  ({ service, shop, projectId } = world);
});

const LANGUAGES = ['en', 'de', 'es', 'fr', 'ar'] as const satisfies readonly Language[];

const textOf = (page: string) =>
  page
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#39;', '’');

async function read(url: string, language: Language, headers: Record<string, string> = {}): Promise<string> {
  const { pathname } = new URL(url, service.url);
  const answer = await fetch(`${service.url}${pathname}?lang=${language}`, { headers });
  expect([pathname, answer.status]).toEqual([pathname, 200]);
  return answer.text();
}

describe('an invoice written by hand', () => {
  const NOTES: Record<Language, string> = {
    en: 'Note',
    de: 'Hinweis',
    es: 'Nota',
    fr: 'Remarque',
    ar: 'ملاحظة',
  };

  test.each(LANGUAGES)('shows its note on its page and in the portal: %s', async (language) => {
    const customer = await newCustomer(shop, projectId, { name: 'Ada' });
    const created = await shop.call('POST', '/api/v2/invoices', {
      projectId,
      customerId: customer.id,
      lineItems: [{ name: 'Consulting', unitAmountCents: 12_000 }],
      memo: 'Thank you <b>Ada</b>\nSee you',
    });
    const { body: invoice } = await shop.call('POST', `/api/v2/invoices/${created.body.id}/open`);
    const page = await read(invoice.checkoutUrl, language);
    expect(page).toContain('Thank you &lt;b&gt;Ada&lt;/b&gt;\nSee you');
    expect(textOf(page)).toContain(`${NOTES[language]} Thank you`);
    const { cookie } = await visit(service, shop, projectId, customer.id);
    const own = await read(`/portal/invoices/${invoice.id}`, language, { cookie });
    expect(textOf(own)).toContain(`${NOTES[language]} Thank you &lt;b&gt;Ada`);
  });
});

describe('a plan with a discount that ends', () => {
  const ONCE: Record<Language, string> = {
    en: '$7.50 for 1 month, and after that $10.00 every month.',
    de: '7,50 $ für 1 Monat und anschließend 10,00 $ jeden Monat.',
    es: '7,50 US$ por 1 mes y, a continuación, 10,00 US$ cada mes.',
    fr: '7,50 $US pour 1 mois, et ensuite 10,00 $US chaque mois.',
    ar: '7.50 US$ لمدة شهر، وبعد ذلك 10.00 US$ كل شهر.',
  };

  test.each(LANGUAGES)('says what comes after it: %s', async (language) => {
    const { checkoutUrl } = await planWith({ duration: 'once' });
    expect(spoken(await read(checkoutUrl, language))).toContain(ONCE[language]);
  });

  test('of several periods, and forever', async () => {
    const several = await planWith({ duration: 'periods', durationPeriods: 3 });
    expect(spoken(await read(several.checkoutUrl, 'en'))).toContain(
      '$7.50 every month for 3 months, and after that $10.00 every month.',
    );
    const forever = await planWith({ duration: 'forever' });
    expect(spoken(await read(forever.checkoutUrl, 'en'))).toContain('Every month.');
  });

  test('on the page of its last renewal as well', async () => {
    const session = await planWith({ duration: 'periods', durationPeriods: 2 });
    await world.payInvoice(session.invoiceId);
    await world.moveTo(days(service.clock.now(), 28));
    const { body } = await shop.call('GET', `/api/v2/invoices?customerId=${session.customerId}&status=open`);
    expect(body.data[0].billingReason).toBe('subscription_cycle');
    const renewal = await readSession(shop, body.data[0].checkoutSessionId);
    expect(spoken(await read(renewal.checkoutUrl, 'en'))).toContain(
      '$7.50 for 1 month, and after that $10.00 every month.',
    );
  });
});

async function planWith(terms: object, more: object = {}) {
  const plan = await newPlan(shop, projectId, { unitAmountCents: 1_000 });
  const { body: discount } = await shop.call('POST', '/api/v2/discounts', {
    projectId,
    name: 'Start',
    percentOff: 25,
    ...terms,
  });
  return newSession(shop, projectId, {
    mode: 'subscription',
    priceId: plan.id,
    externalCustomerId: `reader-${Math.random()}`,
    discountId: discount.id,
    ...more,
  });
}

/** Returns the text of a page without direction marks and special spaces. */
const spoken = (page: string) =>
  textOf(page)
    .replace(/[\u2066\u2069\u200e\u200f\u061c]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ');

test('a rate of which nothing is due now has no row on the page of a trial', async () => {
  const rate = { projectId, name: 'VAT', percent: 19, country: 'DE', isDefault: true };
  await shop.call('POST', '/api/v2/tax-rates', rate);
  await shop.call('PATCH', `/api/v2/projects/${projectId}`, {
    seller: { legalName: 'Muster GmbH', country: 'DE' },
  });
  const plan = await newPlan(shop, projectId, { trialDays: 14, taxBehavior: 'exclusive' });
  const other = await newPrice(shop, projectId, { unitAmountCents: 500 });
  const session = await newSession(shop, projectId, {
    mode: 'subscription',
    externalCustomerId: 'taxed',
    amountCents: undefined,
    lineItems: [{ priceId: plan.id }, { priceId: other.id }],
  });
  const page = textOf(await read(session.checkoutUrl, 'en'));
  expect(page).toContain('Free for 14 days');
  expect(page).not.toContain('19% VAT');
});

describe('a promotion code that was entered', () => {
  const REMOVE: Record<Language, string> = {
    en: 'Remove',
    de: 'Entfernen',
    es: 'Quitar',
    fr: 'Retirer',
    ar: 'إزالة',
  };

  const post = (session: { checkoutUrl: string }, form: Record<string, string>) =>
    fetch(`${service.url}${new URL(session.checkoutUrl).pathname}/promotion-code?lang=en`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    });

  async function withCode(fields: object) {
    const { body: discount } = await shop.call('POST', '/api/v2/discounts', {
      projectId,
      name: 'Start',
      percentOff: 25,
      maxRedemptions: 1,
    });
    const code = `SAVE${Math.random().toString(36).slice(2, 8).toUpperCase()}`;
    await shop.call('POST', '/api/v2/promotion-codes', { discountId: discount.id, code });
    const session = await newSession(shop, projectId, { allowPromotionCodes: true, ...fields });
    expect((await post(session, { code })).status).toBe(303);
    return { session, code, discountId: discount.id };
  }

  test.each(LANGUAGES)('can be removed: %s', async (language) => {
    const { session, code, discountId } = await withCode({ amountCents: 1_000 });
    const page = await read(session.checkoutUrl, language);
    expect(textOf(page)).toContain(`${REMOVE[language]} ${code}`);
    expect((await readSession(shop, session.id)).amountCents).toBe(750);
    expect((await post(session, { remove: 'yes' })).status).toBe(303);
    const after = await readSession(shop, session.id);
    expect(after).toMatchObject({ amountCents: 1_000, discount: null, discountCents: 0 });
    expect((await shop.call('GET', `/api/v2/discounts/${discountId}`)).body.redemptionsCount).toBe(0);
    expect(textOf(await read(session.checkoutUrl, language))).not.toContain(code);
    // Its only use is free again, and removing twice changes nothing.
    expect((await post(session, { remove: 'yes' })).status).toBe(303);
    expect((await readSession(shop, session.id)).sequence).toBe(after.sequence);
    await post(session, { code });
    expect((await readSession(shop, session.id)).amountCents).toBe(750);
    await expectSound(service);
  });

  test('also applies to the plan of a trial', async () => {
    const plan = await newPlan(shop, projectId, { unitAmountCents: 1_000, trialDays: 14 });
    const other = await newPrice(shop, projectId, { unitAmountCents: 500 });
    const { session } = await withCode({
      mode: 'subscription',
      externalCustomerId: 'trial-with-code',
      lineItems: [{ priceId: plan.id }, { priceId: other.id }],
      amountCents: undefined,
    });
    const path = `/api/v2/subscriptions/${session.subscriptionId}`;
    expect((await shop.call('GET', path)).body.discountPeriodsLeft).toBe(1);
    await post(session, { remove: 'yes' });
    expect((await shop.call('GET', path)).body.discountPeriodsLeft).toBeNull();
    expect((await readSession(shop, session.id)).discount).toBeNull();
    await expectSound(service);
  });

  test('stays once a payment is on its way, and one that the seller gave has no button', async () => {
    const { session } = await withCode({ amountCents: 1_000 });
    await bring(service, shop, session, 100);
    const answer = await post(session, { remove: 'yes' });
    expect(answer.headers.get('location')).toContain('code=refused');
    expect((await readSession(shop, session.id)).amountCents).toBe(750);
    const given = await planWith({ duration: 'once' }, { allowPromotionCodes: true });
    expect(textOf(await read(given.checkoutUrl, 'en'))).not.toContain('Remove');
    await post(given, { remove: 'yes' });
    expect((await readSession(shop, given.id)).discountCents).toBe(250);
  });
});
