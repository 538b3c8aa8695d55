import { afterEach, beforeAll, expect, test } from 'vitest';
import {
  advance,
  bring,
  expectSound,
  newLink,
  newProject,
  newSession,
  readInvoice,
  readSession,
  runDue,
} from '../../../test/support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

/**
 * The invoice of a payment link's checkout names who sold when the checkout was opened, and gets its number with its first
 * money. Whatever the project has become by then, that number is its seller's alone.
 */
let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
});

afterEach(() => expectSound(service));

const S = { legalName: 'Old Shop GmbH', country: 'DE' };
const T = { legalName: 'New Shop GmbH', country: 'DE' };

const patch = async (id: string, body: object) => {
  const answer = await shop.call('PATCH', `/api/v2/projects/${id}`, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body;
};

async function checkOut(projectId: string) {
  const { paymentLink } = await newLink(shop, projectId);
  const path = `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
  const { body } = await call(path, 'POST', {});
  return readSession(shop, body.sessionId);
}

/** Returns a document's number and the name of its issuer. */
async function issuedBy(invoiceId: string) {
  const { number, seller } = await readInvoice(shop, invoiceId);
  return [number, seller?.legalName ?? null];
}

const sell = async (projectId: string) => issuedBy((await newSession(shop, projectId)).invoiceId);

test('the seller moves on, and another project of the old one takes the prefix', async () => {
  shop = await service.createMerchant();
  const first = await newProject(shop, { seller: S });
  const late = await checkOut(first.id);
  const never = await checkOut(first.id);
  await patch(first.id, { seller: T });
  const second = await newProject(shop, { seller: S });
  expect(await sell(second.id)).toEqual(['INV-000001', S.legalName]);
  await bring(service, shop, late, 500);
  expect(await issuedBy(late.invoiceId)).toEqual(['INV2-000001', S.legalName]);
  expect(await sell(first.id)).toEqual(['INV-000002', T.legalName]);
  // Issued once, it is no other project's any more.
  const third = await newProject(shop, { seller: S });
  expect(third.settings.invoicePrefix).toBe('INV3');
  expect((await readInvoice(shop, never.invoiceId)).number).toBeNull();
});

test('the project takes a prefix of the new seller that is another project’s of the old one', async () => {
  shop = await service.createMerchant();
  const first = await newProject(shop, { seller: S });
  const other = await newProject(shop, { seller: S });
  const late = await checkOut(first.id);
  await patch(first.id, { seller: T, settings: { invoicePrefix: 'INV2' } });
  expect(await sell(other.id)).toEqual(['INV2-000001', S.legalName]);
  await bring(service, shop, late, 500);
  expect(await issuedBy(late.invoiceId)).toEqual(['INV22-000001', S.legalName]);
});

test('the project has no seller any more', async () => {
  shop = await service.createMerchant();
  const first = await newProject(shop, { seller: S });
  const late = await checkOut(first.id);
  await patch(first.id, { seller: null });
  const second = await newProject(shop, { seller: S });
  expect(await sell(second.id)).toEqual(['INV-000001', S.legalName]);
  await bring(service, shop, late, 100);
  expect(await issuedBy(late.invoiceId)).toEqual(['INV2-000001', S.legalName]);
});

test('one that has expired is numbered in the same way when it is paid late', async () => {
  shop = await service.createMerchant();
  const first = await newProject(shop, { seller: S });
  const late = await checkOut(first.id);
  await patch(first.id, { seller: T });
  const second = await newProject(shop, { seller: S });
  expect(await sell(second.id)).toEqual(['INV-000001', S.legalName]);
  await advance(service, 2);
  await runDue(service);
  expect(await readSession(shop, late.id)).toMatchObject({ status: 'expired' });
  await bring(service, shop, late, 500);
  expect(await readSession(shop, late.id)).toMatchObject({ status: 'complete' });
  expect(await issuedBy(late.invoiceId)).toEqual(['INV2-000001', S.legalName]);
});

test('nobody else has the prefix, or the seller has only moved house: it is the project’s own', async () => {
  shop = await service.createMerchant();
  const first = await newProject(shop, { seller: S });
  const [one, two] = [await checkOut(first.id), await checkOut(first.id)];
  const address = { line1: 'Neue Str. 1' };
  await patch(first.id, { seller: { ...S, legalName: 'OLD SHOP  GmbH', address } });
  const second = await newProject(shop, { seller: S });
  expect(second.settings.invoicePrefix).toBe('INV2');
  await bring(service, shop, one, 500);
  expect(await issuedBy(one.invoiceId)).toEqual(['INV-000001', S.legalName]);
  await patch(first.id, { seller: T });
  await bring(service, shop, two, 500);
  expect(await issuedBy(two.invoiceId)).toEqual(['INV-000002', S.legalName]);
});

test('as it is numbered, a project that wants its prefix waits', async () => {
  shop = await service.createMerchant();
  for (let round = 1; round <= 5; round++) {
    const [old, next] = [`Old ${round} GmbH`, `New ${round} GmbH`];
    const first = await newProject(shop, { seller: { ...S, legalName: old } });
    const late = await checkOut(first.id);
    await patch(first.id, { seller: { ...S, legalName: next } });
    const [second] = await Promise.all([
      newProject(shop, { seller: { ...S, legalName: old } }),
      bring(service, shop, late, 500),
    ]);
    const numbers = [(await issuedBy(late.invoiceId))[0], (await sell(second.id))[0]];
    expect(new Set(numbers).size).toBe(2);
  }
});
