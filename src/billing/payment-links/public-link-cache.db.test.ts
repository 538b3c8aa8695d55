import { beforeAll, expect, test } from 'vitest';
import { newLink, newProject } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Corner shop');
  projectId = (await newProject(shop)).id;
});

const read = async (token: string) => {
  const response = await fetch(`${service.url}/api/v2/payment-links/${token}`);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
};

test('200 with the same bytes for everybody who opens a link at once and after', async () => {
  const { paymentLink } = await newLink(shop, projectId);
  const { publicToken } = paymentLink;
  const first = await Promise.all([read(publicToken), read(publicToken), read(publicToken)]);
  const answers = [...first, await read(publicToken)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]!.body).toMatchObject({
    publicToken,
    merchantName: 'Corner shop',
    productName: 'Course',
    unitAmountCents: 500,
  });
  expect(answers[0]!.text).not.toContain(paymentLink.id);
});

test('a change of the link, its end and its deletion count at once', async () => {
  const { paymentLink } = await newLink(shop, projectId);
  const { id, publicToken } = paymentLink;
  const patch = (change: object) => shop.call('PATCH', `/api/v2/payment-links/${id}`, change);
  expect((await read(publicToken)).body.name).toBeNull();
  await patch({ name: 'Spring' });
  expect((await read(publicToken)).body.name).toBe('Spring');
  const expiresAt = new Date(service.clock.now().getTime() + 3_600_000);
  await patch({ expiresAt });
  expect((await read(publicToken)).status).toBe(200);
  service.clock.setOffsetMs(3_600_001);
  expect((await read(publicToken)).body.error.code).toBe('PAYMENT_LINK_INACTIVE');
  await patch({ status: 'inactive' });
  await shop.call('DELETE', `/api/v2/payment-links/${id}`);
  expect((await read(publicToken)).status).toBe(404);
});

test('404 for a token that is none, also when asked again, and for what could not be one', async () => {
  for (const _ of [1, 2]) expect((await read('plink_nothing')).status).toBe(404);
  for (const token of ['%00', 'plink_%00', 'plink_%F0%9F%92%B8', 'plink_', `plink_${'x'.repeat(400)}`]) {
    expect([token, (await read(token)).status]).toEqual([token, 404]);
    const url = `${service.url}/api/v2/payment-links/${token}/checkout`;
    expect([token, (await fetch(url, { method: 'POST' })).status]).toEqual([token, 404]);
  }
});
