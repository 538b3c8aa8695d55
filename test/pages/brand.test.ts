import { beforeAll, describe, expect, test } from 'vitest';
import { newLink, newProject } from '../support/billing.ts';
import { expectAccessible, newPage } from '../support/browser.ts';
import { testService } from '../support/service.ts';

let url: string;

beforeAll(async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const fields = { collectCustomerEmail: true };
  const { paymentLink } = await newLink(shop, (await newProject(shop)).id, fields);
  url = `${service.url}/pay/${paymentLink.publicToken}`;
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test.each(['ffffff', '000000', 'ffd700'])('a page in #%s is as readable as any', async (color) => {
    const page = await newPage({ colorScheme });
    await page.goto(url);
    const paint = () =>
      page.evaluate("getComputedStyle(document.querySelector('button.primary')).backgroundColor");
    const plain = await paint();
    await page.addStyleTag({ url: `/brand/${color}.css` });
    expect(await paint()).not.toBe(plain);
    await expectAccessible(page);
  });
});
