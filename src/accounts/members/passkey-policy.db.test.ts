import { beforeAll, beforeEach, expect, test } from 'vitest';
import { SoftAuthenticator } from '../../../test/support/authenticator.ts';
import {
  ask,
  entered,
  newMember,
  newOwner,
  newSetupToken,
  PASSWORD,
  signInAs,
  type TestMember,
} from '../../../test/support/members.ts';
import {
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';

const ORIGIN = 'http://localhost:4020';
const PASSKEYS = '/api/dashboard/passkeys';
const SECURITY = '/api/dashboard/security';
let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let device: SoftAuthenticator;

beforeAll(async () => {
  service = await testService({ PUBLIC_URL: ORIGIN });
});

beforeEach(async () => {
  shop = await service.createMerchant();
  owner = await newOwner(service, shop);
  device = new SoftAuthenticator();
});

const codeOf = ({ status, body }: TestAnswer) => [status, body?.error?.code];
const requireThem = (requirePasskeys: boolean, member = owner) =>
  member.call('PATCH', SECURITY, { requirePasskeys });
const isRequired = async () => (await owner.call('GET', SECURITY)).body.requirePasskeys;

async function register(member: TestMember, from = device): Promise<string> {
  const { body: options } = await member.call('POST', `${PASSKEYS}/options`);
  const added = await member.call('POST', PASSKEYS, { credential: from.create(options, ORIGIN) });
  expect(added.status).toBe(201);
  return added.body.id;
}

async function signInByPasskey(): Promise<TestAnswer> {
  const { body: options } = await ask(service, '/sign-in/passkey-options', {});
  return ask(service, '/sign-in/passkey', { credential: device.get(options, ORIGIN) });
}

test('409 for an owner without a passkey of their own; nothing changes', async () => {
  expect(codeOf(await requireThem(true))).toEqual([409, 'INVALID_STATE']);
  expect(await isRequired()).toBe(false);
});

test('403 PASSKEY_REQUIRED for an owner with a passkey who signs in or confirms with the right password; the passkey works', async () => {
  await register(owner);
  expect((await requireThem(true)).body).toEqual({ requirePasskeys: true });
  expect(codeOf(await signInAs(service, owner.email))).toEqual([403, 'PASSKEY_REQUIRED']);
  expect(codeOf(await signInAs(service, owner.email, 'wrong password'))).toEqual([401, 'SIGN_IN_FAILED']);
  const confirmed = await owner.call('POST', '/api/dashboard/step-up', { password: PASSWORD });
  expect(codeOf(confirmed)).toEqual([403, 'PASSKEY_REQUIRED']);
  const again = entered(service, await signInByPasskey());
  expect(again.id).toBe(owner.id);
  expect((await requireThem(false, again)).status).toBe(200);
  expect((await signInAs(service, owner.email)).status).toBe(200);
});

test('200 by password for an owner who has none yet, for other roles, and at other merchants', async () => {
  const other = await newOwner(service, shop);
  const developer = await newMember(service, owner, 'developer');
  await register(developer, new SoftAuthenticator());
  const stranger = await newOwner(service, await service.createMerchant());
  await register(stranger, new SoftAuthenticator());
  await register(owner);
  await requireThem(true);
  for (const { email } of [other, developer, stranger])
    expect((await signInAs(service, email)).status).toBe(200);
});

test('409 for removing the last passkey while it is required', async () => {
  const id = await register(owner);
  await requireThem(true);
  expect(codeOf(await owner.call('DELETE', `${PASSKEYS}/${id}`))).toEqual([409, 'INVALID_STATE']);
  await register(owner);
  expect((await owner.call('DELETE', `${PASSKEYS}/${id}`)).status).toBe(204);
});

test('a setup link of the operator is the way back for an owner who lost the passkey', async () => {
  await register(owner);
  await requireThem(true);
  const token = await newSetupToken(service, shop.id);
  entered(service, await ask(service, '/links/use', { token, email: owner.email, password: PASSWORD }));
  expect((await signInAs(service, owner.email)).status).toBe(200);
});

test('each change is in the audit log once; saying the same again is none', async () => {
  await register(owner);
  for (const value of [false, true, true, false]) expect((await requireThem(value)).status).toBe(200);
  const path = '/api/b2b/merchants/audit-entries?action=merchant.require_passkeys_changed';
  const { body } = await shop.call('GET', path);
  expect(body.data.map(({ actor, detail }: { actor: string; detail: object }) => [actor, detail])).toEqual([
    [`member:${owner.id}`, { from: true, to: false }],
    [`member:${owner.id}`, { from: false, to: true }],
  ]);
});
