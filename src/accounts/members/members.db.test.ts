import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startMailServer } from '../../../test/support/mail.ts';
import {
  ask,
  entered,
  newEmail,
  newMember,
  newOwner,
  PASSWORD,
  signInAs,
  stoppedClock,
  type TestMember,
} from '../../../test/support/members.ts';
import {
  newAddress,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { createMailer } from '../../email/mailer.ts';
import { sendDueEmails } from '../../email/send-due-emails.ts';
import { checkInvariants } from '../../platform/db/invariant.ts';
import { createLog } from '../../platform/lib/log.ts';
import { memberInvariants } from './invariants.ts';
import { pruneSignIns } from './prune-sign-ins.ts';

let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let offsetMs = 0;

beforeAll(async () => {
  service = await testService({}, undefined, undefined, stoppedClock());
});

beforeEach(async () => {
  shop = await service.createMerchant();
  owner = await newOwner(service, shop);
});

const HOUR = 3_600_000;
function later(ms: number): void {
  offsetMs += ms;
  service.wallClock.setOffsetMs(offsetMs);
}

const codeOf = ({ status, body }: TestAnswer) => [status, body?.error?.code];
const pathOf = ({ id }: { id: string }) => `/api/dashboard/members/${id}`;
const invite = (body: object) => owner.call('POST', '/api/dashboard/invitations', body);
const tokenOf = (answer: TestAnswer) => answer.body.url.split('/').pop();
const join = (token: string, body: object = {}) =>
  ask(service, '/links/use', { token, name: 'New', password: PASSWORD, ...body });
const status = async (member: TestMember) => (await member.call('GET', '/api/dashboard/session')).status;

describe('invitations', () => {
  test('201 with a link that works once, within 72 hours; listed until it is taken up', async () => {
    const email = newEmail();
    const invited = await invite({ email: email.toUpperCase(), role: 'developer' });
    expect([invited.status, invited.body]).toMatchObject([
      201,
      { email, role: 'developer', isMailed: false },
    ]);
    expect(invited.body.url).toMatch(/^http:\/\/127\.0\.0\.1\/dashboard\/join\/join_00\w{43}$/);
    const listed = await owner.call('GET', '/api/dashboard/invitations');
    expect(listed.body).toMatchObject([{ id: invited.body.id, email, role: 'developer' }]);
    expect(listed.text).not.toContain('join_');
    const dump = JSON.stringify(await service.db.query('select l::text from member_links l'));
    expect(dump).not.toContain(tokenOf(invited));
    expect((await ask(service, '/links/open', { token: tokenOf(invited) })).body).toMatchObject({
      kind: 'invitation',
      email,
      role: 'developer',
    });
    later(72 * HOUR - 1);
    const joined = entered(service, await join(tokenOf(invited)));
    expect((await joined.call('GET', '/api/dashboard/session')).body.member).toMatchObject({
      email,
      role: 'developer',
    });
    expect((await join(tokenOf(invited))).status).toBe(410);
    expect((await joined.call('GET', '/api/dashboard/invitations')).body).toEqual([]);
  });

  test('410 after 72 hours, 404 when withdrawn or replaced, 400 for another address than the invited', async () => {
    const email = newEmail();
    const first = await invite({ email, role: 'viewer' });
    const second = await invite({ email, role: 'owner' });
    expect((await join(tokenOf(first))).status).toBe(404);
    expect((await join(tokenOf(second), { email: newEmail() })).status).toBe(400);
    const path = `/api/dashboard/invitations/${second.body.id}`;
    expect((await owner.call('DELETE', path)).status).toBe(204);
    expect((await owner.call('DELETE', path)).status).toBe(404);
    expect((await join(tokenOf(second))).status).toBe(404);
    const third = await invite({ email, role: 'viewer' });
    later(72 * HOUR);
    expect((await join(tokenOf(third))).status).toBe(410);
    owner = entered(service, await signInAs(service, owner.email));
    expect((await owner.call('GET', '/api/dashboard/invitations')).body).toEqual([]);
  });

  test('409 for a member of one’s own; that another merchant has one with this address makes no difference', async () => {
    expect(codeOf(await invite({ email: owner.email, role: 'viewer' }))).toEqual([409, 'MEMBER_EXISTS']);
    const stranger = await newOwner(service, await service.createMerchant());
    const invited = await invite({ email: stranger.email, role: 'viewer' });
    expect(invited.status).toBe(201);
    expect((await join(tokenOf(invited), { name: 'Both' })).status).toBe(200);
    expect(await status(stranger)).toBe(200);
  });

  test('400 for what is no address or no role', async () => {
    for (const body of [{}, { email: 'x', role: 'viewer' }, { email: newEmail(), role: 'admin' }]) {
      expect((await invite(body)).status).toBe(400);
    }
  });
});

describe('members', () => {
  test('200: listed for everybody; a role changes, once in the audit log', async () => {
    const developer = await newMember(service, owner, 'developer');
    const viewer = await newMember(service, owner, 'viewer');
    const { body } = await viewer.call('GET', '/api/dashboard/members');
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual(
      [owner.id, developer.id, viewer.id].sort(),
    );
    for (const role of ['owner', 'owner']) {
      const changed = await owner.call('PATCH', pathOf(viewer), { role });
      expect([changed.status, changed.body.role]).toEqual([200, 'owner']);
    }
    const log = await owner.call('GET', '/api/b2b/merchants/audit-entries?action=member.changed');
    expect(log.body.data).toMatchObject([
      {
        actor: `member:${owner.id}`,
        actorName: 'Olive',
        targetId: viewer.id,
        detail: { before: { role: 'viewer' }, after: { role: 'owner' } },
      },
    ]);
  });

  test('isActive false ends every session at once, and true lets them in again', async () => {
    const viewer = await newMember(service, owner, 'viewer');
    const elsewhere = entered(service, await signInAs(service, viewer.email));
    expect((await owner.call('PATCH', pathOf(viewer), { isActive: false })).body.isActive).toBe(false);
    expect([await status(viewer), await status(elsewhere)]).toEqual([401, 401]);
    expect((await signInAs(service, viewer.email)).status).toBe(401);
    expect((await owner.call('PATCH', pathOf(viewer), { isActive: true })).body.isActive).toBe(true);
    expect(await status(viewer)).toBe(401);
    expect((await signInAs(service, viewer.email)).status).toBe(200);
  });

  test('DELETE: every way in is gone, the address is free, the audit log still knows the name', async () => {
    const viewer = await newMember(service, owner, 'viewer');
    const reset = await owner.call('POST', `${pathOf(viewer)}/reset-link`);
    expect((await owner.call('DELETE', pathOf(viewer))).status).toBe(204);
    expect(await status(viewer)).toBe(401);
    expect((await signInAs(service, viewer.email)).status).toBe(401);
    expect((await ask(service, '/links/use', { token: tokenOf(reset), password: PASSWORD })).status).toBe(
      404,
    );
    expect((await owner.call('DELETE', pathOf(viewer))).status).toBe(404);
    const log = await owner.call('GET', `/api/b2b/merchants/audit-entries?actor=member:${viewer.id}`);
    expect(log.body.data[0].actorName).toBe('A viewer');
    const again = await invite({ email: viewer.email, role: 'viewer' });
    expect(entered(service, await join(tokenOf(again))).id).not.toBe(viewer.id);
  });

  test('409 LAST_OWNER for whatever would leave nobody; of two owners who end each other one stays', async () => {
    const path = pathOf(owner);
    for (const answer of [
      await owner.call('DELETE', path),
      await owner.call('PATCH', path, { role: 'developer' }),
      await owner.call('PATCH', path, { isActive: false }),
    ]) {
      expect(codeOf(answer)).toEqual([409, 'LAST_OWNER']);
    }
    for (let i = 0; i < 3; i++) {
      const second = await newMember(service, owner, 'owner');
      const [a, b] = await Promise.all([
        owner.call('DELETE', pathOf(second)),
        second.call('DELETE', pathOf(owner)),
      ]);
      expect([a.status, b.status]).toContain(204);
      owner = a.status === 204 ? owner : second;
      expect((await owner.call('GET', '/api/dashboard/members')).body).toHaveLength(1);
    }
    const results = await checkInvariants(service.db, memberInvariants);
    expect(results.map(({ violations }) => violations)).toEqual([[]]);
    await service.db.query(`update members set role = 'viewer' where id = $1`, [owner.id]);
    const [broken] = await checkInvariants(service.db, memberInvariants);
    expect(broken!.violations).toEqual([shop.id]);
    await service.db.query(`update members set role = 'owner' where id = $1`, [owner.id]);
  });

  test('404 for a member who never was', async () => {
    expect((await owner.call('PATCH', pathOf({ id: randomUUID() }), { role: 'viewer' })).status).toBe(404);
  });
});

describe('a reset link', () => {
  test('201: works once; the old password, the passkeys and the other sessions are no way in any more', async () => {
    const viewer = await newMember(service, owner, 'viewer');
    const made = await owner.call('POST', `${pathOf(viewer)}/reset-link`);
    expect([made.status, made.body.url]).toEqual([201, expect.stringContaining('/dashboard/reset/join_')]);
    expect(await status(viewer)).toBe(200);
    const opened = await ask(service, '/links/open', { token: tokenOf(made) });
    expect(opened.body).toMatchObject({ kind: 'reset', email: viewer.email, role: null });
    const body = { token: tokenOf(made), password: 'a quite new password' };
    const back = entered(service, await ask(service, '/links/use', body));
    expect((await back.call('GET', '/api/dashboard/session')).body.member).toMatchObject({
      id: viewer.id,
      role: 'viewer',
      name: 'A viewer',
    });
    expect(await status(viewer)).toBe(401);
    expect((await signInAs(service, viewer.email)).status).toBe(401);
    expect((await ask(service, '/links/use', body)).status).toBe(410);
  });

  test('410 for a member who was disabled meanwhile, and after 24 hours', async () => {
    const viewer = await newMember(service, owner, 'viewer');
    const reset = async () => tokenOf(await owner.call('POST', `${pathOf(viewer)}/reset-link`));
    const use = (token: string) => ask(service, '/links/use', { token, password: PASSWORD });
    const token = await reset();
    await owner.call('PATCH', pathOf(viewer), { isActive: false });
    expect((await use(token)).status).toBe(410);
    await owner.call('PATCH', pathOf(viewer), { isActive: true });
    expect((await use(token)).status).toBe(200);
    const second = await reset();
    later(24 * HOUR);
    expect((await use(second)).status).toBe(410);
  });
});

describe('the audit log', () => {
  const PATH = '/api/b2b/merchants/audit-entries';

  test('200, newest first, page by page, for a key that holds all four scopes as well', async () => {
    for (let i = 0; i < 5; i++) await shop.call('PATCH', '/api/b2b/merchants/brand', { name: `n${i}` });
    const all = await shop.call('GET', `${PATH}?limit=100`);
    const ids: string[] = all.body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(all.body.data[0]).toMatchObject({
      actorName: 'First key',
      action: 'merchant.brand_changed',
      detail: { after: { name: 'n4' } },
    });
    const paged: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await owner.call('GET', `${PATH}?limit=2${cursor}`);
      paged.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.hasMore) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(paged).toEqual(ids);
    expect((await owner.call('GET', `${PATH}?cursor=x`)).status).toBe(400);
  });
});

