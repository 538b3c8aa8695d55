import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { newPlan } from './billing.ts';
import { newPage, type PageOptions } from './browser.ts';
import { newLinkToken } from './portal.ts';
import type { TestMerchant } from './service.ts';
import type { SubscriptionWorld } from './subscriptions.ts';

/** Project whose portal it is. */
type PortalPlace = Pick<SubscriptionWorld, 'service' | 'shop' | 'projectId'>;

/** The address of a fresh link, under the name by which this test reaches the service. */
export async function newLinkUrl(
  { service, shop, projectId }: PortalPlace,
  customerId: string,
  fields: object = {},
): Promise<string> {
  return `${service.url}/portal/${await newLinkToken(shop, projectId, customerId, fields)}`;
}

/** Opens a fresh link as a person would, and is in. */
export async function enter(
  page: Page,
  world: PortalPlace,
  customerId: string,
  fields: object = {},
): Promise<void> {
  await page.goto(await newLinkUrl(world, customerId, fields));
  await page.locator('main button').click();
  await page.waitForURL(`${world.service.url}/portal`);
}

/** A click that leads to another page, or reloads the same; returns the status. */
export async function follow(page: Page, selector: string): Promise<number> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().isNavigationRequest() && response.status() !== 303),
    page.locator(selector).click(),
  ]);
  await page.waitForLoadState();
  return answer.status();
}

export const pathOf = (page: Page) => new URL(page.url()).pathname;

export const heading = (page: Page) => page.locator('h1').innerText();

/** Three plans of one product: what is subscribed to, a more expensive one, and one by the year. */
export async function newPlans(shop: TestMerchant, projectId: string) {
  const basic = await newPlan(shop, projectId, { name: 'Basic' });
  const more = async (name: string, unitAmountCents: number, recurringInterval: string) => {
    const terms = { projectId, productId: basic.productId, billingMode: 'subscription' };
    const body = { ...terms, name, unitAmountCents, recurringInterval };
    const answer = await shop.call('POST', '/api/v2/prices', body);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  return { basic, pro: await more('Pro', 3000, 'month'), yearly: await more('Yearly', 9000, 'year') };
}

/** Somebody with a running subscription, in their portal. */
export async function customerInside(
  world: SubscriptionWorld,
  priceId: string,
  name: string,
  options: PageOptions = {},
) {
  const sub = await world.subscribe(priceId, name);
  const page = await newPage(options);
  await enter(page, world, sub.customerId);
  return { sub, page, path: `/portal/subscriptions/${sub.id}`, customerId: sub.customerId as string };
}

export function adjustCredit({ shop }: SubscriptionWorld, customerId: string, deltaCents: number) {
  const body = { deltaCents, reason: 'gift' };
  return shop.call('POST', `/api/v2/customers/${customerId}/balance-adjustments`, body);
}
