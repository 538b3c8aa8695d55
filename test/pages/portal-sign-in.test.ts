import { beforeAll, expect, test } from 'vitest';
import { createMailer } from '../../src/email/mailer.ts';
import { sendDueEmails } from '../../src/email/send-due-emails.ts';
import { sendSignInLinks } from '../../src/pages/portal/send-sign-in-links.ts';
import { signInMessages } from '../../src/pages/portal-pages/messages/sign-in/languages.ts';
import { LANGUAGES } from '../../src/platform/lib/language.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { newCustomer, newProject } from '../support/billing.ts';
import { DESKTOP, expectAccessible, expectFits, newPage, PHONE } from '../support/browser.ts';
import { startMailServer } from '../support/mail.ts';
import { follow, heading, pathOf } from '../support/portal-page.ts';
import { type TestService, testService } from '../support/service.ts';

let service: TestService;
let path: string;

beforeAll(async () => {
  service = await testService();
  service.db.queuesEmails = true;
  const shop = await service.createMerchant('Corner Shop');
  const { id } = await newProject(shop, { settings: { portalSignIn: true } });
  await newCustomer(shop, id, { email: 'ada@example.com', name: 'Ada' });
  path = `/portal/sign-in/${id}`;
});

test('a customer types their address, opens the link from the e-mail, signs out, and finds the way back', async () => {
  const server = await startMailServer();
  const page = await newPage({ viewport: DESKTOP });
  await page.goto(service.url + path);
  await page.fill('#email', 'ada');
  expect(await follow(page, 'main button')).toBe(400);
  expect(await page.inputValue('#email')).toBe('ada');
  await expectAccessible(page);
  await page.fill('#email', 'ada@example.com');
  await follow(page, 'main button');
  expect([await heading(page), new URL(page.url()).search]).toEqual(['Check your e-mail', '?sent=1']);
  const parts = { db: service.db, secrets: service.secrets, publicUrl: () => service.url };
  await sendSignInLinks(parts, service.clock.now());
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  await sendDueEmails({ ...parts, mailer, log: createLog('silent') });
  await page.goto(/http\S+\/portal\/portal_\w+/.exec(server.received[0]!.text)![0]);
  await follow(page, 'main button');
  expect(pathOf(page)).toBe('/portal');
  await follow(page, '.portal-out button');
  await follow(page, 'main a');
  expect(pathOf(page)).toBe(path);
});

test.each(LANGUAGES)('in %s, on a phone: both pages fit and can be read by everybody', async (lang) => {
  const page = await newPage({ viewport: PHONE });
  const { title, sentTitle } = signInMessages[lang];
  for (const [query, words] of [
    ['', title],
    ['&sent=1', sentTitle],
  ]) {
    await page.goto(`${service.url}${path}?lang=${lang}${query}`);
    expect(await heading(page)).toBe(words);
    await expectFits(page);
    await expectAccessible(page);
  }
});
