import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ask,
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
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { hashPassword, isOutdated } from './password.ts';

let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let offsetMs = 0;

beforeAll(async () => {
  service = await testService({ TRUST_PROXY: 'true' }, undefined, undefined, stoppedClock());
  shop = await service.createMerchant();
});

/** Real time moves on, for everybody in this file; it never goes back. */
function later(ms: number): void {
  offsetMs += ms;
  service.wallClock.setOffsetMs(offsetMs);
}

const HOUR = 3_600_000;
let house = 0;
/** An address nobody has failed from yet. */
const fresh = () => ({ 'x-forwarded-for': `192.0.2.${++house % 250}` });

beforeEach(async () => {
  owner = await newOwner(service, shop);
});

describe('a setup link', () => {
  test('200 once: makes the owner and signs them in; then 410, and 404 for one that never was', async () => {
    const token = await newSetupToken(service, shop.id);
    const email = `Ada.${newEmail()}`;
    const opened = await ask(service, '/links/open', { token });
    expect(opened.body).toMatchObject({ kind: 'setup', merchantName: 'Shop', email: null, role: 'owner' });
    const body = { token, email, name: 'Ada', password: PASSWORD };
    const answers = await Promise.all([1, 2, 3].map(() => ask(service, '/links/use', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    const ada = entered(service, answers.find(({ status }) => status === 200)!);
    expect(ada.email).toBe(email.toLowerCase());
    const session = await ada.call('GET', '/api/dashboard/session');
    expect(session.body).toMatchObject({
      member: { id: ada.id, name: 'Ada', role: 'owner', isActive: true, hasPassword: true },
      merchant: { id: shop.id, name: 'Shop', brandColor: null, verificationStatus: 2, timeZone: 'UTC' },
      environment: 'devnet',
      network: 'sandbox',
      csrfToken: ada.csrfToken,
      passkeysAvailable: false,
    });
    expect((await ask(service, '/links/open', { token })).body.error.code).toBe('MEMBER_LINK_EXPIRED');
    const unknown = await ask(service, '/links/use', { ...body, token: `join_${'0'.repeat(43)}` });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('410 after 24 hours; 404 when a fresh one has replaced it', async () => {
    const body = { email: newEmail(), name: 'Ada', password: PASSWORD };
    const old = await newSetupToken(service, shop.id);
    const token = await newSetupToken(service, shop.id);
    expect((await ask(service, '/links/use', { ...body, token: old })).status).toBe(404);
    later(24 * HOUR);
    expect((await ask(service, '/links/use', { ...body, token })).status).toBe(410);
  });

  test('400 without e-mail or name, and for a password that is short or plain; the link stays good', async () => {
    const token = await newSetupToken(service, shop.id);
    const body = { token, email: newEmail(), name: 'Ada', password: PASSWORD };
    for (const [field, wrong] of [
      ['email', undefined],
      ['email', 'nobody'],
      ['name', undefined],
      ['password', 'eleven char'],
      ['password', 'x'.repeat(257)],
      ['password', 'aaaaaaaaaaaaaaaa'],
      ['password', body.email],
    ] as const) {
      const answer = await ask(service, '/links/use', { ...body, [field]: wrong });
      expect([field, wrong, answer.status, answer.body.error?.message?.split(' ')[0]]).toEqual([
        field,
        wrong,
        400,
        field,
      ]);
    }
    expect((await ask(service, '/links/use', body)).status).toBe(200);
  });

  test('lets an owner back in who lost everything: new password, no passkeys, no other sessions', async () => {
    const token = await newSetupToken(service, shop.id);
    const password = 'another long password';
    const back = await ask(service, '/links/use', { token, email: owner.email.toUpperCase(), password });
    const again = entered(service, back);
    expect(again.id).toBe(owner.id);
    expect((await owner.call('GET', '/api/dashboard/session')).status).toBe(401);
    expect((await signInAs(service, owner.email, PASSWORD, fresh())).status).toBe(401);
    expect((await signInAs(service, owner.email, password, fresh())).status).toBe(200);
  });
});

describe('POST /api/dashboard/sign-in', () => {
  test('200 whatever the case of the e-mail address; the cookie is what the database does not know', async () => {
    const answer = await signInAs(service, owner.email.toUpperCase());
    const again = entered(service, answer);
    expect(again.id).toBe(owner.id);
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^florin_dashboard=session_00\w{65}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    );
    const stored = JSON.stringify(await service.db.query('select s::text from dashboard_sessions s'));
    expect(stored).not.toContain(again.cookie.split('=')[1]);
    expect(JSON.stringify(service.log)).not.toContain('session_');
    const [row] = await service.db.query('select password_hash from members where id = $1', [owner.id]);
    expect(row).toEqual({ passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) });
  });

  test('a cookie over https is __Host- and Secure', async () => {
    const safe = await testService({ PUBLIC_URL: 'https://pay.example.com' });
    const merchant = await safe.createMerchant();
    const ada = await newOwner(safe, merchant);
    expect(ada.cookie).toMatch(/^__Host-florin_dashboard=session_/);
    const answer = await signInAs(safe, ada.email);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-florin_dashboard=.*; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-florin_device=.*; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  test('401, the same bytes, for an unknown address, a wrong password and a disabled member', async () => {
    const viewer = await newMember(service, owner, 'viewer');
    await owner.call('PATCH', `/api/dashboard/members/${viewer.id}`, { isActive: false });
    const answers = [
      await signInAs(service, newEmail(), PASSWORD, fresh()),
      await signInAs(service, owner.email, 'wrong password', fresh()),
      await signInAs(service, viewer.email, PASSWORD, fresh()),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error.code]).toEqual([401, 'SIGN_IN_FAILED']);
      expect(body.error.message).toBe(answers[0]!.body.error.message);
    }
  });

  test('403 from another site, before anything is looked at', async () => {
    const answer = await signInAs(service, owner.email, PASSWORD, { origin: 'https://evil.example' });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect((await signInAs(service, owner.email, PASSWORD, { origin: 'http://127.0.0.1' })).status).toBe(200);
  });

  test('a cookie that was planted before becomes nobody’s: signing in always gives a new one', async () => {
    const planted = `florin_dashboard=session_${'a'.repeat(65)}`;
    const first = entered(service, await signInAs(service, owner.email, PASSWORD, { cookie: planted }));
    expect(first.cookie).not.toBe(planted);
    const before = first.cookie;
    const second = entered(service, await signInAs(service, owner.email, PASSWORD, { cookie: before }));
    expect(second.cookie).not.toBe(before);
    for (const cookie of [planted, before]) {
      const url = `${service.url}/api/dashboard/session`;
      expect((await call(url, 'GET', undefined, { cookie })).status).toBe(401);
    }
  });

  test('a password that was hashed at a lower cost is rehashed when it is used', async () => {
    const weak = await hashPassword(PASSWORD, { cost: { memory: 1_024, passes: 1, parallelism: 1 } });
    await service.db.query('update members set password_hash = $2 where id = $1', [owner.id, weak]);
    expect((await signInAs(service, owner.email, 'wrong password', fresh())).status).toBe(401);
    const stored = async () =>
      (
        await service.db.query<{ hash: string }>('select password_hash as hash from members where id = $1', [
          owner.id,
        ])
      )[0]!.hash;
    expect(await stored()).toBe(weak);
    expect((await signInAs(service, owner.email, PASSWORD, fresh())).status).toBe(200);
    expect([isOutdated(weak), isOutdated(await stored())]).toEqual([true, false]);
    expect((await signInAs(service, owner.email, PASSWORD, fresh())).status).toBe(200);
  });
});

describe('guessing', () => {
  const guess = (email: string, headers: Record<string, string>) =>
    signInAs(service, email, 'wrong password', headers);

  test('429 with a wait that doubles up to 15 minutes, for an account that is there and one that is not', async () => {
    for (const email of [owner.email, newEmail()]) {
      const network = fresh();
      const waits: number[] = [];
      for (let i = 0; i < 17; i++) {
        const answer = await guess(email, network);
        if (i < 5) expect([i, answer.status]).toEqual([i, 401]);
        const next = await guess(email, network);
        if (next.status !== 429) continue;
        expect(next.body.error.code).toBe('RATE_LIMITED');
        waits.push(Number(next.headers.get('retry-after')));
        later(waits.at(-1)! * 1_000);
      }
      expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8]);
      expect(Math.max(...waits)).toBe(900);
    }
  });

  test('a right password waits like a wrong one, and clears the account for this network', async () => {
    const network = fresh();
    for (let i = 0; i < 6; i++) await guess(owner.email, network);
    expect((await signInAs(service, owner.email, PASSWORD, network)).status).toBe(429);
    later(10_000);
    expect((await signInAs(service, owner.email, PASSWORD, network)).status).toBe(200);
    for (let i = 0; i < 4; i++) expect((await guess(owner.email, network)).status).toBe(401);
  });

  test('many at once are no way around it', async () => {
    const network = fresh();
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(owner.email, network)));
    const tried = answers.filter(({ status }) => status === 401);
    expect(tried).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25);
  });

  test('429 for an address that tries many accounts; others go on', async () => {
    const address = { 'x-forwarded-for': '198.51.100.7' };
    const statuses: number[] = [];
    for (let i = 0; i < 25; i++) statuses.push((await guess(newEmail(), address)).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toContain(429);
    expect((await signInAs(service, owner.email, PASSWORD, address)).status).toBe(429);
    expect((await signInAs(service, owner.email, PASSWORD, fresh())).status).toBe(200);
  });

  test('an hour without a failed attempt resets the count', async () => {
    const network = fresh();
    for (let i = 0; i < 6; i++) await guess(owner.email, network);
    later(HOUR + 60_000);
    for (let i = 0; i < 4; i++) expect((await guess(owner.email, network)).status).toBe(401);
  });
});

