import { beforeEach, expect, test } from 'vitest';
import { insertInvoice, insertSession } from '../../../test/support/billing-rows.ts';
import { testDatabase, untilBlocked } from '../../../test/support/database.ts';
import type { Database } from '../../platform/db/database.ts';
import { checkInvariants } from '../../platform/db/invariant.ts';
import { newId } from '../../platform/lib/ids.ts';
import { projectInvariants } from './invariants.ts';
import { nextInvoiceNumber } from './next-invoice-number.ts';
import { patchProject } from './patch-project.ts';
import { DEFAULT_SETTINGS, type Project } from './project.ts';
import { findProject, insertProject, lockProjectsForUse } from './queries.ts';
import { addVolume, checkVolume, monthOf, reserveVolume } from './volume.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const MONTH = monthOf(NOW);
const MERCHANT = newId(NOW);
let db: Database;

beforeEach(async () => {
  db = await testDatabase();
  await db.query(`insert into merchants (id, webhook_secret, created_at) values ($1, '', now())`, [MERCHANT]);
});

async function makeProject(changes: Partial<Project>): Promise<Project> {
  const project: Project = {
    id: newId(NOW),
    merchantId: MERCHANT,
    name: 'p',
    brandName: null,
    brandColor: null,
    logoFile: null,
    payoutAddress: null,
    monthlyVolumeLimitCents: null,
    monthlyRequestLimit: null,
    settings: DEFAULT_SETTINGS,
    seller: null,
    lastInvoiceNumber: 0n,
    createdAt: NOW,
    updatedAt: NOW,
    archivedAt: null,
    ...changes,
  };
  await insertProject(db, project);
  return project;
}

async function countedVolume({ id }: Project, month = MONTH): Promise<bigint | undefined> {
  const [row] = await db.query<{ cents: bigint }>(
    'select volume_cents as cents from project_months where project_id = $1 and month = $2',
    [id, month],
  );
  return row?.cents;
}

test('a month is named by its first day in UTC', () => {
  expect(monthOf(new Date('2026-11-30T23:59:59.999Z'))).toBe('2026-11-01');
  expect(monthOf(new Date('2026-12-01T00:00:00.000Z'))).toBe('2026-12-01');
});

test('50 reservations at once fill the limit to the cent, and the rest are refused', async () => {
  const project = await makeProject({ monthlyVolumeLimitCents: 1_000n });
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      db.transaction(async (tx) => {
        const locked = (await lockProjectsForUse(tx, [project]))[0]!;
        await reserveVolume(tx, locked, MONTH, 33n);
        await nextInvoiceNumber(tx, { merchantId: MERCHANT, projectId: project.id, seller: null });
      }),
    ),
  );
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(answers.length - refused.length).toBe(30);
  expect(new Set(refused.map((answer) => answer.reason.code))).toEqual(
    new Set(['PROJECT_VOLUME_LIMIT_EXCEEDED']),
  );
  expect(await countedVolume(project)).toBe(990n);
  await db.transaction((tx) => reserveVolume(tx, project, MONTH, 10n));
  await expect(db.transaction((tx) => reserveVolume(tx, project, MONTH, 1n))).rejects.toThrow('volume limit');
  expect(
    (
      await db.transaction((tx) =>
        nextInvoiceNumber(tx, { merchantId: MERCHANT, projectId: project.id, seller: null }),
      )
    ).text,
  ).toBe('INV-000031');
});

test('a first reservation larger than the limit is refused, the largest amounts are counted exactly', async () => {
  const max = 9_223_372_036_854_775_807n;
  const project = await makeProject({ monthlyVolumeLimitCents: max });
  await db.transaction((tx) => reserveVolume(tx, project, MONTH, max));
  await expect(db.transaction((tx) => reserveVolume(tx, project, MONTH, max))).rejects.toThrow(
    'volume limit',
  );
  await db.transaction((tx) => addVolume(tx, project, MONTH, max));
  expect(await countedVolume(project)).toBe(2n * max);
  const small = await makeProject({ monthlyVolumeLimitCents: 5n });
  await expect(db.transaction((tx) => reserveVolume(tx, small, MONTH, 6n))).rejects.toThrow('volume limit');
  expect(await countedVolume(small)).toBeUndefined();
});

test('what is checked is not counted; what is taken back makes room; months are apart', async () => {
  const project = await makeProject({ monthlyVolumeLimitCents: 100n });
  await db.transaction(async (tx) => {
    await reserveVolume(tx, project, MONTH, 60n);
    await checkVolume(tx, project, MONTH, 40n);
    await expect(checkVolume(tx, project, MONTH, 41n)).rejects.toThrow('volume limit');
    await addVolume(tx, project, MONTH, -60n);
    await checkVolume(tx, project, MONTH, 100n);
    await addVolume(tx, project, '2026-10-01', -60n);
    await addVolume(tx, project, '2026-12-01', 500n);
    await checkVolume(tx, project, MONTH, 100n);
  });
  expect(await countedVolume(project)).toBe(0n);
  expect(await countedVolume(project, '2026-10-01')).toBeUndefined();
});

