import { beforeAll, describe, expect, test } from 'vitest';
import { newSession, readCustomer, readSubscription } from '../support/billing.ts';
import { newPage, type PageOptions } from '../support/browser.ts';
import { logIn } from '../support/portal.ts';
import {
  adjustCredit,
  customerInside,
  enter,
  follow,
  heading,
  newLinkUrl,
  newPlans,
  pathOf,
} from '../support/portal-page.ts';
import { readPdf } from '../support/read-pdf.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../support/subscriptions.ts';

let w: SubscriptionWorld;
let plans: Awaited<ReturnType<typeof newPlans>>;

beforeAll(async () => {
  w = await subscriptionWorld();
  plans = await newPlans(w.shop, w.projectId);
});

const inside = (name: string, options?: PageOptions) => customerInside(w, plans.basic.id, name, options);
const adjust = (customerId: string, deltaCents: number) => adjustCredit(w, customerId, deltaCents);

const attention = 'section.attention';

describe('the link', () => {
  test('looking at it uses nothing up; the button opens the account, once', async () => {
    const sub = await w.subscribe(plans.basic.id, 'link', { customerName: 'Grace' });
    const returnUrl = 'https://shop.example/account?from=portal&x=%20';
    const url = await newLinkUrl(w, sub.customerId, { returnUrl });
    expect([(await fetch(url)).status, (await fetch(url, { method: 'HEAD' })).status]).toEqual([200, 200]);

    const page = await newPage();
    await page.goto(url);
    expect(await heading(page)).toBe('Open your account');
    expect(await page.locator('main').innerText()).toContain('Shop');
    expect(await follow(page, 'text=Open my account')).toBe(200);
    expect(pathOf(page)).toBe('/portal');
    expect(await heading(page)).toBe('Your account');
    // The sign with the first letter is hidden from readers of the screen.
    expect(await page.locator('.portal-who').innerText()).toMatch(/^S\s+Shop\s+Grace$/);
    expect(await page.locator('.portal-back').getAttribute('href')).toBe(returnUrl);
    expect(await page.locator('.subscription').innerText()).toContain('Coffee – Basic');

    // The same browser is in already; to any other the link is dead.
    await page.goto(url);
    expect(pathOf(page)).toBe('/portal');
    const stranger = await newPage();
    const answer = await stranger.goto(url);
    expect(answer!.status()).toBe(410);
    expect(await heading(stranger)).toBe('This link no longer works');
    expect(await stranger.locator('main').innerText()).toContain('ask Shop for a new one');
    expect(await stranger.locator('main').innerText()).not.toContain('Grace');
    expect((await fetch(url, { method: 'POST' })).status).toBe(410);
  });

  test('401 for one that never was, 410 once its hour is over, and the visit itself ends after an hour', async () => {
    expect((await fetch(`${w.service.url}/portal/portal_${'x'.repeat(43)}`)).status).toBe(401);
    const { page, customerId } = await inside('hour');
    const url = await newLinkUrl(w, customerId);
    await w.moveTo(new Date(w.service.clock.now().getTime() + 61 * 60_000));
    const late = await newPage();
    expect((await late.goto(url))!.status()).toBe(410);
    expect((await fetch(url, { method: 'POST' })).status).toBe(410);
    expect((await page.goto(`${w.service.url}/portal`))!.status()).toBe(401);
    expect(await heading(page)).toBe('Please open a new link');
  });

  test('a form sent after the visit is over changes nothing, and says so', async () => {
    const { sub, page, path } = await inside('too late');
    await page.goto(`${w.service.url}${path}/cancel`);
    await w.moveTo(new Date(w.service.clock.now().getTime() + 61 * 60_000));
    expect(await follow(page, 'button.danger')).toBe(401);
    expect(await page.locator('[role=alert]').innerText()).toContain('wasn’t carried out');
    expect((await readSubscription(w.shop, sub.id)).cancelAtPeriodEnd).toBe(false);
  });
});

