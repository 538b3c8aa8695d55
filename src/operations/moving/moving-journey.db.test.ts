import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  newLink,
  newPlan,
  newProject,
  newSession,
  paySession,
  readSession,
  subscribe,
} from '../../../test/support/billing.ts';
import type { TestChain } from '../../../test/support/chain.ts';
import { ask, newEmail, newOwner, newSetupToken, PASSWORD, signInAs } from '../../../test/support/members.ts';
import {
  at,
  change,
  close,
  exported,
  imported,
  NEW_URL,
  opened,
  twoInstallations,
} from '../../../test/support/moving.ts';
import { newIntent, payIntent, readIntent } from '../../../test/support/payments.ts';
import { logIn, newLinkToken } from '../../../test/support/portal.ts';
import { call } from '../../../test/support/service.ts';
import { enter, newPlace, TILLS } from '../../../test/support/till.ts';
import {
  dispatchAll,
  EVERYTHING,
  eventually,
  setUrl,
  startReceiver,
  startWorker,
} from '../../../test/support/webhooks.ts';
import { awaitQuiet } from '../../accounts/merchants/await-quiet.ts';
import { closeMerchant, forwardMerchant, reopenMerchant } from '../../accounts/merchants/close-merchant.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { updateLeases } from '../../webhooks/lease-queries.ts';
import { signatureHeader } from '../../webhooks/sign.ts';

let source: TestChain;
let target: TestChain;

beforeAll(async () => {
  ({ source, target } = await twoInstallations());
});

/**
 * Returns a checksum line for each table of an export. Three tables are left out: reading, which stays possible,
 * changes them.
 */
async function sumsIn(file: Buffer): Promise<string[]> {
  const plain = gunzipSync(await buffer(opened(file)));
  const lines = plain.toString('latin1').match(/\{"table":"\w+","rows":.*\}/g)!;
  return lines.filter((line) => !/"(request_logs|api_keys|project_months)"/.test(line));
}

/** Waits until the service has noticed that the merchant is closed or open, which it looks up once a second. */
const untilKnown = ({ shop }: TestChain, status: number) =>
  eventually(async () => (await shop.call('POST', '/api/v2/projects', { name: 'X' })).status === status);

