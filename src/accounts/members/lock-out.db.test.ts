import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SoftAuthenticator } from '../../../test/support/authenticator.ts';
import {
  ask,
  deviceCookieIn,
  entered,
  newEmail,
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
let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let offsetMs = 0;

beforeAll(async () => {
  const settings = { TRUST_PROXY: 'true', PUBLIC_URL: ORIGIN };
  service = await testService(settings, undefined, undefined, stoppedClock());
  shop = await service.createMerchant();
});

beforeEach(async () => {
  owner = await newOwner(service, shop);
});

function later(ms: number): void {
  offsetMs += ms;
  service.wallClock.setOffsetMs(offsetMs);
}

let networks = 0;
/** A network that has not failed yet. */
const elsewhere = () => {
  networks++;
  return { 'x-forwarded-for': `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}` };
};
const codeOf = ({ status, body }: TestAnswer) => [status, body?.error?.code];
const guess = (email: string, headers: Record<string, string>) =>
  signInAs(service, email, 'wrong password', headers);

/** The browser's device cookie after a sign-in from a network of its own. */
async function knownDevice(member: TestMember): Promise<string> {
  return deviceCookieIn(await signInAs(service, member.email, PASSWORD, elsewhere()))!;
}

describe('a stranger who fails again and again', () => {
  test('200 for the owner from another network, even in a browser that is new', async () => {
    const stranger = elsewhere();
    for (let i = 0; i < 30; i++) await guess(owner.email, stranger);
    expect((await guess(owner.email, stranger)).status).toBe(429);
    expect((await signInAs(service, owner.email, PASSWORD, elsewhere())).status).toBe(200);
  });

  test('200 in a known browser, in the stranger’s own network and while the account is guessed at from everywhere', async () => {
    const device = await knownDevice(owner);
    const stranger = elsewhere();
    for (let i = 0; i < 25; i++) await guess(newEmail(), stranger);
    for (let i = 0; i < 40; i++) await guess(owner.email, elsewhere());
    expect((await signInAs(service, owner.email, PASSWORD, stranger)).status).toBe(429);
    expect((await signInAs(service, owner.email, PASSWORD, elsewhere())).status).toBe(429);
    for (const from of [stranger, elsewhere()]) {
      const headers = { ...from, cookie: device };
      expect((await signInAs(service, owner.email, PASSWORD, headers)).status).toBe(200);
    }
  });

  test('429 from many networks at once: 20 tries, then one at a time, up to a minute apart', async () => {
    for (const email of [owner.email, newEmail()]) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => guess(email, elsewhere())));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
      const waits: number[] = [];
      for (let i = 0; i < 10; i++) {
        const refused = await guess(email, elsewhere());
        expect(codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
        waits.push(Number(refused.headers.get('retry-after')));
        later(waits.at(-1)! * 1_000);
        expect((await guess(email, elsewhere())).status).toBe(401);
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    }
  });

  test('200 with a passkey, whatever failed in the same network', async () => {
    const device = new SoftAuthenticator();
    const { body: options } = await owner.call('POST', '/api/dashboard/passkeys/options');
    const credential = device.create(options, ORIGIN);
    const added = await owner.call('POST', '/api/dashboard/passkeys', { name: 'Phone', credential });
    expect(added.status).toBe(201);
    const network = elsewhere();
    for (let i = 0; i < 25; i++) await guess(newEmail(), network);
    expect((await signInAs(service, owner.email, PASSWORD, network)).status).toBe(429);
    const begin = async () => (await ask(service, '/sign-in/passkey-options', {}, network)).body;
    for (let i = 0; i < 30; i++) {
      const forged = { ...device.get(await begin(), ORIGIN), id: 'bm9ib2R5', rawId: 'bm9ib2R5' };
      expect(codeOf(await ask(service, '/sign-in/passkey', { credential: forged }, network))).toEqual([
        401,
        'SIGN_IN_FAILED',
      ]);
    }
    const proof = { credential: device.get(await begin(), ORIGIN) };
    expect((await ask(service, '/sign-in/passkey', proof, network)).status).toBe(200);
  });

  test('429 in a new browser while many networks guess names the ways that remain, and a reset link is one', async () => {
    const { id, email } = await newMember(service, owner, 'owner');
    for (const address of [email, newEmail()]) {
      for (let i = 0; i < 40; i++) await guess(address, elsewhere());
      const refused = await signInAs(service, address, PASSWORD, elsewhere());
      expect([refused.status, refused.body.error.message]).toEqual([
        429,
        expect.stringMatching(
          /^Too many failed attempts; try again in \d+ seconds\. A passkey, a browser .* and a link from an owner .* still work\.$/,
        ),
      ]);
    }
    const made = await owner.call('POST', `/api/dashboard/members/${id}/reset-link`, {});
    const token = new URL(made.body.url).pathname.split('/').at(-1);
    const entry = await ask(service, '/links/use', { token, password: `${PASSWORD} again` }, elsewhere());
    expect([entry.status, entry.text]).toEqual([200, entry.text]);
  });

  test('200 for a confirmation of a member who is signed in', async () => {
    const network = elsewhere();
    for (let i = 0; i < 25; i++) await guess(newEmail(), network);
    for (let i = 0; i < 40; i++) await guess(owner.email, elsewhere());
    const stepUp = await owner.call('POST', '/api/dashboard/step-up', { password: PASSWORD }, network);
    expect([stepUp.status, stepUp.text]).toEqual([200, stepUp.text]);
  });
});

