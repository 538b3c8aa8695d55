import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newOwner } from '../../../test/support/members.ts';
import {
  newAddress,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { composeEmail } from '../../email/compose-email.ts';
import type { ClaimedEmail } from '../../email/email.ts';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { applyDueChanges } from './apply-due-changes.ts';

const PATH = '/api/b2b/merchants/payout-address';
let service: TestService;
let shop: TestMerchant;
let first: string;

beforeAll(async () => {
  service = await testService();
  service.db.queuesEmails = true;
});

beforeEach(async () => {
  first = newAddress();
  shop = await service.createMerchant('Shop', first);
  await newOwner(service, shop);
  expect((await setDelay(24)).body.payoutChangeDelayHours).toBe(24);
});

const codeOf = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body?.error?.code,
];
const set = (payoutAddress: string, merchant = shop) => merchant.call('PATCH', PATH, { payoutAddress });
const setDelay = (payoutChangeDelayHours: number) =>
  shop.call('PATCH', `${PATH}/delay`, { payoutChangeDelayHours });
const read = async (merchant = shop) => (await merchant.call('GET', PATH)).body;
const cancel = (id: string, merchant = shop) =>
  merchant.call('DELETE', `/api/b2b/merchants/payout-changes/${id}`);
const applyAfter = (hours: number) =>
  applyDueChanges(service.db, addMinutes(service.clock.now(), hours * 60));
const newProject = async (body: object = {}) =>
  (await shop.call('POST', '/api/v2/projects', { name: 'Web', ...body })).body;

/** Entries of the audit log about payouts, the newest last. */
async function audited(merchant = shop) {
  const { body } = await merchant.call('GET', '/api/b2b/merchants/audit-entries?limit=100');
  return body.data
    .filter(({ action }: { action: string }) => /payout_(address|change)/.test(action))
    .map(({ action, detail: { from, to, reason } }: { action: string; detail: Record<string, unknown> }) =>
      reason ? [action, from, to, reason] : [action, from, to],
    )
    .reverse();
}

/** The e-mails to the owner of a merchant, as they would be sent. */
async function emails(merchant = shop) {
  const rows = await service.db.query<{ kind: string; facts: Record<string, unknown> }>(
    'select kind, facts from emails where merchant_id = $1 order by created_at, id',
    [merchant.id],
  );
  return rows.map(({ kind, facts: { at, takesEffectAt, ...facts } }) => {
    const times = {
      at: new Date(at as string),
      ...(takesEffectAt ? { takesEffectAt: new Date(takesEffectAt as string) } : {}),
    };
    const email = {
      id: 'x',
      kind,
      facts: { ...facts, ...times },
      senderName: 'Shop',
      email: 'o@shop.example',
    };
    return composeEmail({ ...email, recipientName: null } as unknown as ClaimedEmail, 'https://pay.example');
  });
}

