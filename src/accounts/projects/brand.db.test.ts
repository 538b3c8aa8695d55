import { beforeAll, describe, expect, test } from 'vitest';
import { newCustomer, newLink, newProject, newSession } from '../../../test/support/billing.ts';
import { png, webp } from '../../../test/support/images.ts';
import { newLinkToken, visit } from '../../../test/support/portal.ts';
import { readPdf, readPdfImages } from '../../../test/support/read-pdf.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { composeEmail } from '../../email/compose-email.ts';
import { updateLeases } from '../../email/queries.ts';
import { queueEmails } from '../../email/queue-email.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Holding Ltd');
  await shop.call('PATCH', '/api/b2b/merchants/brand', { brandColor: '#112233' });
});

const OWN = { brandName: 'Tea House', brandColor: '#ffd700' };

/** Everything customers see of a project, as text. */
async function shownOf(projectId: string): Promise<Record<string, string>> {
  const customer = await newCustomer(shop, projectId, { email: 'ann@example.com' });
  const session = await newSession(shop, projectId, { externalCustomerId: 'ann' });
  const { paymentLink } = await newLink(shop, projectId);
  const inside = await visit(service, shop, projectId, customer.id);
  const page = async (path: string, headers = {}) => (await fetch(service.url + path, { headers })).text();
  return {
    checkout: await page(new URL(session.checkoutUrl).pathname),
    intent: await page(`/intents/${session.paymentIntentId}`),
    link: await page(`/pay/${paymentLink.publicToken}`),
    'portal link': await page(`/portal/${await newLinkToken(shop, projectId, customer.id)}`),
    portal: await page('/portal', { cookie: inside.cookie }),
    'portal invoices': await page('/portal/invoices', { cookie: inside.cookie }),
  };
}

async function pdfOf(projectId: string): Promise<string> {
  return JSON.stringify(await readPdf(await pdfBytesOf(projectId)));
}

async function pdfImagesOf(projectId: string) {
  return readPdfImages(await pdfBytesOf(projectId));
}

async function pdfBytesOf(projectId: string): Promise<Uint8Array> {
  const { invoiceId } = await newSession(shop, projectId);
  const headers = { authorization: `Bearer ${shop.key}` };
  const answer = await fetch(`${service.url}/api/v2/invoices/${invoiceId}/pdf`, { headers });
  return new Uint8Array(await answer.arrayBuffer());
}

async function emailOf(projectId: string, publicUrl = 'https://pay.example') {
  service.db.queuesEmails = true;
  const customer = await newCustomer(shop, projectId, { email: 'bob@example.com' });
  const { invoiceId } = await newSession(shop, projectId);
  const facts = {
    number: 'INV-1',
    items: [],
    creditCents: 0n,
    totalCents: 500n,
    dueCents: 500n,
    dueAt: service.clock.now(),
    endsAt: service.clock.now(),
    paidAt: null,
    payUrl: 'https://pay.example/checkout/cs_1',
    txSignature: null,
  };
  await service.db.query('delete from emails');
  await service.db.transaction((tx) =>
    queueEmails(tx, () => [
      {
        merchantId: shop.id,
        projectId,
        customerId: customer.id,
        kind: 'renewal',
        invoiceId,
        number: 1,
        facts,
      },
    ]),
  );
  const now = new Date(service.clock.now().getTime() + 1_000);
  const [email] = await updateLeases(
    service.db,
    1,
    { now, leaseUntil: new Date(now.getTime() + 60_000) },
    [],
  );
  return composeEmail(email!, publicUrl);
}

test('what customers see of a project has its own name and colour', async () => {
  const { id } = await newProject(shop, OWN);
  for (const [place, text] of Object.entries(await shownOf(id))) {
    expect([place, text.includes('Tea House'), text.includes('/brand/ffd700.css')]).toEqual([
      place,
      true,
      true,
    ]);
    expect([place, text.includes('Holding Ltd')]).toEqual([place, false]);
  }
  expect(await pdfOf(id)).toContain('Tea House');
  const { subject, html } = await emailOf(id);
  expect(subject).toMatch(/^Tea House: /);
  expect(html).toContain('background:#ffd700;color:#000000');
  const session = await newSession(shop, id);
  const path = `/api/public/intents/${session.paymentIntentId}`;
  const intent = await call(service.url + path, 'GET');
  expect(intent.body.merchantName).toBe('Tea House');
  expect(intent.body.paymentUrl).toContain('label=Tea%20House');
  expect((await call(`${service.url}${path}/pay`, 'GET')).body.label).toBe('Tea House');
});

