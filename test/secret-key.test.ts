import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { connectionIn, startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { newId } from '../src/platform/lib/ids.ts';
import { type SecretBox, secretBox, secretKey } from '../src/platform/lib/secret-box.ts';
import { newDataFolder } from './support/data-folder.ts';
import { florin, type Running, startProcess } from './support/process.ts';
import { call } from './support/service.ts';
import { eventually, startReceiver } from './support/webhooks.ts';

const AT = new Date('2026-03-01T00:00:00Z');
const MERCHANTS = 450;

async function insertMerchants(db: Database, secrets: SecretBox): Promise<string[]> {
  const ids = Array.from({ length: MERCHANTS }, () => newId(AT));
  await db.query(
    `insert into merchants (id, webhook_secret, created_at)
     select id, secret, $3 from unnest($1::uuid[], $2::bytea[]) as given (id, secret)`,
    [ids, ids.map((id) => secrets.seal(`whsec_${id}`)), AT],
  );
  return ids;
}

const countWith = async (db: Database, keyId: string) => {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from merchants where encode(substring(webhook_secret from 2 for 4), 'hex') = $1`,
    [keyId],
  );
  return row!.count;
};

/** The service opens the secret it shows, and signs with it. */
async function expectServing(running: Running, authorization: string, secret: string): Promise<void> {
  const profile = await call(`${running.url}/api/b2b/merchants/me`, 'GET', undefined, { authorization });
  expect([profile.status, profile.body.webhookSecret]).toEqual([200, secret]);
  const receiver = await startReceiver((response) => response.end('ok'));
  const url = `${running.url}/api/b2b/merchants/webhook`;
  expect((await call(url, 'PATCH', { webhookUrl: receiver.url }, { authorization })).status).toBe(204);
  const event = { event: 'payment_intent.succeeded' };
  await call(`${running.url}/api/v2/sandbox/events`, 'POST', event, { authorization });
  const got = await eventually(async () => receiver.received[0]);
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]+)/.exec(String(got.headers['x-service-signature']))!;
  expect(signature).toBe(createHmac('sha256', secret).update(time!).update(got.body).digest('hex'));
}

test('a rotation of the key file, killed in the middle, resumed, retired, while the service serves', async () => {
  const FLORIN_DATA = await newDataFolder();
  const service = await startProcess({ FLORIN_DATA });
  const authorization = `Bearer ${service.apiKey}`;
  const secret = /whsec_\w{40}/.exec(service.output())![0];
  const db = openDatabase({ connection: connectionIn(FLORIN_DATA) });
  const path = join(FLORIN_DATA, 'secret.key');
  const first = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex');
  const oldId = secretKey(first).id;
  const ids = await insertMerchants(db, secretBox(first));

  // One merchant in the middle is held, so that the rotation cannot get past it before it is killed.
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await tx.query('select from merchants where id = $1 for update', [ids[MERCHANTS / 2]]);
    isHeld.resolve();
    await held.promise;
  });
  await isHeld.promise;
  const rotation = spawn(process.execPath, ['bin/florin.js', 'secret-key', 'rotate'], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, FLORIN_DATA },
  });
  let printed = '';
  rotation.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await eventually(async () => /resealed[\s\S]*resealed/.test(printed));
  rotation.kill('SIGKILL');
  await once(rotation, 'exit');
  const [newKey, oldKey] = (await readFile(path, 'utf8')).trim().split('\n');
  const id = secretKey(Buffer.from(newKey!, 'hex')).id;
  expect(oldKey).toBe(first.toString('hex'));
  expect(printed).toContain(`New secret key ${id} in ${path}; ${oldId} stays readable.`);
  expect(printed).not.toMatch(new RegExp(`${newKey}|${oldKey}`));
  expect(await countWith(db, id)).toBeGreaterThan(0);
  expect(await countWith(db, oldId)).toBeGreaterThan(0);

  await expectServing(service, authorization, secret);
  const doctor = await florin(['doctor'], { FLORIN_DATA });
  expect([doctor.code, doctor.stderr]).toEqual([0, '']);
  expect(doctor.stdout).toMatch(
    new RegExp(`✓ secret key: current key ${id};.*with ${oldId} \\(old\\).*npx florin secret-key rotate`),
  );
  const early = await florin(['secret-key', 'retire'], { FLORIN_DATA });
  expect([early.code, early.stdout]).toEqual([1, '']);
  expect(early.stderr).toMatch(/\d+ secrets are not sealed with \w+ yet, so nothing was retired/);

  held.resolve();
  await holding;
  const resumed = await florin(['secret-key', 'rotate', '--json'], { FLORIN_DATA });
  expect([resumed.code, resumed.stderr]).toEqual([0, '']);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ currentKeyId: id, oldKeyIds: [oldId], left: 0 });
  expect(await countWith(db, id)).toBe(MERCHANTS + 1);
  const rows = await db.query<{ id: string; secret: Buffer }>(
    'select id, webhook_secret as secret from merchants where id = any($1)',
    [ids],
  );
  const only = secretBox(Buffer.from(newKey!, 'hex'));
  expect(rows.filter((row) => only.open(row.secret) !== `whsec_${row.id}`)).toEqual([]);
  await expectServing(service, authorization, secret);

  const retired = await florin(['secret-key', 'retire'], { FLORIN_DATA });
  expect([retired.code, retired.stderr]).toEqual([0, '']);
  expect(retired.stdout).toContain(`moved to ${path}.retired-${oldId}`);
  expect((await readFile(path, 'utf8')).trim()).toBe(newKey);
  const generated = await call(
    `${service.url}/api/b2b/merchants/generate-webhook-secret`,
    'POST',
    {},
    {
      authorization,
    },
  );
  expect(generated.status).toBe(200);
  await expectServing(service, authorization, generated.body.webhookSecret);
  expect(await countWith(db, id)).toBe(MERCHANTS + 1);
  await db.close();
  expect(service.output()).not.toMatch(new RegExp(`${newKey}|${oldKey}`));
  expect(await service.end('SIGTERM')).toBe(0);
});

test('a rotation by settings: the key that is missing is named, both are read, the old one is retired', async () => {
  const folder = await newDataFolder();
  const server = await startEmbeddedPostgres({ dataFolder: folder, purpose: 'service' });
  const DATABASE_URL = `postgres://florin@localhost/florin?host=${encodeURIComponent(join(folder, 'postgres'))}`;
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const [oldId, newId] = [secretKey(older).id, secretKey(newer).id];
  const [oldKey, newKey] = [older.toString('hex'), newer.toString('base64')];
  const before = { DATABASE_URL, FLORIN_SECRET_KEY: oldKey, FLORIN_DATA: join(folder, 'unused') };
  const alone = { ...before, FLORIN_SECRET_KEY: newKey };
  const both = { ...alone, FLORIN_SECRET_KEYS_OLD: oldKey };
  const first = await startProcess(before);
  const authorization = `Bearer ${first.apiKey}`;
  const secret = /whsec_\w{40}/.exec(first.output())![0];
  const nothing = await florin(['secret-key', 'rotate'], before);
  expect([nothing.code, nothing.stdout]).toEqual([1, '']);
  expect(nothing.stderr).toContain(`everything is sealed with ${oldId}, the current key. To change it:`);
  expect((await florin(['secret-key', 'retire'], before)).stderr).toContain(
    `there is no old secret key: ${oldId} is the only one`,
  );

  for (const args of [['secret-key', 'rotate'], ['merchants', 'list'], ['start']]) {
    const refused = await florin(args, alone);
    expect([args, refused.code]).toEqual([args, 1]);
    expect(refused.stderr).toContain(`needs the secret key ${oldId}, but only ${newId} is configured`);
    expect(refused.stderr + refused.stdout).not.toContain(oldKey);
  }
  await first.end('SIGTERM');

  const second = await startProcess(both);
  await expectServing(second, authorization, secret);
  const rotated = await florin(['secret-key', 'rotate'], both);
  expect([rotated.code, rotated.stderr]).toEqual([0, '']);
  expect(rotated.stdout).toContain(`Everything is sealed with ${newId}. ${oldId} is no longer needed`);
  const retired = await florin(['secret-key', 'retire'], both);
  expect([retired.code, retired.stderr]).toEqual([0, '']);
  expect(retired.stdout).toContain('Remove it from FLORIN_SECRET_KEYS_OLD and restart.');
  await expectServing(second, authorization, secret);
  await second.end('SIGTERM');

  const third = await startProcess(alone);
  await expectServing(third, authorization, secret);
  const doctor = await florin(['doctor'], before);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain(`Secrets sealed with ${newId} cannot be opened`);
  await third.end('SIGTERM');
  await server.stop();
});

