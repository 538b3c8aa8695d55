import type { Page } from 'playwright-core';
import { newPage, type PageOptions } from './browser.ts';
import { type TestChain, testChain } from './chain.ts';
import { PASSWORD, type TestMember } from './members.ts';
import { freePort } from './process.ts';

/** The service where browsers reach it: its own address is its public one, by a name for which passkeys work. */
export async function dashboardChain(): Promise<TestChain> {
  const port = await freePort();
  return testChain({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}` });
}

export const dashboardUrl = (t: TestChain, path = '') => `${t.service.config.PUBLIC_URL}/dashboard${path}`;

export const appPage = (options: PageOptions = {}) => newPage({ ...options, isApp: true });

/** A page of somebody who is signed in already. */
export async function pageOf(t: TestChain, member: TestMember, options: PageOptions = {}): Promise<Page> {
  const page = await appPage(options);
  const [name, value] = member.cookie.split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: t.service.config.PUBLIC_URL! }]);
  return page;
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
