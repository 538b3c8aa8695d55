import { expect, test } from 'vitest';
import { openDatabase } from '../src/platform/db/database.ts';
import { connectionIn } from '../src/platform/db/embedded-postgres.ts';
import { newDataFolder } from './support/data-folder.ts';
import { florin, startProcess } from './support/process.ts';
import { call } from './support/service.ts';

test('florin audit verify tells heads while all is well, and names the row once one was changed', async () => {
  const FLORIN_DATA = await newDataFolder();
  const service = await startProcess({ FLORIN_DATA });
  const verify = (...args: string[]) => florin(['audit', 'verify', ...args], { FLORIN_DATA });
  const authorization = `Bearer ${service.apiKey}`;
  const { id } = (await call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, { authorization }))
    .body;

  const whole = JSON.parse((await verify('--json')).stdout);
  expect(whole).toEqual({ ok: true, rows: expect.any(Number), chains: [expect.anything()] });
  const [{ head, rows }] = whole.chains;
  expect(rows).toBeGreaterThan(0);
  const url = `${service.url}/api/b2b/merchants/webhook`;
  expect((await call(url, 'PATCH', { webhookUrl: 'https://a.example/' }, { authorization })).status).toBe(
    204,
  );
  const later = await verify('--expect', `${id}:${head}`);
  expect([later.code, later.stderr]).toEqual([0, '']);
  expect(later.stdout).toMatch(new RegExp(`^✓ ${id}:[0-9a-f]{64}  ${rows + 1} rows\nOK: `));

  const db = openDatabase({ connection: connectionIn(FLORIN_DATA) });
  await db.query('alter table audit_entries disable trigger user');
  const [changed] = await db.query<{ id: string }>(
    `update audit_entries set actor = 'nobody' where action like 'merchant.webhook%' returning id`,
  );
  await db.query('alter table audit_entries enable trigger user');
  await db.close();
  const broken = await verify('--merchant', id);
  expect(broken.code).toBe(1);
  expect(broken.stdout).toContain(`✗ ${id}:`);
  expect(broken.stdout).toContain(`changed: row ${changed!.id}: `);
  const json = await verify('--json');
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
    1,
    { ok: false, chains: [{ merchantId: id, faults: [{ kind: 'changed', rowId: changed!.id }] }] },
  ]);
  const doctor = await florin(['doctor', '--invariants'], { FLORIN_DATA });
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain(`✗ invariant audit-chain: broken by merchant ${id}: row ${changed!.id}`);

  const kept = await verify('--expect', `${id}:${'0'.repeat(64)}`, '--json');
  expect(JSON.parse(kept.stdout).chains[0].faults.at(-1)).toMatchObject({ kind: 'not_found', rowId: null });
  for (const [args, message] of [
    [['--expect', id], /--expect must be <merchant id>:<hash>/],
    [['--merchant', 'nonsense'], /there is no merchant nonsense/],
  ] as const) {
    const refused = await verify(...args);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(message);
  }
  await service.end('SIGTERM');
});
