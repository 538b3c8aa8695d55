import { beforeAll, describe, expect, test } from 'vitest';
import { bring, newLink, newPrice, newProject, readSession } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';
import { linkMessages } from './messages/link/languages.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Corner shop');
  projectId = (await newProject(shop)).id;
});

type Fields = Record<string, unknown>;
interface Link {
  id: string;
  publicToken: string;
}

const link = async (fields: Fields = {}): Promise<Link> =>
  (await newLink(shop, projectId, fields)).paymentLink;
const patch = (of: Link, change: Fields) => shop.call('PATCH', `/api/v2/payment-links/${of.id}`, change);

async function open(of: Link, query = '', at = service) {
  const answer = await fetch(`${at.url}/pay/${of.publicToken}${query}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function submit(of: Link, form: Record<string, string> = {}, query = '', at = service) {
  const answer = await fetch(`${at.url}/pay/${of.publicToken}${query}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  return { status: answer.status, headers: answer.headers, location, text: await answer.text() };
}

/** The session a submitted form led to, as its merchant sees it. */
async function sessionAt(location: string | null) {
  const [, token] = /^\/checkout\/([A-Za-z0-9_-]+)\?lang=[a-z]{2}$/.exec(location ?? '')!;
  const [row] = await service.db.query<{ id: string }>('select id from checkout_sessions where token = $1', [
    token,
  ]);
  return readSession(shop, row!.id);
}

const countSessions = async () =>
  (await service.db.query<{ count: bigint }>('select count(*) from checkout_sessions'))[0]!.count;

/** Every row there is. */
async function countRows(): Promise<Record<string, bigint>> {
  const tables = await service.db.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()`,
  );
  const counts: Record<string, bigint> = {};
  for (const { name } of tables) {
    // Written a moment later, of calls with a key.
    if (name === 'request_logs') continue;
    counts[name] = (await service.db.query<{ count: bigint }>(`select count(*) from ${name}`))[0]!.count;
  }
  return counts;
}

describe('GET /pay/{token}', () => {
  test('200 creates nothing, however it is opened', async () => {
    const of = await link({ collectCustomerEmail: true });
    const before = await countRows();
    expect(Object.keys(before).length).toBeGreaterThan(10);
    for (const query of ['', '?client_reference_id=cart-1', '?lang=ar', '?x=1&x=2']) {
      expect((await open(of, query)).status).toBe(200);
    }
    expect((await fetch(`${service.url}/pay/${of.publicToken}`, { method: 'HEAD' })).status).toBe(200);
    expect(await countRows()).toEqual(before);
  });

  test.each([
    ['one_time', {}, []],
    ['balance_top_up', { creditAmount: 12_000 }, ['Credits you receive', '12,000']],
    ['subscription', { recurringInterval: 'month' }, ['every month', linkMessages.en.renews]],
    [
      'subscription',
      { recurringInterval: 'month', recurringIntervalCount: 6 },
      ['every 6 months', linkMessages.en.renews],
    ],
  ] as const)('%s %o: who sells what for how much', async (billingMode, more, words) => {
    const of = await link({
      billingMode,
      productName: 'Course',
      unitAmountCents: 123_450,
      ...more,
    });
    const { text } = await open(of);
    for (const word of ['Corner shop', 'Course', '$1,234.50', 'Continue to payment', ...words])
      expect(text).toContain(word);
    if (billingMode !== 'subscription') expect(text).not.toContain(linkMessages.en.renews);
    if (billingMode !== 'balance_top_up') expect(text).not.toContain('Credits');
  });

  test('shows the description, the name of the price, and amounts to the last digit', async () => {
    const price = await newPrice(shop, projectId, { name: 'Large', unitAmountCents: 1 });
    await shop.call('PATCH', `/api/v2/products/${price.productId}`, { description: 'Two\nlines' });
    const small = (await shop.call('POST', '/api/v2/payment-links', { projectId, priceId: price.id })).body;
    const { text } = await open(small);
    for (const word of ['Coffee', 'Large', 'Two\nlines', '$0.01']) expect(text).toContain(word);
    const product = await shop.call('POST', '/api/v2/products', { projectId, name: 'Moon' });
    const body = `{"projectId":"${projectId}","productId":"${product.body.id}","billingMode":"one_time","unitAmountCents":9223372036854775807}`;
    const large = (await shop.call('POST', '/api/v2/prices', body)).body;
    const of = (await shop.call('POST', '/api/v2/payment-links', { projectId, priceId: large.id })).body;
    expect((await open(of)).text).toContain('$92,233,720,368,547,758.07');
  });

  test('is kept by nobody, framed by nobody, and runs nothing from elsewhere', async () => {
    const { headers } = await open(await link());
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });

  test('links to the seller and their terms, if there are any, and never to anything else', async () => {
    const own = (await newProject(shop)).id;
    const set = (settings: Fields) => shop.call('PATCH', `/api/v2/projects/${own}`, { settings });
    const bare = (await newLink(shop, own)).paymentLink;
    expect((await open(bare)).text).not.toContain('mailto:');
    const refused = [
      ...['javascript:alert(1)', 'http://shop.example', 'https://a:b@shop.example', '/terms', ''].map(
        (termsUrl) => ({ termsUrl }),
      ),
      ...['nobody', 'a@b.example\nBcc: c@d.example'].map((supportEmail) => ({ supportEmail })),
    ];
    for (const settings of refused) expect([settings, (await set(settings)).status]).toEqual([settings, 400]);
    const good = { supportEmail: 'help+{?cc=x}@shop.example', termsUrl: 'https://shop.example/?a="><b>&c=1' };
    expect((await set(good)).body.settings).toMatchObject(good);
    const { text } = await open((await newLink(shop, own)).paymentLink, '?lang=de');
    expect(text).toContain('<a href="mailto:help%2B%7B%3Fcc%3Dx%7D@shop.example">Verkäufer kontaktieren</a>');
    expect(text).toMatch(/<a href="https:\/\/shop.example\/\?a=&quot;&gt;&lt;b&gt;&amp;c=1" [^>]+>AGB<\/a>/);
    expect((await set({ supportEmail: null, termsUrl: null })).body.settings).toMatchObject({
      supportEmail: null,
      termsUrl: null,
    });
  });

  test('an error in a frame is readable there; the page itself is not, and neither is an error anywhere else', async () => {
    const framed = { 'sec-fetch-dest': 'iframe' };
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(service.url + path, { headers });
    const missing = await get('/pay/nothing-here', framed);
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(missing.headers.get('x-frame-options')).toBeNull();
    const others = [await get(`/pay/${(await link()).publicToken}`, framed), await get('/pay/nothing-here')];
    for (const { headers } of others) {
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });
});

/** Alone they look like nothing, and are still not nothing. */
const UNSEEN = ['%09', '%0A', '%E2%80%A8', '%20%0D%20', 'a%0A', '%09a'];

const hasField = (text: string, name: string) => text.includes(`name="${name}"`);

describe.each([
  [false, false],
  [true, false],
  [false, true],
  [true, true],
])(
  'collectCustomerEmail %s, requireClientReferenceId %s',
  (collectCustomerEmail, requireClientReferenceId) => {
    let shared: Link;
    beforeAll(async () => {
      shared = await link({ collectCustomerEmail, requireClientReferenceId });
    });
    const email = collectCustomerEmail ? 'ada@example.com' : null;

    test('asks for just that; 303 to the checkout', async () => {
      const { text } = await open(shared);
      expect([hasField(text, 'email'), hasField(text, 'reference')]).toEqual([
        collectCustomerEmail,
        requireClientReferenceId,
      ]);
      // Fields that the form does not have are not taken from a request either.
      const { status, location } = await submit(shared, { email: ' ada@example.com ', reference: 'seat-1' });
      expect(status).toBe(303);
      expect(await sessionAt(location)).toMatchObject({
        customerEmail: email,
        clientReferenceId: requireClientReferenceId ? 'seat-1' : null,
        paymentLinkId: shared.id,
        amountCents: 500,
      });
    });

    test('takes a reference from the address, shows it and does not ask for it', async () => {
      const query = '?client_reference_id=cart:1.a_b-C&lang=de';
      const { text } = await open(shared, query);
      expect(text).toContain('>cart:1.a_b-C<');
      expect(hasField(text, 'reference')).toBe(false);
      const { location } = await submit(shared, { email: 'ada@example.com', reference: 'other' }, query);
      expect(location).toContain('?lang=de');
      expect(await sessionAt(location)).toMatchObject({
        clientReferenceId: 'cart:1.a_b-C',
        customerEmail: email,
      });
    });

    test.each([
      'user@example.com',
      'order/17',
      'two words',
      '<b>&"',
      'é',
      '注文 7',
      '+1 (2)',
      '😀'.repeat(200),
    ])('keeps %s from the address, to the character', async (given) => {
      const query = `?client_reference_id=${encodeURIComponent(given)}`;
      expect((await open(shared, query)).status).toBe(200);
      const { location } = await submit(shared, { email: 'ada@example.com' }, query);
      expect((await sessionAt(location)).clientReferenceId).toBe(given);
    });

    test.each(['', '%20', '+++'])('an empty one in the address is none: %s', async (empty) => {
      const { status, text } = await open(shared, `?client_reference_id=${empty}`);
      expect([status, hasField(text, 'reference')]).toEqual([200, requireClientReferenceId]);
    });

    test.each([
      'x'.repeat(201),
      ...['%00b', '%0Ab', '%FF', '%E2%80%A8b', '%C2%85b'].map((rest) => `a${rest}`),
      ...UNSEEN,
    ])('400 for %s in the address, in every language, and nothing is made', async (encoded) => {
      const before = await countSessions();
      for (const language of LANGUAGES) {
        const query = `?client_reference_id=${encoded}&lang=${language}`;
        const form = { email: 'ada@example.com', reference: 'typed' };
        for (const page of [await open(shared, query), await submit(shared, form, query)]) {
          expect(page.status).toBe(400);
          expect(page.text).toContain(`<h1>${linkMessages[language].damaged.title}</h1>`);
        }
      }
      expect(await countSessions()).toBe(before);
    });
  },
);

describe('POST /pay/{token}', () => {
  test('the same form twice is one session; other words or another form are another', async () => {
    const of = await link({ collectCustomerEmail: true });
    const before = await countSessions();
    const form = { key: 'k1', email: 'ada@example.com' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(of, form)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(303));
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    expect(await countSessions()).toBe(before + 1n);
    const corrected = await submit(of, { ...form, email: 'ada@example.org' });
    const again = await submit(of, { ...form, key: 'k2' });
    const locations = [answers[0], corrected, again].map((answer) => answer!.location);
    expect(new Set(locations).size).toBe(3);
  });

  test('each page that is opened has a key of its own', async () => {
    const of = await link();
    const keyOf = async () => /name="key" value="([A-Za-z0-9]{24})"/.exec((await open(of)).text)![1];
    expect(await keyOf()).not.toBe(await keyOf());
  });

  test.each([
    [{}, { email: 'emailMissing', reference: 'referenceMissing' }],
    [
      { email: 'x', reference: 'a\u0085b' },
      { email: 'emailMalformed', reference: 'referenceMalformed' },
    ],
    [{ email: 'a@b.example', reference: `"><i>${'x'.repeat(200)}` }, { reference: 'referenceMalformed' }],
    [{ email: '"><i>', reference: 'ok' }, { email: 'emailMalformed' }],
    [{ email: `${'x'.repeat(254)}@b`, reference: 'ok' }, { email: 'emailMalformed' }],
    [{ email: 'a@b.example', reference: 'é'.repeat(201) }, { reference: 'referenceMalformed' }],
  ] as [Record<string, string>, Record<string, keyof (typeof linkMessages)['en']['problems']>][])(
    '400 for %o: the form again, with what was typed and what is wrong',
    async (form, wrong) => {
      const of = await link({ collectCustomerEmail: true, requireClientReferenceId: true });
      const before = await countSessions();
      for (const language of LANGUAGES) {
        const { status, text } = await submit(of, form, `?lang=${language}`);
        expect(status).toBe(400);
        const problems = linkMessages[language].problems;
        expect(text).toContain(`<title>${problems.title} · `);
        for (const [name, problem] of Object.entries(wrong))
          expect(text).toContain(`<p class="problem" id="${name}-problem">${problems[problem]}</p>`);
        const inputs = [...text.matchAll(/<input id="(\w+)"[\s\S]*?>/g)].map(([tag, name]) => ({
          name,
          isWrong: tag.includes('aria-invalid="true"') && tag.includes(`${name}-problem`),
          isFirst: tag.includes('autofocus'),
        }));
        const [first] = Object.keys(wrong);
        expect(inputs).toEqual(
          ['email', 'reference'].map((name) => ({ name, isWrong: name in wrong, isFirst: name === first })),
        );
        expect(text).not.toContain('<i>');
      }
      expect(await countSessions()).toBe(before);
    },
  );

  test('leads only to our own checkout, whatever we are called from outside', async () => {
    const outside = await testService({ PUBLIC_URL: 'https://pay.example.com' });
    const theirs = await outside.createMerchant();
    const of = (await newLink(theirs, (await newProject(theirs)).id)).paymentLink;
    const more = '?lang=//evil.example&next=https://evil.example&client_reference_id=//evil.example';
    const { status, location } = await submit(of, { checkoutUrl: 'https://evil.example' }, more, outside);
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/checkout\/[A-Za-z0-9_-]+\?lang=en$/)]);
  });

  test('403 for a form on another site, and nothing is made', async () => {
    const of = await link();
    const before = await countSessions();
    const answer = await fetch(`${service.url}/pay/${of.publicToken}`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams(),
    });
    expect([answer.status, await countSessions()]).toEqual([403, before]);
  });
});