test('without a limit nothing is counted and everything fits', async () => {
  const project = await makeProject({});
  await db.transaction(async (tx) => {
    await reserveVolume(tx, project, MONTH, 60n);
    await addVolume(tx, project, MONTH, 60n);
    await checkVolume(tx, project, MONTH, 9_223_372_036_854_775_807n);
  });
  expect(await countedVolume(project)).toBeUndefined();
});

test('invoice numbers have no gap: one that was rolled back is given again, with the prefix of the project', async () => {
  const project = await makeProject({ settings: { ...DEFAULT_SETTINGS, invoicePrefix: 'ACME' } });
  const take = () =>
    db.transaction((tx) =>
      nextInvoiceNumber(tx, { merchantId: MERCHANT, projectId: project.id, seller: null }),
    );
  await expect(
    db.transaction(async (tx) => {
      await nextInvoiceNumber(tx, { merchantId: MERCHANT, projectId: project.id, seller: null });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  const taken = await Promise.all(Array.from({ length: 30 }, take));
  expect(taken.map(({ number }) => Number(number)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 30 }, (_, i) => i + 1),
  );
  expect((await take()).text).toBe('ACME-000031');
});

test('settings are kept exactly, and only where they differ from the defaults', async () => {
  const settings = {
    ...DEFAULT_SETTINGS,
    usageCredits: { 'api.calls': 3 },
    lowBalanceCredits: 9_007_199_254_740_993n,
  };
  const project = await makeProject({ settings });
  expect((await findProject(db, project))?.settings).toEqual(settings);
  const [row] = await db.query<{ keys: string[] }>(
    'select array(select jsonb_object_keys(settings) order by 1) as keys from projects where id = $1',
    [project.id],
  );
  expect(row!.keys).toEqual(['lowBalanceCredits', 'usageCredits']);
});

/** Someone who may change limits. */
const PRINCIPAL = {
  merchantId: MERCHANT,
  callerId: MERCHANT,
  actor: 'test',
  scopes: [],
  allowedAddresses: null,
  expiresAt: null,
  isVerified: true,
  payoutAddress: null,
  timeZone: 'UTC',
  member: undefined,
};

const setLimit = (project: Project, monthlyVolumeLimitCents: bigint | null) =>
  db.transaction((tx) => patchProject(tx, PRINCIPAL, project.id, { monthlyVolumeLimitCents }, NOW));

test('who sets a limit waits for a session that is being made without one, and counts it', async () => {
  const project = await makeProject({});
  let setting: Promise<Project> | undefined;
  await db.transaction(async (tx) => {
    const locked = (await lockProjectsForUse(tx, [project]))[0]!;
    setting = setLimit(project, 10n);
    await untilBlocked(db, setting);
    await reserveVolume(tx, locked, MONTH, 7n);
    const session = { amountCents: 7n, volumeMonth: MONTH };
    await insertSession(tx, { merchantId: MERCHANT, projectId: project.id }, session);
  });
  await setting;
  expect(await countedVolume(project)).toBe(7n);
});

test('limits that come and go while sessions are made: the count is right and no limit is passed', async () => {
  const project = await makeProject({});
  const make = () =>
    db.transaction(async (tx) => {
      const locked = (await lockProjectsForUse(tx, [project]))[0]!;
      await reserveVolume(tx, locked, MONTH, 7n);
      const session = { amountCents: 7n, volumeMonth: MONTH };
      await insertSession(tx, { merchantId: MERCHANT, projectId: project.id }, session);
    });
  const work = Array.from({ length: 60 }, (_, i) =>
    i % 10 === 5 ? () => setLimit(project, i % 20 === 5 ? 200n : null) : make,
  );
  const answers = await Promise.allSettled([...work, () => setLimit(project, 300n)].map((one) => one()));
  await setLimit(project, 300n);
  const more = await Promise.allSettled(Array.from({ length: 60 }, make));
  for (const answer of [...answers, ...more]) {
    if (answer.status === 'rejected') expect(answer.reason.code).toBe('PROJECT_VOLUME_LIMIT_EXCEEDED');
  }
  expect(await brokenInvariants()).toEqual([]);
  expect((await countedVolume(project))! > 293n).toBe(true);
});

async function brokenInvariants(): Promise<string[]> {
  const results = await checkInvariants(db, projectInvariants);
  return results.filter((result) => result.violations.length > 0).map((result) => result.name);
}

test('the invariants notice planted faults', async () => {
  const project = await makeProject({ monthlyVolumeLimitCents: 5n });
  await db.transaction((tx) => addVolume(tx, project, MONTH, 3n));
  expect(await brokenInvariants()).toEqual(['volume-counted']);
  await insertSession(
    db,
    { merchantId: MERCHANT, projectId: project.id },
    { amountCents: 3n, volumeMonth: MONTH },
  );
  expect(await brokenInvariants()).toEqual([]);
  await insertInvoice(db, { merchantId: MERCHANT, projectId: project.id });
  expect(await brokenInvariants()).toEqual([]);
  await db.query('update projects set last_invoice_number = 2 where id = $1', [project.id]);
  expect(await brokenInvariants()).toEqual(['invoice-numbers-gapless']);
});
