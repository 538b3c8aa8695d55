import { beforeAll, describe, expect, test } from 'vitest';
import { advance, newLink, newProject, newSession, readSession, runDue } from '../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

const statusOf = async (path: string, method = 'GET') =>
  (await fetch(service.url + path, { method, redirect: 'manual' })).status;

describe('404 for what cannot be the address of a checkout', () => {
  const NONE = ['%00', 'cs_%00', '%F0%9F%92%A9', 'x', 'cs_', `cs_${'a'.repeat(90)}`, 'cs_a%2Fb'];

  test.each(NONE)('/checkout/%s', async (token) => {
    for (const more of ['', '/live', '/receipt.pdf']) {
      expect([more, await statusOf(`/checkout/${token}${more}`)]).toEqual([more, 404]);
    }
    expect(await statusOf(`/checkout/${token}/check`, 'POST')).toBe(404);
  });

  test.each(['/intents/%00', '/intents/%00/live', '/terminals/%00', '/terminals/%00/live', '/pay/%00'])(
    '%s',
    async (path) => {
      expect(await statusOf(path)).toBe(404);
    },
  );

  test('one that is a checkout’s is found', async () => {
    const { checkoutUrl } = await newSession(shop, projectId);
    expect(await statusOf(new URL(checkoutUrl).pathname)).toBe(200);
  });
});

describe('the way to begin again after a session expired', () => {
  let link: { id: string; publicToken: string };

  beforeAll(async () => {
    link = (await newLink(shop, projectId)).paymentLink;
  });

  async function expired(order: object): Promise<string> {
    const begun = await shop.call('POST', `/api/v2/payment-links/${link.publicToken}/checkout`, order);
    const { checkoutUrl } = await readSession(shop, begun.body.sessionId);
    await advance(service, 2);
    await runDue(service);
    return `${new URL(checkoutUrl).pathname}?lang=de`;
  }

  const wayOf = async (path: string) =>
    /href="(\/pay\/[^"]*)"/
      .exec(await (await fetch(service.url + path)).text())?.[1]
      ?.replaceAll('&amp;', '&');

  test('is the link, for the same cart', async () => {
    const again = `/pay/${link.publicToken}?lang=de`;
    expect(await wayOf(await expired({}))).toBe(again);
    expect(await wayOf(await expired({ clientReferenceId: 'cart-7' }))).toBe(
      `${again}&client_reference_id=cart-7`,
    );
  });

  test('is none when the link was switched off', async () => {
    const path = await expired({});
    expect(await wayOf(path)).toBeDefined();
    await shop.call('PATCH', `/api/v2/payment-links/${link.id}`, { status: 'inactive' });
    expect(await wayOf(path)).toBeUndefined();
  });
});