describe('a merchant moves to another installation on the same network', () => {
  test('all of it works there, nothing happens here anymore, and every payment counts once', async () => {
    const { shop } = source;
    const receiver = await startReceiver();
    await setUrl(source.service.db, shop.id, receiver.url);
    const project = await newProject(shop);
    const plan = await newPlan(shop, project.id);
    await subscribe(source, project.id, plan.id, 'ada');
    const { paymentLink } = await newLink(shop, project.id);
    const paid = await newSession(shop, project.id, { externalCustomerId: 'ada' });
    await paySession(source, paid);
    await source.finalize();
    const open = await newSession(shop, project.id, { externalCustomerId: 'ada' });
    const during = await newIntent(shop);
    const seen = await newIntent(shop);
    await payIntent(source, seen);
    await source.look();
    await dispatchAll(source.service.db);
    const { nextCursor } = (await shop.call('GET', '/api/v2/events?after=latest')).body;

    await close(source);
    const file = await exported(source);
    await untilKnown(source, 503);
    const refused = await shop.call('POST', '/api/v2/projects', { name: 'X' });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'MERCHANT_MOVING']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await shop.call('GET', '/api/v2/projects')).status).toBe(200);
    const checkout = await call(
      `${source.service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`,
      'POST',
      {},
    );
    expect([checkout.status, checkout.body.error.code]).toEqual([503, 'MERCHANT_MOVING']);

    // Nobody counts a payment while it moves.
    await payIntent(source, during);
    await source.finalize();
    expect((await readIntent(shop, during)).status).toBe('pending');

    await imported(target, file);
    const moved = at(target, shop);
    const there = { ...target, shop: moved, merchant: source.merchant };
    await target.finalize();
    await target.finalize();
    expect((await readIntent(moved, during)).status).toBe('succeeded');
    expect((await readIntent(moved, seen)).status).toBe('succeeded');
    expect((await readSession(moved, open.id)).checkoutUrl).toMatch(NEW_URL);
    await paySession(there, open);
    await target.finalize();
    expect((await readSession(moved, open.id)).status).toBe('complete');
    await expectSound(target.service);
    await expectSound(source.service);
    for (const t of [target, source]) {
      const report = await t.reconcile();
      expect([report.differences, report.unreadable]).toEqual([[], []]);
    }

    const { body: events } = await moved.call('GET', `/api/v2/events?after=${nextCursor}`);
    const names = events.data.map((event: { event: string }) => event.event);
    expect(names.filter((name: string) => name === 'payment_intent.succeeded').length).toBe(3);
    await dispatchAll(target.service.db);
    startWorker(target.service);
    const delivered = await eventually(() => receiver.received.length > 0 && receiver.received[0]);
    const signature = delivered.headers['x-service-signature'] as string;
    const signedAt = new Date(Number(/t=(\d+)/.exec(signature)![1]) * 1000);
    expect(signature).toBe(signatureHeader([shop.webhookSecret], signedAt, Buffer.from(delivered.body)));

    // Whatever becomes due, it is not done here.
    source.service.clock.setOffsetMs(40 * DAY_MS);
    await source.finalize();
    await source.expire();
    await source.rescan();
    await source.lookCloser();
    await dispatchAll(source.service.db);
    const now = source.service.clock.now();
    const times = { now, leaseUntil: now, soon: now, later: now };
    expect(await updateLeases(source.service.db, EVERYTHING, times)).toEqual([]);
    expect(await sumsIn(await exported(source))).toEqual(await sumsIn(file));
  });

  test('once it has moved, programs get the new address in an error and payers are sent there', async () => {
    const { shop, service } = source;
    await service.db.transaction((tx) => forwardMerchant(tx, change(service, shop.id), NEW_URL));
    await untilKnown(source, 410);
    const refused = await shop.call('GET', '/api/v2/projects');
    expect([refused.status, refused.body.error.code]).toEqual([410, 'MERCHANT_MOVED']);
    expect(refused.body.error.message).toContain(NEW_URL);
    const [row] = await service.db.query<{ token: string }>(
      'select token from checkout_sessions where merchant_id = $1 limit 1',
      [shop.id],
    );
    const page = await fetch(`${service.url}/checkout/${row!.token}?lang=de`, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([
      308,
      `${NEW_URL}/checkout/${row!.token}?lang=de`,
    ]);
  });

  test('people with a link, a password or a pairing code get the new address', async () => {
    const { service } = source;
    const { db } = service;
    const left = await service.createMerchant('Left');
    const owner = await newOwner(service, left);
    const { body: invitation } = await owner.call('POST', '/api/dashboard/invitations', {
      ...{ email: newEmail(), role: 'viewer' },
    });
    const place = await newPlace(left);
    const { body: till } = await left.call('POST', TILLS, place);
    const { customerId } = await newSession(left, place.projectId, { externalCustomerId: 'ada' });
    const portalToken = await newLinkToken(left, place.projectId, customerId);
    await db.transaction((tx) => closeMerchant(tx, change(service, left.id)));
    await db.transaction((tx) => forwardMerchant(tx, change(service, left.id), NEW_URL));
    await eventually(async () => (await left.call('GET', '/api/v2/projects')).status === 410);

    const path = new URL(invitation.url).pathname;
    for (const link of [path, `/portal/${portalToken}`]) {
      const page = await fetch(service.url + link, { redirect: 'manual' });
      expect([page.status, page.headers.get('location')]).toEqual([308, NEW_URL + link]);
    }
    const token = path.split('/').pop();
    const answers = [
      await ask(service, '/links/use', { token, name: 'Ida', password: PASSWORD }),
      await signInAs(service, owner.email),
      await enter(service, till.code),
      await logIn(service, portalToken),
    ];
    for (const { status, body } of answers)
      expect([status, body.error]).toEqual([
        410,
        { ...body.error, code: 'MERCHANT_MOVED', message: expect.stringContaining(NEW_URL) },
      ]);

    // Somebody who is also a member of a merchant that has stayed signs in to that one.
    const stayed = await service.createMerchant('Stayed');
    const setup = await newSetupToken(service, stayed.id);
    await ask(service, '/links/use', { token: setup, email: owner.email, name: 'Olive', password: PASSWORD });
    await db.query(`update members set last_signed_in_at = null where merchant_id = $1`, [stayed.id]);
    expect((await signInAs(service, owner.email)).body.merchant.id).toBe(stayed.id);
  });

  test('another merchant of the same service notices nothing', async () => {
    const other = await source.service.createMerchant('Other');
    expect((await other.call('POST', '/api/v2/projects', { name: 'X' })).status).toBe(201);
  });

  test('what was let in before it was closed cannot write afterwards', async () => {
    const other = await source.service.createMerchant('Late');
    const { db } = source.service;
    await db.transaction((tx) => closeMerchant(tx, change(source.service, other.id)));
    const late = db.transaction((tx) =>
      tx.query(
        `insert into audit_entries (merchant_id, id, actor, action, created_at)
         values ($1, gen_random_uuid(), 'x', 'x', now())`,
        [other.id],
      ),
    );
    await expect(late).rejects.toThrow('the merchant is closed');
    await db.transaction((tx) => reopenMerchant(tx, change(source.service, other.id)));
    await expect(
      db.transaction((tx) => reopenMerchant(tx, change(source.service, other.id))),
    ).rejects.toThrow('open already');
    await eventually(
      async () => (await other.call('POST', '/api/v2/projects', { name: 'X' })).status === 201,
    );
  });

  test('an export waits for what was being written while the merchant was closed', async () => {
    const { db, clock } = source.service;
    const other = await source.service.createMerchant('Busy');
    const written = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const event = {
      ...{ merchantId: other.id, event: 'test', objectType: 'test', objectId: other.id, sequence: 1 },
      ...{ status: 'x', previousStatus: null, orderingKey: other.id, data: {} },
    };
    const writing: Promise<void>[] = [];
    await db.transaction(async (tx) => {
      await closeMerchant(tx, change(source.service, other.id));
      const write = db.transaction(async (writer) => {
        await appendEvents(writer, [event], clock.now());
        written.resolve();
        await end.promise;
      });
      writing.push(write);
      await written.promise;
    });
    await expect(awaitQuiet(db, 1)).rejects.toThrow('has been writing');
    end.resolve();
    await Promise.all(writing);
    await awaitQuiet(db);
  });
});