describe('by mail', () => {
  test('an invitation is mailed where a mail server is set; when it refuses, the answer says so', async () => {
    const mail = await startMailServer();
    const env = { SMTP_URL: mail.url, MAIL_FROM: 'Florin <florin@shop.example>' };
    const mailing = await testService(env);
    const ada = await newOwner(mailing, await mailing.createMerchant('Ada’s <shop>'));
    const body = { email: newEmail(), role: 'viewer' };
    const invited = await ada.call('POST', '/api/dashboard/invitations', body);
    expect(invited.body.isMailed).toBe(true);
    const [email] = mail.received;
    expect(email!.to).toEqual([body.email]);
    expect(email!.text).toContain(invited.body.url);
    expect(email!.headers.get('subject')).toContain('Ada’s <shop>');
    mail.refuse(550);
    const refused = await ada.call('POST', '/api/dashboard/invitations', body);
    expect([refused.status, refused.body.isMailed]).toEqual([201, false]);
    expect(JSON.stringify(mailing.log)).not.toContain('join_');
  });

  test('every owner gets an e-mail about a new payout address, the merchant’s or a project’s, and a new webhook URL, no matter who changed it', async () => {
    service.db.queuesEmails = true;
    const mail = await startMailServer();
    const from = { name: 'Florin', address: 'florin@shop.example' };
    const mailer = createMailer(mail.settings, from);
    const second = await newMember(service, owner, 'owner');
    await newMember(service, owner, 'developer');
    const gone = await newMember(service, owner, 'owner');
    const send = () =>
      sendDueEmails({
        publicUrl: () => 'https://pay.example',
        secrets: service.secrets,
        db: service.db,
        log: createLog('silent'),
        mailer,
      });

    const payoutAddress = newAddress();
    const change = await owner.call('PATCH', '/api/b2b/merchants/payout-address', { payoutAddress });
    expect(change.status).toBe(200);
    await owner.call('DELETE', pathOf(gone));
    await send();
    expect(mail.received.flatMap(({ to }) => to).sort()).toEqual([owner.email, second.email].sort());
    for (const { text } of mail.received) {
      expect(text).toContain(`Before: ${shop.payoutAddress}`);
      expect(text).toContain(`Now: ${payoutAddress}`);
      expect(text).toContain(`By: member:${owner.id}`);
    }
    const dead = await service.db.query(`select error from emails where status = 'dead' and member_id = $1`, [
      gone.id,
    ]);
    expect(dead).toEqual([{ error: 'the member is gone' }]);

    mail.received.length = 0;
    const project = await shop.call('POST', '/api/v2/projects', { name: 'Books' });
    await shop.call('PATCH', `/api/v2/projects/${project.body.id}`, { payoutAddress });
    await send();
    expect(mail.received).toHaveLength(2);
    expect(mail.received[0]!.text).toContain('The payout address of Books of Shop was changed');

    mail.received.length = 0;
    const webhookUrl = 'https://elsewhere.example/hook';
    expect((await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl })).status).toBe(204);
    await send();
    expect(mail.received.flatMap(({ to }) => to).sort()).toEqual([owner.email, second.email].sort());
    expect(mail.received[0]!.headers.get('subject')).toBe('Shop: Your webhook URL was changed');
    expect(mail.received[0]!.text).toContain('Before: none');
    expect(mail.received[0]!.text).toContain(`Now: ${webhookUrl}`);

    mail.received.length = 0;
    for (let times = 0; times < 2; times++)
      expect((await shop.call('DELETE', '/api/b2b/merchants/webhook')).status).toBe(204);
    await send();
    expect(mail.received.flatMap(({ to }) => to).sort()).toEqual([owner.email, second.email].sort());
    expect(mail.received[0]!.headers.get('subject')).toBe('Shop: Your webhook URL was removed');
    expect(mail.received[0]!.text).toContain('Now: none');
    service.db.queuesEmails = false;
  });
});

test('what is long over is forgotten, and nothing else', async () => {
  const viewer = await newMember(service, owner, 'viewer');
  await invite({ email: newEmail(), role: 'viewer' });
  await signInAs(service, newEmail(), 'wrong password');
  const now = service.wallClock.now();
  await pruneSignIns(service.db, now);
  expect([await status(owner), await status(viewer)]).toEqual([200, 200]);
  expect((await owner.call('GET', '/api/dashboard/invitations')).body).toHaveLength(1);
  await pruneSignIns(service.db, new Date(now.getTime() + 22 * 24 * HOUR));
  for (const table of ['dashboard_sessions', 'member_links', 'passkey_challenges', 'sign_in_attempts']) {
    expect([table, await service.db.query(`select from ${table}`)]).toEqual([table, []]);
  }
});