describe('errors are in the reader’s language', () => {
  const expectNotice = async (
    of: Link,
    how: typeof open | typeof submit,
    status: number,
    words: (language: (typeof LANGUAGES)[number]) => string,
  ) => {
    for (const language of LANGUAGES) {
      const answer =
        how === submit ? await submit(of, {}, `?lang=${language}`) : await open(of, `?lang=${language}`);
      expect([language, answer.status]).toEqual([language, status]);
      expect(answer.text).toContain(words(language));
      expect(answer.text).toContain(`<html lang="${language}"`);
      expect(answer.text).not.toContain('name="key"');
    }
  };
  const closedTitle = (language: (typeof LANGUAGES)[number]) => linkMessages[language].closed.title;
  const refusedTitle = (language: (typeof LANGUAGES)[number]) => linkMessages[language].refused.title;

  test('404 for a link that is none, was deleted, or could not be one', async () => {
    const deleted = await link();
    await patch(deleted, { status: 'inactive' });
    await shop.call('DELETE', `/api/v2/payment-links/${deleted.id}`);
    for (const publicToken of ['plink_nothing', deleted.publicToken, '%00', '..%2f..', 'x'.repeat(500)])
      for (const how of [open, submit])
        await expectNotice(
          { id: '', publicToken },
          how,
          404,
          (language) => linkMessages[language].notFound.title,
        );
  });

  test('410 for a link that is switched off, over, sold out, or whose price, product or project is gone', async () => {
    const off = await link();
    await patch(off, { status: 'inactive' });
    const soldOut = await link();
    await patch(soldOut, { maxPayments: 1 });
    await bring(service, shop, await sessionAt((await submit(soldOut)).location), 500);
    const noPrice = await newLink(shop, projectId);
    await shop.call('PATCH', `/api/v2/prices/${noPrice.price.id}`, { isActive: false });
    const noProduct = await newLink(shop, projectId);
    await shop.call('PATCH', `/api/v2/products/${noProduct.product.id}`, { isActive: false });
    const old = await newProject(shop);
    const archived = (await newLink(shop, old.id)).paymentLink;
    expect((await shop.call('DELETE', `/api/v2/projects/${old.id}`)).status).toBe(204);
    // A link is shown from memory for a second.
    await expect.poll(async () => (await open(soldOut)).status).toBe(410);
    const before = await countSessions();
    for (const closed of [off, soldOut, noPrice.paymentLink, noProduct.paymentLink, archived])
      for (const how of [open, submit]) await expectNotice(closed, how, 410, closedTitle);
    expect((await open(off)).text).toContain('Corner shop');
    expect(await countSessions()).toBe(before);
  });

  test('409 while the last one is in another checkout, with a way to look again', async () => {
    const of = await link();
    await patch(of, { maxPayments: 1 });
    expect((await submit(of)).status).toBe(303);
    const before = await countSessions();
    await expectNotice(of, submit, 409, (language) => linkMessages[language].held.title);
    expect(await countSessions()).toBe(before);
    expect((await open(of)).status).toBe(200);
  });

  test('410 from the moment a link ends', async () => {
    const of = await link();
    await patch(of, { expiresAt: new Date(service.clock.now().getTime() + 3_600_000) });
    expect((await open(of)).status).toBe(200);
    service.clock.setOffsetMs(3_600_001);
    for (const how of [open, submit]) await expectNotice(of, how, 410, closedTitle);
  });

  test('403 beyond the project’s volume, 409 without an address to pay to; the page itself still opens', async () => {
    const limited = await newProject(shop, { monthlyVolumeLimitCents: 499 });
    const beyond = (await newLink(shop, limited.id)).paymentLink;
    expect((await open(beyond)).status).toBe(200);
    await expectNotice(beyond, submit, 403, refusedTitle);
    const poor = await service.createMerchant('Poor', null);
    const unpaid = (await newLink(poor, (await newProject(poor)).id)).paymentLink;
    await expectNotice(unpaid, submit, 409, refusedTitle);
  });

  test('429 for a stranger who confirms too often; opening does not count', async () => {
    const strict = await testService({ RATE_LIMIT_CHECKOUT_PER_MINUTE: '2' });
    const theirs = await strict.createMerchant();
    const of = (await newLink(theirs, (await newProject(theirs)).id)).paymentLink;
    for (let i = 0; i < 5; i++) expect((await open(of, '', strict)).status).toBe(200);
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await submit(of, {}, '?lang=de', strict));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 429, 429]);
    expect(answers[3]!.text).toContain('Einen Moment, bitte');
    expect(Number(answers[3]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

test('the sandbox says that its money is none; elsewhere nothing is said', async () => {
  const of = await link();
  expect((await open(of)).text).toContain('Sandbox: this is test money.');
  const devnet = await testService({
    FLORIN_NETWORK: 'devnet',
    SOLANA_RPC_URLS: 'http://127.0.0.1:9',
    PUBLIC_URL: 'https://pay.example.com',
    FLORIN_SECRET_KEY: 'ab'.repeat(32),
  });
  const theirs = await devnet.createMerchant();
  const other = (await newLink(theirs, (await newProject(theirs)).id)).paymentLink;
  const { status, text } = await open(other, '', devnet);
  expect(status).toBe(200);
  expect(text).not.toContain('Sandbox');
});
