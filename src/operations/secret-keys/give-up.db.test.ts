import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { startMailServer } from '../../../test/support/mail.ts';
import { newOwner } from '../../../test/support/members.ts';
import { fillTables } from '../../../test/support/rows.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { createMailer } from '../../email/mailer.ts';
import { sendDueEmails } from '../../email/send-due-emails.ts';
import { verifyAudit } from '../../platform/audit/verify-audit.ts';
import { ensureInstallation } from '../../platform/db/installation.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';
import { type SecretBox, secretBox } from '../../platform/lib/secret-box.ts';
import { giveUpMissingKeys } from './give-up.ts';
import { missingKeyIds, readSealed } from './read-sealed.ts';

const ALL = { batchSize: 2, isStopped: () => false, onProgress: () => {} };
const giveUp = (t: Pick<TestService, 'db'>, secrets: SecretBox, options = {}) =>
  giveUpMissingKeys(t.db, secrets, { ...ALL, now: realNow(), ...options });

async function endpointsOf(t: TestService, shop: TestMerchant, secrets: SecretBox) {
  const rows = await t.db.query<{ id: string; secret: Buffer; previous: Buffer | null }>(
    `select id, secret, previous_secret as previous from webhook_endpoints where merchant_id = $1 and secret is not null order by id`,
    [shop.id],
  );
  return rows.map(({ id, secret, previous }) => ({ id, previous, opened: secrets.open(secret) }));
}

const secretOf = async (t: TestService, shop: TestMerchant, secrets: SecretBox) => {
  const [row] = await t.db.query<{ secret: Buffer; previous: Buffer | null }>(
    'select webhook_secret as secret, previous_webhook_secret as previous from merchants where id = $1',
    [shop.id],
  );
  return { opened: secrets.open(row!.secret), previous: row!.previous };
};

async function created(shop: TestMerchant, path: string, body: object) {
  const answer = await shop.call('POST', path, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

test('everything that a lost key sealed is replaced or removed, and owners read what to do', async () => {
  const t = await testService();
  t.db.queuesEmails = true;
  const shop = await t.createMerchant();
  await newOwner(t, shop);
  await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: 'https://shop.example/hook' });
  await shop.call('POST', '/api/b2b/merchants/generate-webhook-secret', {});
  const url = 'https://shop.example/more';
  const more = await created(shop, '/api/v2/webhook-endpoints', { url });
  await created(shop, '/api/v2/notifications', {
    ...{ kind: 'slack', name: 'Sales', url: 'https://hooks.slack.com/services/T0/B0/abc' },
  });
  const quiet = await t.createMerchant('Quiet');
  const newer = secretBox(randomBytes(32));
  expect(missingKeyIds(await readSealed(t.db), newer.keyIds())).toHaveLength(1);

  const stopped = await giveUp(t, newer, { isStopped: () => true });
  expect(stopped).toEqual({ merchants: 0, webhookSecrets: 0, notifications: 0, emails: 0 });
  await expect(ensureInstallation(t.db, 'sandbox', newer, realNow())).rejects.toThrow('secret-key give-up');

  const done = await giveUp(t, newer);
  expect(done).toMatchObject({ notifications: 1, emails: 0 });
  expect(done.webhookSecrets).toBe(done.merchants + 1);
  expect(missingKeyIds(await readSealed(t.db), newer.keyIds())).toEqual([]);
  await ensureInstallation(t.db, 'sandbox', newer, realNow());

  const fresh = { opened: expect.stringMatching(/^whsec_/), previous: null };
  expect(await secretOf(t, shop, newer)).toEqual(fresh);
  expect(await secretOf(t, quiet, newer)).toEqual(fresh);
  expect((await secretOf(t, quiet, newer)).opened).not.toBe((await secretOf(t, shop, newer)).opened);
  expect(await endpointsOf(t, shop, newer)).toEqual([{ id: more.id, ...fresh }]);
  expect((await endpointsOf(t, shop, newer))[0]!.opened).not.toBe(more.webhookSecret);
  expect((await shop.call('GET', '/api/v2/notifications')).body.data).toEqual([]);
  for await (const { faults } of verifyAudit(t.db)) expect(faults).toEqual([]);

  const mail = await startMailServer();
  const mailer = createMailer(mail.settings, { name: 'Florin', address: 'no-reply@florin.example' });
  await sendDueEmails({
    ...{ db: t.db, secrets: newer, mailer, log: createLog('silent') },
    publicUrl: () => 'https://pay.example',
  });
  const subject = 'Shop: Your webhook secrets were replaced';
  const received = mail.received.find(({ headers }) => headers.get('subject') === subject);
  for (const part of ['https://shop.example/hook', url, 'Sales (slack to https://hooks.slack.com/…)'])
    expect(received!.text).toContain(part);

  expect(await giveUp(t, newer)).toEqual({ merchants: 0, webhookSecrets: 0, notifications: 0, emails: 0 });
});

test('of every kind of row there can be, nothing stays sealed with what nobody has', async () => {
  const db = await testDatabase();
  await fillTables(db);
  const newer = secretBox(randomBytes(32));
  const done = await giveUp({ db }, newer);
  expect(done.merchants).toBeGreaterThan(0);
  expect(done.emails).toBeGreaterThan(0);
  const left = (await readSealed(db)).filter(({ keyId }) => keyId !== newer.keyIds()[0]);
  expect(left).toEqual([]);
});