describe('a change of the merchant’s address', () => {
  test('200 with pendingChange: it waits, owners get an e-mail, and then it takes effect', async () => {
    const next = newAddress();
    const { status, body } = await set(next);
    expect([status, body.payoutAddress]).toEqual([200, first]);
    expect(body.pendingChange).toMatchObject({ kind: 'address', projectId: null, payoutAddress: next });
    const { requestedAt, takesEffectAt } = body.pendingChange;
    expect(+new Date(takesEffectAt) - +new Date(requestedAt)).toBe(24 * 3_600_000);
    expect((await read()).pendingChange).toEqual(body.pendingChange);
    const [email] = await emails();
    expect(email!.subject).toBe('Shop: Your payout address is about to change');
    for (const part of [first, next, takesEffectAt.slice(0, 16).replace('T', ' ')])
      expect(email!.text).toContain(part);

    await applyAfter(23.9);
    const order = { amountCents: 5, orderId: 'before' };
    const { body: before } = await shop.call('POST', '/api/merchants/intents', order);
    expect(before.destinationAddress).toBe(first);

    await Promise.all([applyAfter(24.1), applyAfter(24.1)]);
    expect(await read()).toMatchObject({ payoutAddress: next, pendingChange: null });
    const { body: after } = await shop.call('POST', '/api/merchants/intents', { ...order, orderId: 'after' });
    expect(after.destinationAddress).toBe(next);
    const { body: kept } = await shop.call('GET', `/api/merchants/intents/${before.id}`);
    expect(kept.destinationAddress).toBe(first);
    expect(await audited()).toEqual([
      ['payout_change.requested', first, next],
      ['merchant.payout_address_changed', first, next],
    ]);
    expect((await emails()).map(({ subject }) => subject)).toEqual([
      'Shop: Your payout address is about to change',
      'Shop: Your payout address was changed',
    ]);
  });

  test('204 cancels it, 404 the second time; nothing takes effect', async () => {
    const next = newAddress();
    const { id } = (await set(next)).body.pendingChange;
    expect((await cancel(id)).status).toBe(204);
    expect(codeOf(await cancel(id))).toEqual([404, 'NOT_FOUND']);
    await applyAfter(1_000);
    expect(await read()).toMatchObject({ payoutAddress: first, pendingChange: null });
    expect(await audited()).toEqual([
      ['payout_change.requested', first, next],
      ['payout_change.canceled', first, next, 'canceled'],
    ]);
    const other = await service.createMerchant('Other', null);
    expect((await set(next, other)).status).toBe(200);
  });

  test('every owner gets an e-mail when a change is canceled: an address, a project’s address, the delay', async () => {
    const next = newAddress();
    await cancel((await set(next)).body.pendingChange.id);
    const { body: project } = await shop.call('POST', '/api/v2/projects', { name: 'Roastery' });
    const payoutAddress = newAddress();
    const { body } = await shop.call('PATCH', `/api/v2/projects/${project.id}`, { payoutAddress });
    await cancel(body.pendingChange.id);
    await cancel((await setDelay(1)).body.pendingDelayChange.id);
    const told = await emails();
    expect(told.map(({ subject }) => subject)).toEqual([
      'Shop: Your payout address is about to change',
      'Shop: Your payout address will not change',
      'Shop: Your payout address is about to change',
      'Shop: Your payout address will not change',
      'Shop: The delay for payout address changes is about to get shorter',
      'Shop: The delay for payout address changes stays the same',
    ]);
    for (const part of ['was canceled', first, next, 'key:']) expect(told[1]!.text).toContain(part);
    for (const part of ['Roastery', payoutAddress]) expect(told[3]!.text).toContain(part);
    for (const part of ['was canceled', '24 hours', '1 hour\n']) expect(told[5]!.text).toContain(part);
  });

  test('an owner cancels without confirming again; 403 for a key without all four scopes', async () => {
    const { id } = (await set(newAddress())).body.pendingChange;
    const key = await shop.keyWith(['payments:read', 'payments:write', 'billing:read']);
    const headers = { authorization: `Bearer ${key}` };
    const path = `/api/b2b/merchants/payout-changes/${id}`;
    expect(codeOf(await shop.call('DELETE', path, undefined, headers))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const narrow = await shop.call('PATCH', `${PATH}/delay`, { payoutChangeDelayHours: 0 }, headers);
    expect(codeOf(narrow)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const owner = await newOwner(service, shop);
    await service.db.query(`update dashboard_sessions set confirmed_at = confirmed_at - interval '1 hour'`);
    expect(codeOf(await owner.call('PATCH', PATH, { payoutAddress: newAddress() }))).toEqual([
      403,
      'STEP_UP_REQUIRED',
    ]);
    expect((await owner.call('DELETE', path)).status).toBe(204);
  });

  test('a newer one replaces it and starts a new wait; repeating the same does not', async () => {
    const [second, third] = [newAddress(), newAddress()];
    const one = (await set(second)).body.pendingChange;
    expect((await set(second)).body.pendingChange).toEqual(one);
    const two = (await set(third)).body.pendingChange;
    expect(two.id).not.toBe(one.id);
    expect(+new Date(two.takesEffectAt)).toBeGreaterThanOrEqual(+new Date(one.takesEffectAt));
    expect((await cancel(one.id)).status).toBe(404);
    await applyAfter(24.1);
    expect((await read()).payoutAddress).toBe(third);
    expect(await audited()).toEqual([
      ['payout_change.requested', first, second],
      ['payout_change.canceled', first, second, 'replaced'],
      ['payout_change.requested', first, third],
      ['merchant.payout_address_changed', first, third],
    ]);
  });

  test('the first address takes effect at once, and the address in effect is no change', async () => {
    const fresh = await service.createMerchant('Fresh', null);
    await fresh.call('PATCH', `${PATH}/delay`, { payoutChangeDelayHours: 24 });
    const address = newAddress();
    expect((await set(address, fresh)).body).toMatchObject({ payoutAddress: address, pendingChange: null });
    expect((await set(address, fresh)).body.pendingChange).toBeNull();
  });

  test('409 PAYOUT_ADDRESS_TAKEN for another’s address, and for one that another waits for', async () => {
    const other = await service.createMerchant('Other', newAddress());
    const { payoutAddress: theirs } = await read(other);
    expect(codeOf(await set(theirs))).toEqual([409, 'PAYOUT_ADDRESS_TAKEN']);
    expect((await read()).pendingChange).toBeNull();
    const next = newAddress();
    await set(next);
    expect(codeOf(await set(next, other))).toEqual([409, 'PAYOUT_ADDRESS_TAKEN']);
  });

  test('another merchant that signs for the wallet ends it; owners get an e-mail', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const wallet = encodeBase58(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
    await set(wallet);
    const other = await service.createMerchant('Owner', null);
    const { message } = (await other.call('POST', `${PATH}/challenge`, { payoutAddress: wallet })).body;
    const signature = encodeBase58(sign(null, Buffer.from(message), privateKey));
    const proof = { payoutAddress: wallet, signature };
    expect((await other.call('POST', `${PATH}/verify`, proof)).status).toBe(200);
    expect(await read()).toMatchObject({ payoutAddress: first, pendingChange: null });
    await applyAfter(24.1);
    expect((await read()).payoutAddress).toBe(first);
    expect((await audited()).at(-1)).toEqual(['payout_change.canceled', first, wallet, 'taken over']);
    const email = (await emails()).at(-1)!;
    expect(email.subject).toBe('Shop: Your payout address will not change');
    expect(email.text).toContain(wallet);
  });
});

describe('a change of a project’s address', () => {
  const patch = (id: string, body: object) => shop.call('PATCH', `/api/v2/projects/${id}`, body);

  test('waits as the merchant’s does, while the rest of the call counts at once', async () => {
    const next = newAddress();
    const { id, pendingChange: none } = await newProject();
    expect(none).toBeUndefined();
    const { status, body } = await patch(id, { name: 'Shop 2', payoutAddress: next });
    expect([status, body.name, body.payoutAddress]).toEqual([200, 'Shop 2', null]);
    expect(body.pendingChange).toMatchObject({ projectId: id, payoutAddress: next });
    const { data } = (await shop.call('GET', '/api/v2/projects')).body;
    expect(data[0].pendingChange).toEqual(body.pendingChange);
    expect((await read()).pendingChange).toBeNull();
    await applyAfter(24.1);
    const { body: after } = await shop.call('GET', `/api/v2/projects/${id}`);
    expect([after.payoutAddress, after.pendingChange]).toEqual([next, undefined]);
    expect(await audited()).toEqual([
      ['payout_change.requested', null, next],
      ['project.payout_address_changed', null, next],
    ]);
  });

  test('going back to the merchant’s own waits too, and can be canceled', async () => {
    const own = newAddress();
    const { id } = await newProject({ payoutAddress: own });
    const { body } = await patch(id, { payoutAddress: null });
    expect([body.payoutAddress, body.pendingChange.payoutAddress]).toEqual([own, null]);
    expect((await cancel(body.pendingChange.id)).status).toBe(204);
    await patch(id, { payoutAddress: null });
    await applyAfter(24.1);
    expect((await shop.call('GET', `/api/v2/projects/${id}`)).body.payoutAddress).toBeNull();
  });

  test('at once where nobody could pay before; never for an archived project', async () => {
    const fresh = await service.createMerchant('Fresh', null);
    await fresh.call('PATCH', `${PATH}/delay`, { payoutChangeDelayHours: 24 });
    const { body: project } = await fresh.call('POST', '/api/v2/projects', { name: 'a' });
    const payoutAddress = newAddress();
    const set = await fresh.call('PATCH', `/api/v2/projects/${project.id}`, { payoutAddress });
    expect([set.body.payoutAddress, set.body.pendingChange]).toEqual([payoutAddress, undefined]);

    const { id } = await newProject();
    await patch(id, { payoutAddress: newAddress() });
    expect((await shop.call('DELETE', `/api/v2/projects/${id}`)).status).toBe(204);
    await applyAfter(24.1);
    const archived = (await shop.call('GET', `/api/v2/projects/${id}`)).body;
    expect([archived.payoutAddress, archived.pendingChange]).toEqual([null, undefined]);
    expect((await audited()).at(-1)).toContain('project archived');
  });
});

describe('the delay', () => {
  test('longer at once; shorter only after the old delay, and owners get an e-mail', async () => {
    expect((await setDelay(48)).body).toMatchObject({ payoutChangeDelayHours: 48, pendingDelayChange: null });
    const { body } = await setDelay(0);
    expect(body).toMatchObject({
      payoutChangeDelayHours: 48,
      pendingDelayChange: { kind: 'delay', payoutChangeDelayHours: 0 },
      pendingChange: null,
    });
    expect((await emails()).at(-1)!.subject).toBe(
      'Shop: The delay for payout address changes is about to get shorter',
    );
    expect((await set(newAddress())).body.pendingChange).not.toBeNull();
    await applyAfter(47.9);
    expect((await read()).payoutChangeDelayHours).toBe(48);
    await applyAfter(48.1);
    const next = newAddress();
    expect((await set(next)).body).toMatchObject({ payoutAddress: next, payoutChangeDelayHours: 0 });
  });

  test('a longer one ends the shorter one that waits; an address set at once ends the one that waits', async () => {
    await setDelay(1);
    expect((await setDelay(25)).body).toMatchObject({ payoutChangeDelayHours: 25, pendingDelayChange: null });
    await set(newAddress());
    await service.db.query('update merchants set payout_change_delay_hours = 0 where id = $1', [shop.id]);
    const next = newAddress();
    expect((await set(next)).body).toMatchObject({ payoutAddress: next, pendingChange: null });
  });

  test.each([-1, 169, 1.5, '24', null])('400 for %s', async (hours) => {
    expect(codeOf(await setDelay(hours as number))).toEqual([400, 'BAD_REQUEST']);
  });

  test('is a day on mainnet and nothing elsewhere, until the merchant sets it', async () => {
    const { db, secrets, clock } = service;
    const hoursOn = async (environment: 'mainnet' | 'devnet') => {
      const input = { name: 'a', payoutAddress: null, environment, now: clock.now() };
      const { merchant } = await db.transaction((tx) => createMerchant(tx, secrets, input));
      const [row] = await db.query('select payout_change_delay_hours as hours from merchants where id = $1', [
        merchant.id,
      ]);
      return row;
    };
    expect([await hoursOn('mainnet'), await hoursOn('devnet')]).toEqual([{ hours: 24 }, { hours: 0 }]);
  });
});
