import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { startMailServer } from '../../../test/support/mail.ts';
import { newOwner } from '../../../test/support/members.ts';
import { createMailer } from '../../email/mailer.ts';
import { sendDueEmails } from '../../email/send-due-emails.ts';
import { createLog } from '../../platform/lib/log.ts';
import { Metrics } from '../../platform/lib/metrics.ts';
import { sponsorGauges } from './sponsor-gauges.ts';

let t: TestChain;
let balance: bigint;

beforeAll(async () => {
  t = await testChain();
  t.service.db.queuesEmails = true;
  balance = await t.sponsor.balance();
});

const log = createLog('error', () => {});

/** One look of a process of its own, with this as the least that it must hold. */
function look(minLamports: bigint): Promise<void> {
  const { db, clock } = t.service;
  const sponsor = { ...t.sponsor, minLamports };
  return sponsorGauges({ db, clock, log, metrics: new Metrics(), sponsor })();
}

async function readMails() {
  const server = await startMailServer();
  const mailer = createMailer(server.settings, { name: 'Florin', address: 'florin@florin.example' });
  const { db, secrets } = t.service;
  const parts = { db, secrets, log, mailer, publicUrl: () => 'https://pay.example' };
  await sendDueEmails(parts, new AbortController().signal);
  return server.received;
}

test('owners whose payers would go without are e-mailed once when it runs low, and again after it was topped up', async () => {
  const { service, shop } = t;
  const owner = await newOwner(service, shop);
  const off = await service.createMerchant('Pays no fees');
  await newOwner(service, off);
  await off.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'never' });
  const partly = await service.createMerchant('Pays in one project');
  const partlyOwner = await newOwner(service, partly);
  await partly.call('PATCH', '/api/v2/sponsor', { sponsorFees: 'never' });
  const settings = { sponsorFees: 'always' };
  await partly.call('POST', '/api/v2/projects', { name: 'Shop', settings });

  await look(balance / 2n);
  expect(await readMails()).toEqual([]);
  await Promise.all([look(balance / 2n + 1n), look(balance / 2n + 1n)]);
  await look(balance);
  const mails = await readMails();
  expect(mails.flatMap(({ to }) => to).sort()).toEqual([owner.email, partlyOwner.email].sort());
  expect(mails[0]!.headers.get('subject')).toContain('The wallet that pays network fees is running low');
  expect(mails[0]!.text).toContain(t.sponsor.feePayer.address);
  expect(mails[0]!.text).toMatch(/Balance: +\d+(\.\d+)? SOL/);
  expect(mails[0]!.text).not.toContain('audit log');

  await look(1n);
  await look(balance);
  expect(await readMails()).toHaveLength(2);
});

test('without a mail server nothing is written, and nothing fails', async () => {
  t.service.db.queuesEmails = false;
  await look(1n);
  await look(balance);
  expect(await readMails()).toEqual([]);
});
