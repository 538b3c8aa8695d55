import { beforeAll, describe, expect, test } from 'vitest';
import { newProject, newSession, referenceOf } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { newPlace, pairedTill } from '../../../test/support/till.ts';
import { arrive, type TransferOptions } from '../../../test/support/transfers.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';

/** Every face shows money of another kind as what it is: to the payer, in the API, in what is searched and exported. */

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Corner Shop');
  projectId = (await newProject(shop)).id;
  const settings = { supportEmail: 'help@corner.example' };
  expect((await shop.call('PATCH', `/api/v2/projects/${projectId}`, { settings })).status).toBe(200);
});

const FIFTY_SIX: TransferOptions = { otherMint: 56_000_000n };

async function paidWith(options: TransferOptions) {
  const session = await newSession(shop, projectId, { amountCents: 5_600 });
  const signature = await arrive(service, shop.id, {
    references: [await referenceOf(shop, session)],
    ...options,
  });
  return { ...session, signature, path: new URL(session.checkoutUrl).pathname as string };
}

async function pageOf(path: string, language = 'en'): Promise<string> {
  const text = await (await fetch(`${service.url}${path}?lang=${language}`)).text();
  return text
    .slice(text.indexOf('<main'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

describe('the payer', () => {
  test('reads that it reached the shop, whom to ask, and what the order still needs', async () => {
    const { path } = await paidWith(FIFTY_SIX);
    const page = await pageOf(path);
    expect(page).toContain('56 of an unknown token (OtherMint) reached');
    expect(page).toContain('To get it back, contact Corner Shop: help@corner.example');
    expect(page).toContain('$56.00 in USDC is still due');
    expect(page).not.toContain('failed');
  });

  test.each(LANGUAGES)('in %s, with the amount, the token and the address to write to', async (language) => {
    const { path } = await paidWith(FIFTY_SIX);
    const page = await pageOf(path, language);
    for (const part of ['56', 'OtherMint', 'help@corner.example']) expect(page).toContain(part);
  });

  test.each([
    [{ otherMint: 56_000_000_000n, otherDecimals: 9 }, '56 of an unknown token'],
    [{ otherMint: 1n, otherDecimals: 0 }, '1 of an unknown token'],
    [{ otherMint: 1_234_567_890n, otherDecimals: 6 }, '1,234.56789 of an unknown token'],
    [{ otherMint: 5n, otherDecimals: 9 }, '0.000000005 of an unknown token'],
  ])('reads an amount in the token’s own decimals: %o', async (options, text) => {
    expect(await pageOf((await paidWith(options)).path)).toContain(text);
  });

  test('reads the same beside a part that was paid in USDC, and after the rest', async () => {
    const session = await paidWith({ baseUnits: 10_000_000n });
    const references = [await referenceOf(shop, session)];
    await arrive(service, shop.id, { references, ...FIFTY_SIX });
    const page = await pageOf(session.path);
    expect(page).toContain('56 of an unknown token (OtherMint) reached');
    expect(page).toContain('$46.00 in USDC is still due');
    await arrive(service, shop.id, { references, baseUnits: 46_000_000n });
    const paid = await pageOf(session.path);
    expect(paid).toContain('56 of an unknown token (OtherMint) reached');
    expect(paid).not.toContain('still due');
  });

  test('reads no more of it once the shop has decided', async () => {
    const { path, signature } = await paidWith(FIFTY_SIX);
    const { data } = (await shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`)).body;
    await shop.call('POST', `/api/v2/exceptions/${data[0].id}/mark-returned`, {});
    const page = await pageOf(path);
    expect(page).not.toContain('unknown token');
    expect(page).not.toContain('failed');
  });

  test('reads “failed” only where it failed, and “another account” where it went elsewhere', async () => {
    expect(await pageOf((await paidWith({ hasFailed: true })).path)).toContain('Your last attempt failed');
    const elsewhere = await pageOf((await paidWith({ elsewhere: 5_600n })).path);
    expect(elsewhere).toContain('paid another account than the one shown here');
    expect(elsewhere).not.toContain('failed');
  });

  test('of an intent alone reads the same, without an address that is not known', async () => {
    const order = { amountCents: 5_600, orderId: 'bare' };
    const { body } = await shop.call('POST', '/api/merchants/intents', order);
    await arrive(service, shop.id, { references: [body.referenceAddress], ...FIFTY_SIX });
    const page = await pageOf(`/intents/${body.id}`);
    expect(page).toContain('56 of an unknown token (OtherMint) reached');
    expect(page).toContain('To get it back, contact Corner Shop.');
  });
});

test('the till’s staff read what arrived, and that nothing has failed', async () => {
  const till = await pairedTill(service, shop, await newPlace(shop));
  const { body: sale } = await till.call('POST', '/sales', { amountCents: 5_600 });
  const { body: intent } = await shop.call('GET', `/api/merchants/intents/${sale.id}`);
  await arrive(service, shop.id, { references: [intent.referenceAddress], ...FIFTY_SIX });
  expect((await till.call('GET', `/sales/${sale.id}`)).body).toMatchObject({
    hasFailed: false,
    otherToken: { mint: 'OtherMint', amount: '56' },
  });
});

test('the API has no cents of another token, but its decimals', async () => {
  const { signature, paymentIntentId } = await paidWith({ otherMint: 56n, otherDecimals: 0 });
  const wrong = { kind: 'wrong_mint', amountCents: null, amountBaseUnits: '56', decimals: 0 };
  const { body: listed } = await shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`);
  expect(listed.data).toMatchObject([wrong]);
  const { body: history } = await shop.call('GET', `/api/merchants/intents/${paymentIntentId}/history`);
  expect(history.exceptions).toMatchObject([wrong]);
  const failed = { status: 'failed', failureReason: 'other_token', txSignature: signature };
  expect(history.entries.at(-1)).toMatchObject(failed);
  const [event] = await service.db.query<{ body: string }>(
    'select body from events where merchant_id = $1 and object_id = $2',
    [shop.id, listed.data[0].id],
  );
  expect(JSON.parse(event!.body).data.exception).toMatchObject(wrong);
  const ordinary = await arrive(service, shop.id, { baseUnits: centsToBaseUnits(5_600n) });
  const { body: money } = await shop.call('GET', `/api/v2/exceptions?txSignature=${ordinary}`);
  expect(money.data).toMatchObject([{ kind: 'unmatched', amountCents: 5_600, decimals: 6 }]);
});

test.each([
  [{ hasFailed: true }, 'failed_on_chain'],
  [FIFTY_SIX, 'other_token'],
  [{ elsewhere: 5_600n }, 'elsewhere'],
])('the history says why an attempt brought nothing: %o is %s', async (options, failureReason) => {
  const { paymentIntentId } = await paidWith(options);
  const { body } = await shop.call('GET', `/api/merchants/intents/${paymentIntentId}/history`);
  expect(body.entries).toMatchObject([
    { status: 'pending', failureReason: null },
    { status: 'failed', failureReason },
  ]);
});

test('a search by amount does not find it as dollars, and one by its transaction shows no dollars', async () => {
  const { signature } = await paidWith({ otherMint: 7_654_320_000n });
  const find = async (q: string) => (await shop.call('GET', `/api/v2/search?q=${q}`)).body.data;
  const exceptions = (found: { type: string }[]) => found.filter(({ type }) => type === 'exception');
  expect(exceptions(await find('7654.32'))).toEqual([]);
  expect(exceptions(await find(signature))).toMatchObject([{ title: 'wrong_mint', amountCents: null }]);
});

test('a CSV file has no amount in a currency for it', async () => {
  const { signature } = await paidWith(FIFTY_SIX);
  const { text } = await shop.call('GET', `/api/v2/exceptions?txSignature=${signature}`, undefined, {
    accept: 'text/csv',
  });
  const [titles, row] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const cell = (name: string) => row![titles!.indexOf(name)];
  expect([
    cell('amountCents'),
    cell('amountUsd'),
    cell('currency'),
    cell('amountBaseUnits'),
    cell('decimals'),
  ]).toEqual([...['', '', '', '56000000', '6']]);
});
