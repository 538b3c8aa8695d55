import { beforeAll, describe, expect, test } from 'vitest';
import {
  entered,
  newMember,
  newOwner,
  PASSWORD,
  signInAs,
  stoppedClock,
  type TestMember,
} from '../../../test/support/members.ts';
import {
  call,
  newAddress,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let offsetMs = 0;

beforeAll(async () => {
  service = await testService({}, undefined, undefined, stoppedClock());
  shop = await service.createMerchant();
});

const MINUTE = 60_000;
function later(ms: number): void {
  offsetMs += ms;
  service.wallClock.setOffsetMs(offsetMs);
}

const codeOf = ({ status, body }: TestAnswer) => [status, body?.error?.code];
const confirm = (member: TestMember, password = PASSWORD) =>
  member.call('POST', '/api/dashboard/step-up', { password });

const propertiesOf = (schema: unknown) => (schema as { properties: object }).properties;

describe('what needs a confirmation', () => {
  /** As it is declared, and shown in src/routes.txt. */
  const guarded = () => service.app.routeDescriptions.filter(({ members }) => members?.stepUp);

  test('is declared, and nothing else may ask for one but where a body names a payout address', () => {
    expect(guarded().length).toBeGreaterThan(50);
    const asking = service.app.routeDescriptions.filter(({ errors }) => errors.includes('STEP_UP_REQUIRED'));
    const sometimes = asking.filter(({ members }) => !members?.stepUp);
    expect(asking.length).toBe(guarded().length + sometimes.length);
    for (const { id, body } of sometimes)
      expect([id, JSON.stringify(Object.keys(propertiesOf(body)))]).toEqual([
        id,
        expect.stringContaining('payoutAddress'),
      ]);
  });

  test('403 STEP_UP_REQUIRED for each, 10 minutes after signing in; a confirmation opens all of them for 10 more', async () => {
    const owner = await newOwner(service, shop);
    const walk = async () => {
      const codes: [string, unknown][] = [];
      for (const { id, method, path } of guarded()) {
        const url = path.replace(/\{\w+\}/g, '019b76da-a800-7000-8000-000000000001');
        codes.push([id, (await owner.call(method, url, '{"?":1}')).body.error.code]);
      }
      expect(codes).toHaveLength(guarded().length);
      return codes;
    };
    const isAsked = ([, code]: [string, unknown]) => code === 'STEP_UP_REQUIRED';
    later(10 * MINUTE - 1);
    expect((await walk()).filter(isAsked)).toEqual([]);
    later(1);
    expect((await walk()).filter((each) => !isAsked(each))).toEqual([]);
    expect((await owner.call('GET', '/api/dashboard/session')).body.stepUpUntil).toBeNull();
    const confirmed = await confirm(owner);
    expect(confirmed.status).toBe(200);
    const until = service.wallClock.now().getTime() + 10 * MINUTE;
    expect(confirmed.body.stepUpUntil).toBe(new Date(until).toISOString());
    expect((await walk()).filter(isAsked)).toEqual([]);
    later(10 * MINUTE);
    expect((await walk()).filter((each) => !isAsked(each))).toEqual([]);
  });

  test('a project’s payout address does, a project’s name does not; a key never does', async () => {
    const owner = await newOwner(service, shop);
    later(10 * MINUTE);
    const address = { payoutAddress: newAddress() };
    const made = await owner.call('POST', '/api/v2/projects', { name: 'a' });
    expect(made.status).toBe(201);
    const path = `/api/v2/projects/${made.body.id}`;
    expect(codeOf(await owner.call('PATCH', path, address))).toEqual([403, 'STEP_UP_REQUIRED']);
    const both = { name: 'b', ...address };
    expect(codeOf(await owner.call('POST', '/api/v2/projects', both))).toEqual([403, 'STEP_UP_REQUIRED']);
    expect((await owner.call('PATCH', path, { name: 'b' })).status).toBe(200);
    expect((await shop.call('PATCH', path, address)).status).toBe(200);
  });

  test('the webhook secret is shown after a confirmation only, and never to a viewer', async () => {
    const owner = await newOwner(service, shop);
    const viewer = await newMember(service, owner, 'viewer');
    const secret = async (member: TestMember) =>
      (await member.call('GET', '/api/b2b/merchants/me')).body.webhookSecret;
    expect([await secret(owner), await secret(viewer)]).toEqual([shop.webhookSecret, null]);
    later(10 * MINUTE);
    expect(await secret(owner)).toBeNull();
    await confirm(owner);
    expect(await secret(owner)).toBe(shop.webhookSecret);
  });
});

describe('POST /api/dashboard/step-up', () => {
  test('gives the session a new cookie; the old one opens nothing, the CSRF token stays', async () => {
    const owner = await newOwner(service, shop);
    const before = owner.cookie;
    const answer = await confirm(owner);
    expect(owner.cookie).not.toBe(before);
    expect(answer.body.csrfToken).toBe(owner.csrfToken);
    const url = `${service.url}/api/dashboard/session`;
    expect((await call(url, 'GET', undefined, { cookie: before })).status).toBe(401);
    expect((await owner.call('GET', '/api/dashboard/session')).status).toBe(200);
    expect((await owner.call('GET', '/api/dashboard/sessions')).body).toHaveLength(1);
  });

  test('401 for a wrong password, which opens nothing; 429 for many in one session', async () => {
    const owner = await newOwner(service, shop);
    later(10 * MINUTE);
    for (let i = 0; i < 5; i++) {
      const wrong = await confirm(owner, 'wrong');
      expect([...codeOf(wrong), wrong.body.error.message]).toEqual([
        401,
        'SIGN_IN_FAILED',
        'Wrong password.',
      ]);
    }
    const refused = await confirm(owner);
    expect([...codeOf(refused), refused.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1']);
    expect((await owner.call('GET', '/api/dashboard/session')).body.stepUpUntil).toBeNull();
    later(1_000);
    expect((await confirm(owner)).status).toBe(200);
  });

  test('400 with neither password nor passkey, or with both', async () => {
    const owner = await newOwner(service, shop);
    for (const body of [
      {},
      { password: PASSWORD, credential: {} },
      { credential: null },
      { credential: {} },
    ]) {
      const answer = await owner.call('POST', '/api/dashboard/step-up', body);
      expect([body, ...codeOf(answer)]).toEqual([body, 400, 'BAD_REQUEST']);
    }
  });
});

describe('POST /api/dashboard/password', () => {
  const change = (member: TestMember, newPassword: string) =>
    member.call('POST', '/api/dashboard/password', { newPassword });

  test('200: the old password opens nothing, the other sessions end, this one continues', async () => {
    const owner = await newOwner(service, shop);
    const elsewhere = entered(service, await signInAs(service, owner.email));
    const before = owner.cookie;
    expect((await change(owner, 'a quite new password')).status).toBe(200);
    expect(owner.cookie).not.toBe(before);
    expect((await owner.call('GET', '/api/dashboard/session')).status).toBe(200);
    expect((await elsewhere.call('GET', '/api/dashboard/session')).status).toBe(401);
    expect((await signInAs(service, owner.email)).status).toBe(401);
    expect((await signInAs(service, owner.email, 'a quite new password')).status).toBe(200);
  });

  test('400 for one that is too short, or the e-mail address', async () => {
    const owner = await newOwner(service, shop);
    for (const password of ['short', owner.email.toUpperCase(), '1212121212121212']) {
      const answer = await change(owner, password);
      expect([password, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([
        password,
        400,
        'newPassword',
      ]);
    }
  });
});

test('PATCH /api/dashboard/me: 200 with the new name, in the audit log too', async () => {
  const owner = await newOwner(service, shop);
  const answer = await owner.call('PATCH', '/api/dashboard/me', { name: 'Olivia' });
  expect([answer.status, answer.body.name]).toEqual([200, 'Olivia']);
  const log = await owner.call('GET', '/api/b2b/merchants/audit-entries?action=member.renamed&limit=1');
  expect(log.body.data[0]).toMatchObject({
    actor: `member:${owner.id}`,
    actorName: 'Olivia',
    targetId: owner.id,
    detail: { from: 'Olive', to: 'Olivia' },
  });
});