test('what it has not set is the merchant’s, each on its own; cleared, it is the merchant’s again', async () => {
  const { id } = await newProject(shop, { brandName: 'Tea House' });
  const half = (await shownOf(id)).checkout!;
  expect([half.includes('Tea House'), half.includes('/brand/112233.css')]).toEqual([true, true]);
  await shop.call('PATCH', `/api/v2/projects/${id}`, { brandName: null });
  for (const [place, text] of Object.entries(await shownOf(id))) {
    expect([place, text.includes('Holding Ltd'), text.includes('/brand/112233.css')]).toEqual([
      place,
      true,
      true,
    ]);
  }
  expect(await pdfOf(id)).toContain('Holding Ltd');
  const { subject, html } = await emailOf(id);
  expect(subject).toMatch(/^Holding Ltd: /);
  expect(html).toContain('background:#112233;color:#ffffff');
});

test('a project’s logo is on every page, in e-mails and on invoices; without one it is the merchant’s', async () => {
  const merchant = await service.createMerchant('Logo Ltd');
  const before = shop;
  shop = merchant;
  try {
    const { id } = await newProject(shop, OWN);
    const expectLogo = async (logoUrl: string | null) => {
      const path = logoUrl && new URL(logoUrl).pathname;
      for (const [place, text] of Object.entries(await shownOf(id))) {
        expect([place, text.includes('class="seller-sign"')]).toEqual([place, path === null]);
        if (path)
          expect([place, text.includes(`<img class="seller-logo" src="${path}" alt="">`)]).toEqual([
            place,
            true,
          ]);
      }
      const { html, text } = await emailOf(id);
      if (path) expect(html).toContain(`<img src="https://pay.example${path}" alt="Tea House"`);
      else expect(html).not.toContain('<img');
      expect(text).not.toContain('/brand/');
      expect((await pdfImagesOf(id)).length).toBe(path?.endsWith('.png') ? 1 : 0);
    };
    await expectLogo(null);
    const ofMerchant = await shop.call('PUT', '/api/b2b/merchants/brand/logo', png());
    await expectLogo(ofMerchant.body.logoUrl);
    const ofProject = await shop.call('PUT', `/api/v2/projects/${id}/logo`, webp());
    await expectLogo(ofProject.body.logoUrl);
    await shop.call('DELETE', `/api/v2/projects/${id}/logo`);
    await expectLogo(ofMerchant.body.logoUrl);
  } finally {
    shop = before;
  }
});

test('an e-mail of a service without https has no image', async () => {
  const { id } = await newProject(shop, OWN);
  await shop.call('PUT', `/api/v2/projects/${id}/logo`, png());
  expect((await emailOf(id, 'http://localhost:4020')).html).not.toContain('<img');
});

describe('/api/v2/projects', () => {
  test('200 with name and colour, told in the audit log; what is left out stays', async () => {
    const made = (await shop.call('POST', '/api/v2/projects', { name: 'p', brandColor: '#ABCDEF' })).body;
    expect(made).toMatchObject({ brandName: null, brandColor: '#abcdef' });
    const named = (await shop.call('PATCH', `/api/v2/projects/${made.id}`, { brandName: 'Own' })).body;
    expect(named).toMatchObject({ name: 'p', brandName: 'Own', brandColor: '#abcdef' });
    const [entry] = await service.db.query<{ detail: object }>(
      `select detail from audit_entries where target_id = $1 and action = 'project.changed'`,
      [made.id],
    );
    expect(entry!.detail).toEqual({ before: { brandName: null }, after: { brandName: 'Own' } });
  });

  test.each([{ brandColor: 'red' }, { brandColor: '#12345' }, { brandName: '' }, { brandName: 7 }])(
    '400 for %j, and nothing changes',
    async (body) => {
      const { id } = await newProject(shop, OWN);
      const answer = await shop.call('PATCH', `/api/v2/projects/${id}`, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect((await shop.call('GET', `/api/v2/projects/${id}`)).body).toMatchObject(OWN);
    },
  );
});
