import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newCustomer, newProject } from '../../../test/support/billing.ts';
import { startCollector } from '../../../test/support/collector.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { startMailServer } from '../../../test/support/mail.ts';
import { testService } from '../../../test/support/service.ts';
import { readConfig } from '../../config/config.ts';
import { secretBox } from '../../platform/lib/secret-box.ts';
import { examine, type Finding } from './doctor.ts';
import {
  examineBackups,
  examineCollector,
  examineDurability,
  examineMail,
  examinePublicUrl,
} from './examine-settings.ts';

test('a payout change that should have taken effect is found', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const look = async () => {
    const parts = { config: service.config, db: service.db, secrets: service.secrets };
    const findings = await examine({ ...parts, onlyInvariants: false, onFinding: () => {} });
    return findings.find(({ check }) => check === 'payout changes');
  };
  expect(await look()).toMatchObject({ ok: true });
  const add = (minutes: number) =>
    service.db.query(
      `insert into payout_changes (merchant_id, id, kind, from_delay_hours, delay_hours, requested_by, requested_at, takes_effect_at)
       values ($1, $2, 'delay', 2, 1, 'operator', now() - interval '1 day', now() - make_interval(mins => $3))`,
      [shop.id, randomUUID(), minutes],
    );
  await add(-60);
  expect(await look()).toMatchObject({ ok: true, detail: expect.stringContaining('1 pending') });
  await service.db.query('delete from payout_changes');
  await add(60);
  expect(await look()).toMatchObject({ ok: false, detail: expect.stringContaining(shop.id) });
});

test('an erasure that has not moved for ten minutes is named', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const look = async () => {
    const parts = { config: service.config, db: service.db, secrets: service.secrets };
    const findings = await examine({ ...parts, onlyInvariants: false, onFinding: () => {} });
    return findings.find(({ check }) => check === 'customer erasures');
  };
  const { id } = await newCustomer(shop, (await newProject(shop)).id, { name: 'Ada' });
  expect((await shop.call('DELETE', `/api/v2/customers/${id}`)).status).toBe(202);
  expect(await look()).toMatchObject({ ok: true, detail: '1 under way, none stuck' });
  await service.db.query(`update customer_erasures set advanced_at = now() - interval '11 minutes'`);
  expect(await look()).toMatchObject({ ok: false, detail: expect.stringContaining(id) });
});

test.each([
  [true, {}],
  [true, { PUBLIC_URL: 'http://pay.example.com' }],
  [false, { PUBLIC_URL: 'https://pay.example.com' }],
  [true, { PUBLIC_URL: 'https://pay.example.com', TRUST_PROXY: '127.0.0.1' }],
])('the check of the proxy answers %s for %o', async (ok, env) => {
  const db = await testDatabase();
  const findings = await examine({
    config: readConfig(env),
    db,
    secrets: secretBox(randomBytes(32)),
    onlyInvariants: false,
    onFinding: () => {},
  });
  expect(findings.find(({ check }) => check === 'proxy')).toMatchObject({ ok });
});

const lookWith = async (env: Record<string, string>, check: string) => {
  const parts = { config: readConfig(env), db: await testDatabase(), secrets: secretBox(randomBytes(32)) };
  const findings = await examine({ ...parts, onlyInvariants: false, onFinding: () => {} });
  return findings.find((finding) => finding.check === check);
};

const MAINNET = { FLORIN_NETWORK: 'mainnet', SOLANA_RPC_URLS: 'http://127.0.0.1:1' };

test.each([
  [true, '', {}],
  [true, 'https://pay.example.com', { ...MAINNET, PUBLIC_URL: 'https://pay.example.com' }],
  [false, 'PUBLIC_URL is not set', MAINNET],
  [false, 'TLS', { ...MAINNET, PUBLIC_URL: 'http://pay.example.com', FLORIN_ALLOW_HTTP: 'true' }],
  [false, 'TLS', { ...MAINNET, PUBLIC_URL: 'http://localhost' }],
])('the check of the public address answers %s, with “%s”', (ok, detail, env) => {
  const found: Finding[] = [];
  examinePublicUrl(readConfig(env as Record<string, string>), (check, ok, detail) =>
    found.push({ check, ok, detail }),
  );
  expect(found).toEqual([{ check: 'public address', ok, detail: expect.stringContaining(detail) }]);
});

test('a commit that no standby has yet is not enough on mainnet, and fsync off is not enough anywhere', async () => {
  const db = await testDatabase();
  const look = (env: Record<string, string>, commit: string) =>
    db.transaction(async (tx) => {
      const found: Finding[] = [];
      await tx.query(`set local synchronous_commit = ${commit}`);
      await examineDurability(tx, readConfig(env), (check, ok, detail) => found.push({ check, ok, detail }));
      return found[0]!.detail;
    });
  expect(await look(MAINNET, 'on')).not.toContain('synchronous_commit');
  expect(await look(MAINNET, 'local')).toContain('synchronous_commit is local');
  expect(await look(MAINNET, 'off')).toContain('synchronous_commit is off');
  expect(await look({}, 'local')).not.toContain('synchronous_commit');
  expect(await look({}, 'off')).toContain('synchronous_commit is off');
});