describe('paying', () => {
  test('a renewal that is open: asked for first, paid at its checkout, overdue told with the last moment', async () => {
    const { sub, customerId } = await inside('renewal');
    await w.moveTo(days(sub.currentPeriodEnd, -6));
    const page = await newPage();
    await enter(page, w, customerId);
    const { renewalCheckoutUrl } = await readSubscription(w.shop, sub.id);
    expect(await page.locator(attention).innerText()).toContain('Renew Coffee – Basic');
    expect(await page.locator('.subscription .badge').innerText()).toBe('Renewal due');
    const pay = page.locator(`${attention} a.button`);
    expect(await pay.innerText()).toContain('Pay $10.00');
    expect(await pay.getAttribute('href')).toBe(new URL(renewalCheckoutUrl).pathname);
    expect(await page.locator('a[href$="/renew"]').count()).toBe(0);

    await w.moveTo(days(sub.currentPeriodEnd, 1));
    await enter(page, w, customerId);
    expect(await page.locator(attention).innerText()).toContain('Overdue: Coffee – Basic');
    expect(await page.locator('.subscription .badge').innerText()).toBe('Payment overdue');
    await page.goto(`${w.service.url}/portal/subscriptions/${sub.id}/change`);
    expect(await page.locator('.notice').innerText()).toContain('Pay first, then you can change your plan.');

    await w.payInvoice((await readSubscription(w.shop, sub.id)).latestInvoiceId);
    await page.goto(`${w.service.url}/portal`);
    expect(await page.locator(attention).count()).toBe(0);
    expect(await page.locator('.subscription .badge').innerText()).toBe('Active');
  });

  test('ahead of its time: what it costs is said first, then the checkout', async () => {
    const { sub, page, customerId } = await inside('ahead');
    await adjust(customerId, 350);
    await follow(page, 'a:has-text("Pay ahead")');
    expect(await page.locator('.sums').innerText()).toMatch(/\$10\.00.*-\$3\.50.*\$6\.50/s);
    expect((await readSubscription(w.shop, sub.id)).renewalCheckoutUrl).toBeNull();
    await follow(page, 'text=Continue to payment');
    const { renewalCheckoutUrl } = await readSubscription(w.shop, sub.id);
    expect(pathOf(page)).toBe(new URL(renewalCheckoutUrl).pathname);
    await page.goto(`${w.service.url}/portal/subscriptions/${sub.id}/renew`);
    expect(pathOf(page)).toBe(new URL(renewalCheckoutUrl).pathname);
  });

  test('ahead of its time by account credit alone: never without saying so', async () => {
    const { sub, page, customerId } = await inside('by credit');
    await adjust(customerId, 1500);
    await follow(page, 'a:has-text("Pay ahead")');
    expect(await page.locator('main').innerText()).toContain('We won’t charge your wallet');
    await follow(page, 'text=Pay with account credit');
    expect(await page.locator('[role=status].notice').innerText()).toContain(
      'Your account credit paid for the next period.',
    );
    expect(await page.locator('.tiles').innerText()).toContain('$5.00');
    expect(await page.locator('.subscription').innerText()).toContain('Paid ahead until');
    await page.goto(`${w.service.url}/portal/subscriptions/${sub.id}/renew`);
    expect(await page.locator('main button.primary').count()).toBe(0);
  });
});

