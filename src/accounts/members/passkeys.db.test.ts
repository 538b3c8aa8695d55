import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SoftAuthenticator } from '../../../test/support/authenticator.ts';
import {
  ask,
  entered,
  newMember,
  newOwner,
  newSetupToken,
  PASSWORD,
  signInAs,
  stoppedClock,
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
let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let device: SoftAuthenticator;
let offsetMs = 0;

beforeAll(async () => {
  service = await testService({ PUBLIC_URL: ORIGIN }, undefined, undefined, stoppedClock());
  shop = await service.createMerchant();
});

beforeEach(async () => {
  owner = await newOwner(service, shop);
  device = new SoftAuthenticator();
});

function later(ms: number): void {
  offsetMs += ms;
  service.wallClock.setOffsetMs(offsetMs);
}

const codeOf = ({ status, body }: TestAnswer) => [status, body?.error?.code];

async function register(member: TestMember, from = device, name?: string): Promise<TestAnswer> {
  const { body: options } = await member.call('POST', `${PASSKEYS}/options`);
  return member.call('POST', PASSKEYS, { name, credential: from.create(options, ORIGIN) });
}

const begin = async () => (await ask(service, '/sign-in/passkey-options', {})).body;
const finish = (credential: unknown) => ask(service, '/sign-in/passkey', { credential });

describe('registering', () => {
  test('201: named, listed, and then it signs its member in without a name', async () => {
    const { body: options } = await owner.call('POST', `${PASSKEYS}/options`);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: owner.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    const credential = device.create(options, ORIGIN);
    const made = await owner.call('POST', PASSKEYS, { name: 'Laptop', credential });
    expect([made.status, made.body]).toMatchObject([
      201,
      { name: 'Laptop', isSynced: true, lastUsedAt: null },
    ]);
    expect((await owner.call('GET', PASSKEYS)).body).toEqual([made.body]);

    const asked = await begin();
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
    const again = entered(service, await finish(device.get(asked, ORIGIN)));
    expect(again.id).toBe(owner.id);
    const { body: sessions } = await again.call('GET', '/api/dashboard/sessions');
    expect(sessions).toContainEqual(expect.objectContaining({ isCurrent: true, method: 'passkey' }));
    expect((await again.call('GET', PASSKEYS)).body[0].lastUsedAt).not.toBeNull();
  });

  test('the next registration leaves out what is there; the same key twice is 409', async () => {
    await register(owner);
    const { body: options } = await owner.call('POST', `${PASSKEYS}/options`);
    const [known] = device.held;
    expect(options.excludeCredentials).toMatchObject([{ id: known!.id.toString('base64url') }]);
    const credential = device.create(options, ORIGIN);
    expect((await owner.call('POST', PASSKEYS, { credential })).body.name).toBe('Passkey');
    const { body: fresh } = await owner.call('POST', `${PASSKEYS}/options`);
    const clientDataJSON = device.create(fresh, ORIGIN).response.clientDataJSON;
    const copy = { ...credential, response: { ...credential.response, clientDataJSON } };
    expect(codeOf(await owner.call('POST', PASSKEYS, { credential: copy }))).toEqual([409, 'INVALID_STATE']);
  });

  test('400 for another origin, without the person’s consent, for another session’s challenge, and for one used up', async () => {
    const options = async (member = owner) => (await member.call('POST', `${PASSKEYS}/options`)).body;
    const add = (credential: unknown) => owner.call('POST', PASSKEYS, { credential });
    const careless = new SoftAuthenticator();
    careless.verifiesUser = false;
    const elsewhere = entered(service, await signInAs(service, owner.email));
    const used = await options();
    expect((await add(device.create(used, ORIGIN))).status).toBe(201);
    const old = await options();
    for (const credential of [
      device.create(await options(), 'http://localhost.evil.example'),
      careless.create(await options(), ORIGIN),
      device.create({ ...(await options()), rp: { id: 'evil.example' } }, ORIGIN),
      device.create(await options(elsewhere), ORIGIN),
      device.create(
        await begin().then((asked) => ({ ...asked, rp: { id: 'localhost' }, user: { id: '' } })),
        ORIGIN,
      ),
      device.create(used, ORIGIN),
      { ...device.create(await options(), ORIGIN), rawId: 'another' },
      null,
      [],
      'x',
      {},
    ]) {
      expect(codeOf(await add(credential))).toEqual([400, 'BAD_REQUEST']);
    }
    later(5 * 60_000);
    expect(codeOf(await add(device.create(old, ORIGIN)))).toEqual([400, 'BAD_REQUEST']);
    expect((await owner.call('GET', PASSKEYS)).body).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('401 for a challenge used up or too old, another site, a forged signature, an unknown key', async () => {
    await register(owner);
    const used = await begin();
    expect((await finish(device.get(used, ORIGIN))).status).toBe(200);
    const stranger = new SoftAuthenticator();
    stranger.create({ rp: { id: 'localhost' }, user: { id: '' }, challenge: 'x' }, ORIGIN);
    const imposter = new SoftAuthenticator();
    imposter.create({ rp: { id: 'localhost' }, user: { id: '' }, challenge: 'x' }, ORIGIN);
    imposter.held[0]!.id = device.held[0]!.id;
    imposter.held[0]!.userHandle = device.held[0]!.userHandle;
    imposter.held[0]!.counter = 1_000;
    const { body: stepUp } = await owner.call('POST', '/api/dashboard/step-up/passkey-options');
    const careless = Object.assign(new SoftAuthenticator(), { verifiesUser: false });
    careless.held.push({ ...device.held[0]!, counter: 100 });
    const misled = Object.assign(new SoftAuthenticator(), {});
    misled.held.push({
      ...device.held[0]!,
      counter: 100,
      userHandle: Buffer.from('somebody else').toString('base64url'),
    });
    for (const credential of [
      device.get(used, ORIGIN),
      device.get(stepUp, ORIGIN),
      device.get(await begin(), 'http://evil.example'),
      stranger.get(await begin(), ORIGIN),
      imposter.get(await begin(), ORIGIN),
      careless.get(await begin(), ORIGIN),
      misled.get(await begin(), ORIGIN),
    ]) {
      expect(codeOf(await finish(credential))).toEqual([401, 'SIGN_IN_FAILED']);
    }
    const old = await begin();
    later(5 * 60_000);
    expect(codeOf(await finish(device.get(old, ORIGIN)))).toEqual([401, 'SIGN_IN_FAILED']);
    expect((await finish(device.get(await begin(), ORIGIN))).status).toBe(200);
  });

  test('401 when the counter goes back: somebody has a copy; a key that never counts keeps working', async () => {
    await register(owner);
    const copy = new SoftAuthenticator();
    copy.held.push({ ...device.held[0]! });
    expect((await finish(device.get(await begin(), ORIGIN))).status).toBe(200);
    expect((await finish(device.get(await begin(), ORIGIN))).status).toBe(200);
    expect(codeOf(await finish(copy.get(await begin(), ORIGIN)))).toEqual([401, 'SIGN_IN_FAILED']);

    const synced = Object.assign(new SoftAuthenticator(), { counts: false });
    const other = await newOwner(service, shop);
    await register(other, synced);
    for (let i = 0; i < 3; i++) {
      expect(entered(service, await finish(synced.get(await begin(), ORIGIN))).id).toBe(other.id);
    }
  });

  test('401 for a member who is disabled or removed', async () => {
    const developer = await newMember(service, owner, 'developer');
    await register(developer);
    const path = `/api/dashboard/members/${developer.id}`;
    await owner.call('PATCH', path, { isActive: false });
    expect(codeOf(await finish(device.get(await begin(), ORIGIN)))).toEqual([401, 'SIGN_IN_FAILED']);
    await owner.call('PATCH', path, { isActive: true });
    expect((await finish(device.get(await begin(), ORIGIN))).status).toBe(200);
    expect((await owner.call('DELETE', path)).status).toBe(204);
    expect(codeOf(await finish(device.get(await begin(), ORIGIN)))).toEqual([401, 'SIGN_IN_FAILED']);
  });

  test('an account that is being guessed at keeps its passkey', async () => {
    await register(owner);
    for (let i = 0; i < 8; i++) await signInAs(service, owner.email, 'wrong password');
    expect((await signInAs(service, owner.email)).status).toBe(429);
    expect((await finish(device.get(await begin(), ORIGIN))).status).toBe(200);
  });

  test('409 where browsers make no passkeys, and the session says so', async () => {
    for (const [PUBLIC_URL, works] of [
      ['http://127.0.0.1:4020', false],
      ['https://192.0.2.1', false],
      ['http://pay.example.com', false],
      ['https://pay.example.com', true],
    ] as const) {
      const there = await testService({ PUBLIC_URL });
      const ada = await newOwner(there, await there.createMerchant());
      expect((await ada.call('GET', '/api/dashboard/session')).body.passkeysAvailable).toBe(works);
      expect((await ask(there, '/sign-in/passkey-options', {})).status).toBe(works ? 200 : 409);
      expect((await ada.call('POST', `${PASSKEYS}/options`)).status).toBe(works ? 200 : 409);
    }
  });
});

describe('confirming', () => {
  const stepUp = async (member: TestMember, from = device) => {
    const { body: options } = await member.call('POST', '/api/dashboard/step-up/passkey-options');
    return member.call('POST', '/api/dashboard/step-up', { credential: from.get(options, ORIGIN) });
  };

  test('200 with one’s own passkey; 401 with anybody else’s', async () => {
    await register(owner);
    const other = await newOwner(service, shop);
    const theirs = new SoftAuthenticator();
    await register(other, theirs);
    later(10 * 60_000);
    expect((await owner.call('POST', `${PASSKEYS}/options`)).status).toBe(403);
    const { body: options } = await owner.call('POST', '/api/dashboard/step-up/passkey-options');
    expect(options.allowCredentials).toHaveLength(1);
    const foreign = theirs.get({ ...options, allowCredentials: [] }, ORIGIN);
    const refused = await owner.call('POST', '/api/dashboard/step-up', { credential: foreign });
    expect(codeOf(refused)).toEqual([401, 'SIGN_IN_FAILED']);
    expect(refused.body.error.message).toBe('This passkey was not accepted.');
    expect((await stepUp(owner)).body.stepUpUntil).not.toBeNull();
    expect((await owner.call('POST', `${PASSKEYS}/options`)).status).toBe(200);
  });
});

describe('keeping them', () => {
  test('PATCH renames, DELETE removes; both are one’s own alone', async () => {
    const { body: passkey } = await register(owner, device, 'Old phone');
    const path = `${PASSKEYS}/${passkey.id}`;
    const other = await newOwner(service, shop);
    expect((await other.call('PATCH', path, { name: 'x' })).status).toBe(404);
    expect((await other.call('DELETE', path)).status).toBe(404);
    expect((await owner.call('PATCH', path, { name: 'Phone' })).body.name).toBe('Phone');
    expect((await owner.call('DELETE', path)).status).toBe(204);
    expect((await owner.call('DELETE', path)).status).toBe(404);
    expect(codeOf(await finish(device.get(await begin(), ORIGIN)))).toEqual([401, 'SIGN_IN_FAILED']);
  });

  test('409 for the only way in of a member without a password', async () => {
    const { body: first } = await register(owner);
    const { body: second } = await register(owner);
    await service.db.query('update members set password_hash = null where id = $1', [owner.id]);
    expect((await owner.call('DELETE', `${PASSKEYS}/${first.id}`)).status).toBe(204);
    const last = await owner.call('DELETE', `${PASSKEYS}/${second.id}`);
    expect(codeOf(last)).toEqual([409, 'INVALID_STATE']);
    const changed = await owner.call('POST', '/api/dashboard/password', { newPassword: PASSWORD });
    expect(changed.status).toBe(200);
    expect((await owner.call('DELETE', `${PASSKEYS}/${second.id}`)).status).toBe(204);
  });

  test('a setup link that lets an owner back in removes them', async () => {
    await register(owner);
    const token = await newSetupToken(service, shop.id);
    const back = await ask(service, '/links/use', { token, email: owner.email, password: PASSWORD });
    expect((await entered(service, back).call('GET', PASSKEYS)).body).toEqual([]);
    expect(codeOf(await finish(device.get(await begin(), ORIGIN)))).toEqual([401, 'SIGN_IN_FAILED']);
  });
});