describe('a known browser', () => {
  test('429 after failures of its own, which slow down nobody else', async () => {
    const device = await knownDevice(owner);
    const other = await knownDevice(owner);
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++)
      statuses.push((await guess(owner.email, { ...elsewhere(), cookie: device })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await signInAs(service, owner.email, PASSWORD, { ...elsewhere(), cookie: device })).status).toBe(
      429,
    );
    expect((await signInAs(service, owner.email, PASSWORD, { ...elsewhere(), cookie: other })).status).toBe(
      200,
    );
    expect((await signInAs(service, owner.email, PASSWORD, elsewhere())).status).toBe(200);
    later(10_000);
    expect((await signInAs(service, owner.email, PASSWORD, { ...elsewhere(), cookie: device })).status).toBe(
      200,
    );
  });

  test('is known to those who signed in with it alone: not for another account, nor an invented cookie', async () => {
    const developer = await newMember(service, owner, 'developer');
    const theirs = await knownDevice(developer);
    for (let i = 0; i < 40; i++) await guess(owner.email, elsewhere());
    for (const cookie of [theirs, 'florin_device=device_invented']) {
      expect((await signInAs(service, owner.email, PASSWORD, { ...elsewhere(), cookie })).status).toBe(429);
    }
  });

  test('keeps its cookie at the next sign-in; a second member who signs in with it leaves it known to both', async () => {
    const developer = await newMember(service, owner, 'developer');
    const first = await knownDevice(owner);
    const again = await signInAs(service, owner.email, PASSWORD, { ...elsewhere(), cookie: first });
    expect(deviceCookieIn(again)).toBe(first);
    const shared = deviceCookieIn(
      await signInAs(service, developer.email, PASSWORD, { ...elsewhere(), cookie: first }),
    )!;
    expect(shared).not.toBe(first);
    for (const { email } of [owner, developer]) {
      for (let i = 0; i < 40; i++) await guess(email, elsewhere());
      const headers = { ...elsewhere(), cookie: shared };
      expect((await signInAs(service, email, PASSWORD, headers)).status).toBe(200);
    }
  });

  test('is a stranger again once the way in was renewed by a link, and 400 days after it was last used', async () => {
    const device = await knownDevice(owner);
    const token = await newSetupToken(service, shop.id);
    entered(service, await ask(service, '/links/use', { token, email: owner.email, password: PASSWORD }));
    const known = await knownDevice(owner);
    for (let i = 0; i < 40; i++) await guess(owner.email, elsewhere());
    const tryWith = (cookie: string) => signInAs(service, owner.email, PASSWORD, { ...elsewhere(), cookie });
    expect([(await tryWith(device)).status, (await tryWith(known)).status]).toEqual([429, 200]);
    later(400 * 86_400_000);
    for (let i = 0; i < 40; i++) await guess(owner.email, elsewhere());
    expect((await tryWith(known)).status).toBe(429);
  });

  test('its cookie is out of reach of scripts and of the database’s readers', async () => {
    const answer = await signInAs(service, owner.email, PASSWORD, elsewhere());
    const header = answer.headers.getSetCookie().find((text) => text.startsWith('florin_device='))!;
    expect(header).toMatch(
      /^florin_device=device_00\w{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    );
    const stored = JSON.stringify(await service.db.query('select d::text from known_devices d'));
    expect(stored).not.toContain(deviceCookieIn(answer)!.split('=')[1]);
    expect(JSON.stringify(service.log)).not.toContain('device_');
  });
});

describe('confirming', () => {
  test('429 after failures in the same session, which do not slow down a sign-in', async () => {
    const confirm = (password: string) => owner.call('POST', '/api/dashboard/step-up', { password });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await confirm('wrong password')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await confirm(PASSWORD)).status).toBe(429);
    expect((await signInAs(service, owner.email, PASSWORD, elsewhere())).status).toBe(200);
    later(10_000);
    expect((await confirm(PASSWORD)).status).toBe(200);
  });
});