describe('a session', () => {
  const status = async (member: TestMember) => (await member.call('GET', '/api/dashboard/session')).status;

  test('ends after 12 hours without a call, and after 14 days in any case', async () => {
    const idle = entered(service, await signInAs(service, owner.email));
    later(11 * HOUR);
    expect(await status(owner)).toBe(200);
    later(2 * HOUR);
    expect([await status(owner), await status(idle)]).toEqual([200, 401]);
    for (let hours = 13; hours < 14 * 24; hours += 11) {
      expect([hours, await status(owner)]).toEqual([hours, 200]);
      later(11 * HOUR);
    }
    expect(await status(owner)).toBe(401);
  });

  test('moving the sandbox’s clock by a month signs nobody out', async () => {
    const moved = await owner.call('POST', '/api/v2/sandbox/clock', { advanceSeconds: 30 * 86_400 });
    expect(moved.status).toBe(200);
    expect(await status(owner)).toBe(200);
  });

  test('signing out ends this one, signing out everywhere all of them', async () => {
    const second = entered(service, await signInAs(service, owner.email));
    const third = entered(service, await signInAs(service, owner.email));
    const out = await third.call('POST', '/api/dashboard/sign-out');
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      'florin_dashboard=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect([await status(owner), await status(second)]).toEqual([200, 200]);
    const stranger = await newOwner(service, shop);
    const everywhere = await second.call('POST', '/api/dashboard/sign-out-everywhere');
    expect(everywhere.status).toBe(204);
    second.cookie = 'florin_dashboard=none';
    expect([await status(owner), await status(second), await status(stranger)]).toEqual([401, 401, 200]);
  });

  test('one’s own are listed, and each can be ended; nobody else’s', async () => {
    const second = entered(
      service,
      await signInAs(service, owner.email, PASSWORD, { 'user-agent': 'Phone' }),
    );
    const { body } = await owner.call('GET', '/api/dashboard/sessions');
    expect(body).toHaveLength(2);
    const phone = body.find((session: { userAgent: string }) => session.userAgent === 'Phone');
    expect(phone).toMatchObject({ isCurrent: false, method: 'password' });
    expect(body.find((session: { isCurrent: boolean }) => session.isCurrent)).toMatchObject({
      method: 'link',
    });
    const stranger = await newMember(service, owner, 'developer');
    const path = `/api/dashboard/sessions/${phone.id}`;
    expect((await stranger.call('DELETE', path)).status).toBe(404);
    expect(await status(second)).toBe(200);
    expect((await owner.call('DELETE', path)).status).toBe(204);
    expect(await status(second)).toBe(401);
    expect((await owner.call('DELETE', path)).status).toBe(404);
  });

  test('its calls count against a limit of its own, like a key’s', async () => {
    const limited = await testService({ RATE_LIMIT_KEY_PER_SECOND: '1', RATE_LIMIT_KEY_BURST: '5' });
    const merchant = await limited.createMerchant();
    const ada = await newOwner(limited, merchant);
    const bob = await newOwner(limited, merchant);
    const answers = [];
    for (let i = 0; i < 20; i++) answers.push((await ada.call('GET', '/api/b2b/merchants/me')).status);
    expect(answers).toContain(429);
    expect((await bob.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
  });
});
