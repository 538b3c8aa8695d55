import { beforeAll, expect, test } from 'vitest';
import {
  advance,
  bring,
  expectSound,
  newLink,
  newProject,
  readSession,
  runDue,
} from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

/** The redemptions of a code that exists so often: how many of them one visitor can keep without paying. */
let service: TestService;
let shop: TestMerchant;
let projectId: string;
let link: { id: string; publicToken: string };

beforeAll(async () => {
  service = await testService({
    TRUST_PROXY: 'true',
    RATE_LIMIT_PUBLIC_PER_SECOND: '0',
    RATE_LIMIT_CHECKOUT_PER_MINUTE: '0',
  });
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
  link = (await newLink(shop, projectId, {})).paymentLink;
  await shop.call('PATCH', `/api/v2/payment-links/${link.id}`, { allowPromotionCodes: true });
});

let codes = 0;

async function newCode(maxRedemptions: number | null) {
  const body = { projectId, name: 'Half', percentOff: 50, maxRedemptions };
  const { body: discount } = await shop.call('POST', '/api/v2/discounts', body);
  const code = `SALE${++codes}`;
  await shop.call('POST', '/api/v2/promotion-codes', { discountId: discount.id, code });
  return { discountId: discount.id as string, code };
}

const countOf = async (discountId: string) =>
  (await shop.call('GET', `/api/v2/discounts/${discountId}`)).body.redemptionsCount;

async function open(ip: string) {
  const url = `${service.url}/api/v2/payment-links/${link.publicToken}/checkout`;
  const { body } = await call(url, 'POST', {}, { 'x-forwarded-for': ip });
  return { id: body.sessionId as string, page: new URL(body.checkoutUrl).pathname };
}

/** True if the page takes what was typed. */
async function type(page: string, ip: string, form: Record<string, string>): Promise<boolean> {
  const answer = await fetch(`${service.url}${page}/promotion-code`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: service.url, 'x-forwarded-for': ip },
    body: new URLSearchParams(form),
  });
  expect(answer.status).toBe(303);
  return !answer.headers.get('location')!.includes('code=refused');
}

const typeNew = async (code: string, ip: string) => type((await open(ip)).page, ip, { code });

test('a network keeps three of fifteen, or a twentieth, and buyers from elsewhere have the rest', async () => {
  const { code, discountId } = await newCode(15);
  const answers = [];
  for (let i = 0; i < 6; i++) answers.push(await typeNew(code, '10.1.0.1'));
  expect(answers).toEqual([true, true, true, false, false, false]);
  expect(await countOf(discountId)).toBe(3);
  expect(await typeNew(code, '10.2.0.1')).toBe(true);
  // A /24 keeps three times as many.
  const near = [];
  for (let i = 2; i < 12; i++) near.push(await typeNew(code, `10.1.0.${i}`));
  expect(near.filter(Boolean)).toHaveLength(6);
  const large = await newCode(100);
  for (let i = 0; i < 5; i++) expect(await typeNew(large.code, '10.1.0.1')).toBe(true);
  expect(await typeNew(large.code, '10.1.0.1')).toBe(false);
  await expectSound(service);
});

test('what is paid, taken away or over makes room; the same checkout can have it again', async () => {
  const { code, discountId } = await newCode(15);
  const ip = '10.3.0.1';
  const mine = [await open(ip), await open(ip), await open(ip)] as const;
  for (const { page } of mine) expect(await type(page, ip, { code })).toBe(true);
  expect(await type(mine[0].page, ip, { code })).toBe(true);
  expect(await typeNew(code, ip)).toBe(false);
  expect(await type(mine[0].page, ip, { remove: 'yes' })).toBe(true);
  expect(await typeNew(code, ip)).toBe(true);
  expect(await type(mine[0].page, ip, { code })).toBe(false);
  const session = await readSession(shop, mine[1].id);
  await bring(service, shop, session, session.amountCents);
  expect(await type(mine[0].page, ip, { code })).toBe(true);
  expect(await countOf(discountId)).toBe(4);
  // Given back after an hour, each is counted again by a look for two hours more.
  await advance(service, 1.1 / 24);
  await runDue(service);
  expect(await countOf(discountId)).toBe(1);
  expect(await typeNew(code, ip)).toBe(false);
  await advance(service, 2 / 24);
  await runDue(service);
  expect(await typeNew(code, ip)).toBe(true);
  await expectSound(service);
});

test('without a limit, or in a checkout that a seller’s server has opened, it is nobody’s', async () => {
  const ip = '10.4.0.1';
  const { code } = await newCode(null);
  for (let i = 0; i < 5; i++) expect(await typeNew(code, ip)).toBe(true);
  const limited = await newCode(15);
  for (let i = 0; i < 5; i++) {
    const order = { projectId, mode: 'one_time', amountCents: 500, allowPromotionCodes: true };
    const { body } = await shop.call('POST', '/api/v2/checkout-sessions', order);
    expect(await type(new URL(body.checkoutUrl).pathname, ip, { code: limited.code })).toBe(true);
  }
});