test('a mail server that is down or refuses the password is found, and no e-mail is sent', async () => {
  const received: string[] = [];
  const { settings } = await startMailServer({
    authOptional: false,
    onAuth: ({ username, password }, _, done) =>
      done(password === 'right' ? null : new Error('no such user'), { user: username }),
    onMailFrom: ({ address }, _, done) => {
      received.push(address);
      done();
    },
  });
  const at = (who: string, port: number) => ({
    SMTP_URL: `smtp://${who}127.0.0.1:${port}`,
    MAIL_FROM: 'a@b.example',
  });
  const look = async (env: Record<string, string>) => {
    const found: Finding[] = [];
    await examineMail(readConfig(env), (check, ok, detail) => found.push({ check, ok, detail }));
    return found[0]!;
  };
  expect(await look({})).toMatchObject({ ok: true, detail: expect.stringContaining('no e-mails') });
  expect(await look(at('u:right@', settings.port))).toMatchObject({ ok: true });
  const refused = await look(at('u:wrong@', settings.port));
  expect(refused).toMatchObject({ ok: false, detail: expect.stringContaining('no such user') });
  expect(refused.detail).not.toContain('wrong');
  const dead = { ok: false, detail: expect.stringContaining('127.0.0.1:1: connect ECONNREFUSED') };
  expect(await lookWith(at('', 1), 'mail server')).toMatchObject(dead);
  expect(received).toEqual([]);
});

test('each node that does not answer is named, and so is a quorum that cannot be reached', async () => {
  const env = { SOLANA_RPC_URLS: 'http://127.0.0.1:1,http://127.0.0.1:2' };
  const named = { ok: false, detail: expect.stringContaining('replace it in SOLANA_RPC_URLS') };
  expect(await lookWith(env, 'solana node 2')).toMatchObject(named);
  const none = { ok: false, detail: expect.stringContaining('none can be asked') };
  expect(await lookWith(env, 'solana quorum')).toMatchObject(none);
});

test('scheduled backups: one that is late and the reason the last one failed are named', async () => {
  const { db } = await testService();
  const look = async (env: Record<string, string>) => {
    const told: [boolean, string][] = [];
    await examineBackups(readConfig(env), db, (_, ok, detail) => told.push([ok, detail]));
    return told[0];
  };
  const set = { BACKUP_FOLDER: '/backups', BACKUP_EVERY: '6' };
  expect(await look({})).toEqual([true, expect.stringContaining('none was ever made')]);
  expect(await look(set)).toEqual([false, expect.stringContaining('is a worker running')]);
  await db.query(`update installation set backed_up_at = now() - interval '11 hours'`);
  expect(await look(set)).toEqual([true, expect.stringContaining('in /backups')]);
  await db.query(`update installation set backed_up_at = now() - interval '13 hours'`);
  expect(await look(set)).toEqual([false, expect.stringContaining('is a worker running')]);
  await db.query(`update installation set backed_up_at = now(), backup_problem = 'there is no space left'`);
  expect(await look(set)).toEqual([false, expect.stringContaining('there is no space left')]);
  expect(await look({})).toEqual([true, expect.any(String)]);
});

test('proven backups: the last one is named, and why the last one that was due was not', async () => {
  const { db } = await testService();
  const look = async (env: Record<string, string>) => {
    const told: [string, boolean, string][] = [];
    const config = readConfig({ BACKUP_FOLDER: '/backups', ...env });
    await examineBackups(config, db, (...finding) => told.push(finding));
    return told.find(([check]) => check === 'proven backups')?.slice(1);
  };
  expect(await look({})).toEqual([false, expect.stringContaining('none was ever restored to prove it')]);
  expect(await look({ BACKUP_PROVE_EVERY: '0' })).toEqual([true, expect.stringContaining('is 0')]);
  await db.query(`update installation set backup_proven_at = now() - interval '13 days'`);
  expect(await look({})).toEqual([true, expect.stringContaining('was made at')]);
  expect(await look({ BACKUP_PROVE_EVERY: '24' })).toEqual([
    false,
    expect.stringContaining('since it is due'),
  ]);
  await db.query(`update installation set backup_proof_problem = 'no room for it'`);
  expect(await look({})).toEqual([false, expect.stringContaining('no room for it')]);
});

test('the check of the trace collector says whether it takes traces, and sends none', async () => {
  const look = async (url?: string) => {
    const noted: [boolean, string][] = [];
    const config = readConfig(url ? { OTEL_EXPORTER_OTLP_ENDPOINT: url } : {});
    await examineCollector(config, (_check, ok, detail) => noted.push([ok, detail]));
    return noted[0]!;
  };
  const collector = await startCollector();
  const { url: wrong } = await startCollector((response) => response.writeHead(404).end());
  expect(await look()).toEqual([true, expect.stringContaining('is not set')]);
  expect(await look(collector.url)).toEqual([true, `${collector.url}/v1/traces answers`]);
  expect(collector.received.map(({ body }) => body)).toEqual(['{"resourceSpans":[]}']);
  expect(await look(wrong)).toEqual([
    false,
    expect.stringContaining('/v1/traces answers 404: traces are dropped'),
  ]);
  expect(await look('http://127.0.0.1:1')).toEqual([false, expect.stringContaining('(ECONNREFUSED)')]);
});

test('a database of other beginnings is named with what to do, and nothing of it is looked at', async () => {
  const service = await testService();
  const { config, secrets } = service;
  const db = await testDatabase({ template: 'template0' });
  await db.query('create table schema_migrations (number integer primary key, name text, checksum text)');
  await db.query(`insert into schema_migrations values (1, 'merchants_and_keys', 'x')`);
  const findings = await examine({ config, db, secrets, onlyInvariants: false, onFinding: () => {} });
  expect(findings.slice(-2)).toEqual([
    { check: 'schema', ok: false, detail: expect.stringContaining('start with an empty database') },
    { check: 'invariants', ok: false, detail: 'not checked: the schema does not fit' },
  ]);
});
