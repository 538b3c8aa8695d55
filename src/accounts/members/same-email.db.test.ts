import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ask,
  entered,
  newEmail,
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

let service: TestService;
let shopA: TestMerchant;
let shopB: TestMerchant;
let ownerA: TestMember;
let ownerB: TestMember;

beforeAll(async () => {
  service = await testService();
});

beforeEach(async () => {
  [shopA, shopB] = [await service.createMerchant(), await service.createMerchant()];
  [ownerA, ownerB] = [await newOwner(service, shopA), await newOwner(service, shopB)];
});

const THEIRS = 'a password of merchant A';
const invite = (owner: TestMember, email: string, role = 'viewer') =>
  owner.call('POST', '/api/dashboard/invitations', { email, role });
const tokenOf = ({ body }: TestAnswer) => body.url.split('/').pop();
const join = (token: string, password = PASSWORD, rest = {}) =>
  ask(service, '/links/use', { token, name: 'Vic', password, ...rest });
const merchantOf = async (member: TestMember) =>
  (await member.call('GET', '/api/dashboard/session')).body.merchant.id;

describe('an e-mail address that one merchant has used', () => {
  test('201 and 200 at another: by invitation, and by a setup link', async () => {
    const victim = newEmail();
    entered(service, await join(tokenOf(await invite(ownerA, victim)), THEIRS));
    expect((await invite(ownerB, victim)).status).toBe(201);
    entered(service, await join(tokenOf(await invite(ownerB, victim, 'developer'))));
    const other = await service.createMerchant();
    const setup = await newSetupToken(service, other.id);
    const first = entered(service, await join(setup, PASSWORD, { email: victim.toUpperCase() }));
    expect(await merchantOf(first)).toBe(other.id);
  });

  test('one person can have open invitations from several merchants', async () => {
    const email = newEmail();
    const [fromA, fromB] = [await invite(ownerA, email), await invite(ownerB, email)];
    const inB = entered(service, await join(tokenOf(fromB)));
    const inA = entered(service, await join(tokenOf(fromA), THEIRS));
    expect([await merchantOf(inA), await merchantOf(inB)]).toEqual([shopA.id, shopB.id]);
  });

  test('each has its own password, and opens its own merchant alone', async () => {
    const victim = newEmail();
    const real = entered(service, await join(tokenOf(await invite(ownerB, victim))));
    const squatted = entered(service, await join(tokenOf(await invite(ownerA, victim)), THEIRS));
    const byTheirs = entered(service, await signInAs(service, victim, THEIRS));
    const byReal = entered(service, await signInAs(service, victim, PASSWORD));
    expect([await merchantOf(byTheirs), await merchantOf(byReal)]).toEqual([shopA.id, shopB.id]);
    expect([byTheirs.id, byReal.id]).toEqual([squatted.id, real.id]);
    const elsewhere = { email: victim, password: THEIRS, merchantId: shopB.id };
    expect((await ask(service, '/sign-in', elsewhere)).status).toBe(401);
  });

  test('what merchant A does to its own member leaves merchant B’s alone: reset, new password, sessions, removal', async () => {
    const victim = newEmail();
    const real = entered(service, await join(tokenOf(await invite(ownerB, victim))));
    const squatted = entered(service, await join(tokenOf(await invite(ownerA, victim)), THEIRS));
    const reset = await ownerA.call('POST', `/api/dashboard/members/${squatted.id}/reset-link`);
    expect(reset.status).toBe(201);
    entered(service, await ask(service, '/links/use', { token: tokenOf(reset), password: `${THEIRS} 2` }));
    for (const path of [
      `/api/dashboard/members/${real.id}/reset-link`,
      '/api/dashboard/sign-out-everywhere',
    ]) {
      const answer = await ownerA.call('POST', path);
      expect([404, 204]).toContain(answer.status);
    }
    expect(await merchantOf(real)).toBe(shopB.id);
    expect(await merchantOf(entered(service, await signInAs(service, victim, PASSWORD)))).toBe(shopB.id);
    const again = entered(service, await signInAs(service, victim, `${THEIRS} 2`));
    expect((await again.call('GET', '/api/dashboard/sessions')).body).toHaveLength(2);
    ownerA = entered(service, await signInAs(service, ownerA.email));
    expect((await ownerA.call('DELETE', `/api/dashboard/members/${squatted.id}`)).status).toBe(204);
    expect((await signInAs(service, victim, `${THEIRS} 2`)).status).toBe(401);
    expect((await signInAs(service, victim, PASSWORD)).status).toBe(200);
  });

  test('the same password at both: the merchant signed in to last, or the one that is named', async () => {
    const email = newEmail();
    entered(service, await join(tokenOf(await invite(ownerA, email))));
    entered(service, await join(tokenOf(await invite(ownerB, email))));
    const into = async (merchantId?: string) =>
      merchantOf(entered(service, await ask(service, '/sign-in', { email, password: PASSWORD, merchantId })));
    expect(await into(shopA.id.toUpperCase())).toBe(shopA.id);
    expect(await into()).toBe(shopA.id);
    expect(await into(shopB.id)).toBe(shopB.id);
    expect(await into()).toBe(shopB.id);
    expect((await ask(service, '/sign-in', { email, password: PASSWORD, merchantId: 'x' })).status).toBe(400);
  });

  test('members with one address share a salt, so that checking a password takes as long as for one', async () => {
    const email = newEmail();
    const inA = entered(service, await join(tokenOf(await invite(ownerA, email)), THEIRS));
    entered(service, await join(tokenOf(await invite(ownerB, email))));
    const salts = async () => {
      const rows = await service.db.query<{ hash: string }>(
        'select password_hash as hash from members where email = $1',
        [email],
      );
      return rows.map(({ hash }) => hash.split('$')[4]);
    };
    const [one, other] = await salts();
    expect(one).toBe(other);
    const changed = await inA.call('POST', '/api/dashboard/password', { newPassword: `${THEIRS} 3` });
    expect(changed.status).toBe(200);
    expect(await salts()).toEqual([one, one]);
  });
});