test('a lost key: what it sealed is listed, given up only when somebody says so, and the service starts again', async () => {
  const FLORIN_DATA = await newDataFolder();
  const first = await startProcess({ FLORIN_DATA });
  const authorization = `Bearer ${first.apiKey}`;
  const path = join(FLORIN_DATA, 'secret.key');
  const lostId = secretKey(Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')).id;
  const giveUp = (...flags: string[]) => florin(['secret-key', 'give-up', ...flags], { FLORIN_DATA });

  const early = await giveUp('--new', '--yes');
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('no key is lost')]);
  await rm(path);
  const served = await giveUp('--new', '--yes');
  expect([served.code, served.stderr]).toEqual([
    1,
    expect.stringContaining('stop every process of it first'),
  ]);
  expect(await first.end('SIGTERM')).toBe(0);

  await expect(startProcess({ FLORIN_DATA })).rejects.toThrow('npx florin secret-key give-up');
  const listed = await giveUp();
  expect([listed.code, listed.stderr]).toEqual([0, '']);
  expect(listed.stdout).toContain(`Nobody can open what ${lostId} sealed:`);
  expect(listed.stdout).toContain('webhook secrets: replaced');
  const asked = await giveUp('--new');
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('add --yes. Nothing was changed.')]);
  await expect(startProcess({ FLORIN_DATA })).rejects.toThrow(lostId);

  const done = await giveUp('--new', '--yes', '--json');
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(JSON.parse(done.stdout)).toMatchObject({ givenUpKeyIds: [lostId], isDone: true, webhookSecrets: 1 });
  const again = await startProcess({ FLORIN_DATA });
  const profile = await call(`${again.url}/api/b2b/merchants/me`, 'GET', undefined, { authorization });
  expect(profile.status).toBe(200);
  expect(first.output()).not.toContain(profile.body.webhookSecret);
  await expectServing(again, authorization, profile.body.webhookSecret);
  expect(await again.end('SIGTERM')).toBe(0);
});