test('canceling says what happens and when, and is undone with one click', async () => {
  const { sub, page } = await inside('ending');
  await follow(page, 'a:has-text("Cancel subscription")');
  expect(await heading(page)).toBe('Cancel Coffee – Basic?');
  const day = new Date(sub.currentPeriodEnd).toLocaleDateString('en-US', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  expect(await page.locator('.consequences').innerText()).toContain(`ends on ${day}`);
  expect((await readSubscription(w.shop, sub.id)).cancelAtPeriodEnd).toBe(false);
  await follow(page, 'button.danger');
  expect(await page.locator('[role=status].notice').innerText()).toContain(`until ${day}`);
  // Focus goes there, so that a screen reader announces it first.
  expect(await page.evaluate('document.activeElement.className')).toBe('notice good');
  expect((await readSubscription(w.shop, sub.id)).cancelAtPeriodEnd).toBe(true);
  await follow(page, 'text=Keep subscription');
  expect(await page.locator('.notice').innerText()).toBe('Your subscription continues.');
  expect((await readSubscription(w.shop, sub.id)).cancelAtPeriodEnd).toBe(false);
  // A claim in the address of what was done is only shown if it is true.
  await page.goto(`${w.service.url}/portal?done=cancel&of=${sub.id}`);
  expect(await page.locator('.notice').count()).toBe(0);
});

test('409 with the current state when a cancellation can no longer be undone', async () => {
  const { sub, page } = await inside('too late to keep');
  await follow(page, 'a:has-text("Cancel subscription")');
  await follow(page, 'button.danger');
  await w.shop.call('POST', `/api/v2/subscriptions/${sub.id}/cancel`, { atPeriodEnd: false });
  expect(await follow(page, 'text=Keep subscription')).toBe(409);
  expect(await page.locator('[role=alert]').innerText()).toContain('isn’t possible right now');
  expect(await page.locator('.subscription').innerText()).toContain('Ended');
  await follow(page, '.languages a[lang=es]');
  expect(await heading(page)).toBe('Su cuenta');
});

test('403 for a form of an earlier visit, with the way to the present one', async () => {
  const { sub, page, path, customerId } = await inside('two visits');
  await page.goto(`${w.service.url}${path}/cancel`);
  await enter(await newPage({ context: page.context() }), w, customerId);
  expect(await follow(page, 'button.danger')).toBe(403);
  expect(await heading(page)).toBe('This page was out of date');
  expect((await readSubscription(w.shop, sub.id)).cancelAtPeriodEnd).toBe(false);
  expect(await follow(page, 'main a')).toBe(200);
  expect(await heading(page)).toBe('Your account');
});

test('400 with all that was typed when an e-mail is none; corrected it waits until it is confirmed', async () => {
  w.service.db.queuesEmails = true;
  const { page, customerId } = await inside('person');
  await follow(page, 'section:has(#details) a');
  await page.fill('#name', 'Ada <Lovelace> "x"');
  await page.fill('#email', 'ada at example.com');
  expect(await follow(page, 'button:has-text("Save")')).toBe(400);
  expect(await page.inputValue('#name')).toBe('Ada <Lovelace> "x"');
  expect(await page.inputValue('#email')).toBe('ada at example.com');
  expect(await page.locator('#email').getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('#email-problem').innerText()).toContain('Enter a valid e-mail address');
  expect(await page.locator('#name-problem').count()).toBe(0);
  await page.fill('#name', 'n'.repeat(256));
  expect(await follow(page, 'button:has-text("Save")')).toBe(400);
  expect(await page.locator('#name-problem').innerText()).toContain('255 characters');
  expect((await readCustomer(w.shop, customerId)).email).toBeNull();
  await page.fill('#name', 'Ada');
  await page.fill('#email', 'ada@example.com');
  await follow(page, 'button:has-text("Save")');
  expect(await page.locator('.notice').innerText()).toBe(
    'We have sent a link to ada@example.com. Your address changes once you open it.',
  );
  expect(await page.locator('section:has(#details)').innerText()).toContain(
    'Waiting for you to confirm ada@example.com, until ',
  );
  expect(await readCustomer(w.shop, customerId)).toMatchObject({ email: null, name: 'Ada' });
  await follow(page, 'button:has-text("Withdraw")');
  expect(await page.locator('.notice').innerText()).toBe('Your e-mail address stays as it is.');
  expect(await page.locator('body').innerText()).not.toContain('ada@example.com');

  await follow(page, 'section:has(#details) a');
  await page.fill('#email', 'ada@example.com');
  await follow(page, 'button:has-text("Save")');
  const [mail] = await w.service.db.query<{ link: Buffer }>(
    `select sealed_link as link from emails where customer_id = $1 and kind = 'email_confirmation'
      order by created_at desc limit 1`,
    [customerId],
  );
  const link = `${w.service.url}${new URL(w.service.secrets.open(mail!.link)).pathname}`;
  const elsewhere = await newPage();
  await elsewhere.goto(link);
  expect(await heading(elsewhere)).toBe('Is this your e-mail address?');
  expect(await follow(elsewhere, 'button:has-text("Yes, confirm this address")')).toBe(200);
  expect(await heading(elsewhere)).toBe('Your address is confirmed');
  expect((await elsewhere.goto(link))!.status()).toBe(410);
  expect(await readCustomer(w.shop, customerId)).toMatchObject({ email: 'ada@example.com', name: 'Ada' });
  await page.reload();
  expect(await page.locator('section:has(#details)').innerText()).not.toContain('Waiting');

  await follow(page, 'section:has(#details) a');
  await page.fill('#email', '');
  expect(await follow(page, 'button:has-text("Save")')).toBe(400);
  expect(await page.locator('#email-problem').innerText()).toContain('To have it removed, please contact');
  w.service.db.queuesEmails = false;
});

test('signing out ends the visit, for the pages and for the API alike', async () => {
  const { page } = await inside('out');
  const { name, value } = (await page.context().cookies())[0]!;
  await follow(page, 'text=Sign out');
  expect(await heading(page)).toBe('You’re signed out');
  expect(await page.context().cookies()).toEqual([]);
  expect((await page.goto(`${w.service.url}/portal`))!.status()).toBe(401);
  const headers = { cookie: `${name}=${value}` };
  expect((await fetch(`${w.service.url}/api/portal/me`, { headers })).status).toBe(401);
  expect((await logIn(w.service, value)).status).toBe(401);
});

test('without scripts everything works the same', async () => {
  const { sub, page } = await inside('plain', { javaScriptEnabled: false });
  await follow(page, 'a:has-text("Change plan")');
  await follow(page, 'li:has-text("Pro") a');
  await follow(page, 'text=Confirm change');
  expect(await page.locator(`${attention} a.button`).innerText()).toContain('Pay $');
  await follow(page, 'a:has-text("Cancel subscription")');
  expect(await page.locator('.consequences').innerText()).toContain('is awaiting your payment');
  await follow(page, 'button.danger');
  expect(await readSubscription(w.shop, sub.id)).toMatchObject({
    cancelAtPeriodEnd: true,
    pendingChange: { priceId: plans.pro.id },
  });
  await follow(page, 'button:has-text("Keep current plan")');
  expect((await readSubscription(w.shop, sub.id)).pendingChange).toBeNull();
  await follow(page, 'text=Keep subscription');
  await follow(page, 'text=Sign out');
  expect(await heading(page)).toBe('You’re signed out');
});

test('long lists come in pages: every invoice and every movement once, newest first', async () => {
  const { page, customerId } = await inside('pages');
  for (let cents = 1; cents <= 45; cents++) await adjust(customerId, cents);
  await follow(page, 'nav a:has-text("Balance")');
  const seen: string[] = [];
  for (;;) {
    seen.push(...(await page.locator('.rows .row-amount p:first-child').allInnerTexts()));
    if ((await page.locator('a[rel=next]').count()) === 0) break;
    await follow(page, 'a[rel=next]');
  }
  const wanted = Array.from({ length: 45 }, (_, at) => `+$0.${String(45 - at).padStart(2, '0')}`);
  expect(seen.map((text) => text.replace(/[\u2066\u2069]/g, ''))).toEqual(wanted);
  await follow(page, 'text=Newest');
  expect(await page.locator('.rows li').count()).toBe(20);
  for (let more = 0; more < 21; more++) {
    const wanted = { mode: 'subscription', priceId: plans.pro.id, externalCustomerId: 'pages' };
    await newSession(w.shop, w.projectId, wanted);
  }
  await follow(page, 'nav a:has-text("Overview")');
  expect(await page.locator('.subscription').count()).toBe(20);
  expect(await page.locator(`${attention} li`).count()).toBe(20);
  await follow(page, 'a:has-text("Older subscriptions")');
  expect(await page.locator('.subscription h3').allInnerTexts()).toEqual(['Coffee – Pro', 'Coffee – Basic']);
  await follow(page, 'nav a:has-text("Invoices")');
  await follow(page, 'a[rel=next]');
  const pdf = await page.locator('.rows a:has-text("PDF")').first().getAttribute('href');
  const answer = await page.context().request.get(w.service.url + pdf);
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
  await page.goto(`${w.service.url}/portal/invoices?lang=de`);
  const german = await page.locator('.rows a:has-text("PDF")').first().getAttribute('href');
  const paper = await readPdf(await (await page.context().request.get(w.service.url + german)).body());
  expect(paper[0]).toContain('Rechnungsnummer');
});
