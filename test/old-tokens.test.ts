import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { randomBase62 } from '../src/platform/lib/ids.ts';
import { newCustomer, newLink, newPrice, newProject } from './support/billing.ts';
import { testChain } from './support/chain.ts';
import { newOwner } from './support/members.ts';
import { logIn, newLinkToken, visit } from './support/portal.ts';
import { claimPath, newRefund, paidSession } from './support/refund-journey.ts';
import { call } from './support/service.ts';
import { pairedTill } from './support/till.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

test('what was given out before tokens named a cell still opens what it opened', async () => {
  const t = await testChain();
  const { db, url } = t.service;
  const { shop } = t;
  const get = (path: string, cookie = '') => call(url + path, 'GET', undefined, { cookie });
  /** Replaces a token that was just made with one as an earlier release made it. */
  async function aged(kind: string, length: number, column: string, made: string): Promise<string> {
    const [table, name] = column.split('.') as [string, string];
    const old = `${kind}_${randomBase62(length)}`;
    const isHash = name.endsWith('_hash');
    const rows = await db.query(`update ${table} set ${name} = $1 where ${name} = $2 returning 1`, [
      isHash ? sha256(old) : old,
      isHash ? sha256(made) : made,
    ]);
    expect([column, rows.length]).toEqual([column, 1]);
    return old;
  }
  const secretIn = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);

  const { id: projectId } = await newProject(shop);
  const { id: customerId } = await newCustomer(shop, projectId, { externalCustomerId: 'ada' });
  const session = await paidSession(t, projectId, { externalCustomerId: 'ada' });
  const checkout = await aged('cs', 32, 'checkout_sessions.token', session.checkoutUrl.split('/').pop());
  expect((await get(`/checkout/${checkout}`)).status).toBe(200);

  const { paymentLink } = await newLink(shop, projectId);
  const link = await aged('plink', 24, 'payment_links.public_token', paymentLink.publicToken);
  expect((await get(`/api/v2/payment-links/${link}`)).status).toBe(200);

  const { id: priceId } = await newPrice(shop, projectId);
  const wall = { projectId, priceId, description: 'An article' };
  const { body: paywall } = await shop.call('POST', '/api/v2/x402/paywalls', wall);
  const token = await aged('pw', 24, 'paywalls.token', paywall.url.split('/').pop());
  expect((await get(`/paywalls/${token}`)).status).toBe(402);

  const refund = await newRefund(t, { paymentIntentId: session.paymentIntentId });
  const claim = (await claimPath(t, refund.id)).split('/').pop()!;
  const refundLink = await aged('refund', 43, 'refunds.claim_token_hash', claim);
  expect((await get(`/api/public/refunds/${refundLink}`)).body.number).toBe(refund.number);

  const made = await newLinkToken(shop, projectId, customerId);
  const login = await logIn(t.service, await aged('portal', 43, 'portal_sessions.token_hash', made));
  expect([login.status, login.text]).toEqual([200, login.text]);
  const visitor = await visit(t.service, shop, projectId, customerId);
  const visiting = await aged('portal', 43, 'portal_sessions.cookie_hash', secretIn(visitor.cookie));
  expect((await get('/api/portal/refunds', `florin_portal=${visiting}`)).status).toBe(200);

  const till = await pairedTill(t.service, shop);
  const paired = await aged('till', 43, 'tills.key_hash', secretIn(till.cookie));
  expect((await get('/api/till', `florin_till=${paired}`)).status).toBe(200);

  // A change takes the token that its page was given, which the earlier release derived from the first 51 characters.
  const owner = await newOwner(t.service, shop);
  const signedIn = await aged('session', 65, 'dashboard_sessions.token_hash', secretIn(owner.cookie));
  const csrf = createHash('sha256')
    .update(`csrf ${signedIn.slice(0, 51)}`)
    .digest('base64url');
  const view = { list: 'invoices', name: 'Late', query: 'status=open' };
  const saved = await call(`${url}/api/dashboard/saved-views`, 'POST', view, {
    cookie: `florin_dashboard=${signedIn}`,
    'x-csrf-token': csrf,
  });
  expect([saved.status, saved.text]).toEqual([201, saved.text]);
});
