import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { closeMerchant, forwardMerchant, reopenMerchant } from '../src/accounts/merchants/close-merchant.ts';
import { restore } from '../src/operations/backup/restore.ts';
import { exportMerchant } from '../src/operations/moving/export-merchant.ts';
import { importMerchant } from '../src/operations/moving/import-merchant.ts';
import type { Database } from '../src/platform/db/database.ts';
import { dumpSchema } from '../src/platform/db/schema-dump.ts';
import { backupOf, inPieces } from './support/backups.ts';
import { bring, newCustomer, newPlan, newProject, newSession } from './support/billing.ts';
import { testDatabase } from './support/database.ts';
import { change, checkContents, encrypt, NEW_URL, OLD_URL, opened, PLACE } from './support/moving.ts';
import { generator } from './support/random-cart.ts';
import { type Contents, readTables } from './support/rows.ts';
import { type TestMerchant, type TestService, testService } from './support/service.ts';

const FIRST = Number(process.env.HISTORY_SEED ?? 1);
const COUNT = Number(process.env.HISTORY_SEEDS ?? (process.env.HISTORY_SEED ? 1 : 3));
const STEPS = Number(process.env.HISTORY_STEPS ?? 25);
const seeds = Array.from({ length: COUNT }, (_, i) => FIRST + i);

interface World {
  here: TestService;
  elsewhere: TestService;
  shops: {
    shop: TestMerchant;
    project: string;
    sessions: { paymentIntentId: string }[];
    customers: string[];
  }[];
  below: (count: number) => number;
}

/** `HISTORY_SEEDS=200 npx vitest run test/random-histories.test.ts` runs more; HISTORY_SEED=n replays one. */
test.each(seeds)(
  'whatever merchants have been through, a backup restores to the same rows: seed %i',
  async (seed) => {
    const world: World = {
      here: await testService({ PUBLIC_URL: OLD_URL }),
      elsewhere: await testService({ PUBLIC_URL: NEW_URL }),
      shops: [],
      below: generator(seed),
    };
    const done: string[] = [];
    await addShop(world);
    for (let i = 0; i < STEPS; i++) {
      const [name, step] = STEP_LIST[world.below(STEP_LIST.length)]!;
      await step(world);
      done.push(name);
    }
    // Each has at least once been closed, whatever the dice say.
    await close(world);
    const { db } = world.here;
    const target = await testDatabase({ template: 'template0' });
    const { file, contents } = await backupAtRest(db);
    await restore(target, inPieces(file), undefined, { readsBack: true });
    expect([done, await readTables(target)]).toEqual([done, contents]);
    expect(await dumpSchema(target)).toBe(await dumpSchema(db));
  },
);

/** Takes a backup that includes all requests: the log of requests is written a moment later. */
async function backupAtRest(db: Database): Promise<{ file: Buffer; contents: Contents }> {
  for (;;) {
    const contents = await readTables(db);
    const file = await backupOf(db);
    if (isDeepStrictEqual(contents, await readTables(db))) return { file, contents };
  }
}

const STEP_LIST: [string, (world: World) => Promise<unknown>][] = [
  ['a merchant', addShop],
  ['a checkout', checkOut],
  ['a checkout', checkOut],
  ['a payment', pay],
  ['a payment', pay],
  ['a refund', refund],
  ['a customer', addCustomer],
  ['a customer erased', erase],
  ['closed', close],
  ['reopened', reopen],
  ['moved away', moveAway],
  ['moved in', moveIn],
];

async function addShop({ here, shops, below }: World): Promise<void> {
  const shop = await here.createMerchant(`Shop ${below(100)}\t\\ü`);
  const { id: project } = await newProject(shop);
  shops.push({ shop, project, sessions: [], customers: [] });
}

/** Refused where the merchant is closed: that changes nothing, which is a step too. */
async function ifOpen<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  return work().catch(() => undefined);
}

const anyOf = <Value>(values: readonly Value[], below: World['below']): Value | undefined =>
  values[below(Math.max(1, values.length))];

async function checkOut({ shops, below }: World): Promise<void> {
  const { shop, project, sessions } = anyOf(shops, below)!;
  const isPlan = below(3) === 0;
  const session = await ifOpen(async () =>
    newSession(
      shop,
      project,
      isPlan
        ? {
            mode: 'subscription',
            priceId: (await newPlan(shop, project)).id,
            externalCustomerId: `c${below(5)}`,
          }
        : {},
    ),
  );
  if (session) sessions.push(session);
}

/** Only the first merchant is paid at the address that tests know. */
async function pay({ here, shops, below }: World): Promise<void> {
  const { shop, sessions } = shops[0]!;
  const session = anyOf(sessions, below);
  if (session) await ifOpen(() => bring(here, shop, session, [500, 1000, 7, 499][below(4)]!));
}

async function refund({ shops, below }: World): Promise<void> {
  const { shop, sessions } = anyOf(shops, below)!;
  const session = anyOf(sessions, below);
  if (!session) return;
  const { paymentIntentId } = session;
  const body = { paymentIntentId, amountCents: 1 + below(400), reason: 'requested_by_customer' };
  await shop.call('POST', '/api/v2/refunds', body);
}

async function addCustomer({ shops, below }: World): Promise<void> {
  const { shop, project, customers } = anyOf(shops, below)!;
  const customer = await ifOpen(() => newCustomer(shop, project, { name: `N\n${below(9)}` }));
  if (customer) customers.push(customer.id);
}

async function erase({ shops, below }: World): Promise<void> {
  const { shop, customers } = anyOf(shops, below)!;
  const id = anyOf(customers, below);
  if (id) await shop.call('DELETE', `/api/v2/customers/${id}`);
}

async function close({ here, shops, below }: World): Promise<void> {
  const { shop } = anyOf(shops, below)!;
  await ifOpen(() => here.db.transaction((tx) => closeMerchant(tx, change(here, shop.id))));
}

async function reopen({ here, shops, below }: World): Promise<void> {
  const { shop } = anyOf(shops, below)!;
  const isForced = below(2) === 0;
  await ifOpen(() => here.db.transaction((tx) => reopenMerchant(tx, change(here, shop.id), isForced)));
}

async function moveAway({ here, shops, below }: World): Promise<void> {
  const { shop } = anyOf(shops, below)!;
  await ifOpen(() => here.db.transaction((tx) => forwardMerchant(tx, change(here, shop.id), NEW_URL)));
}

/** A merchant of another installation, with some past of its own. */
async function moveIn({ here, elsewhere }: World): Promise<void> {
  const shop = await elsewhere.createMerchant('Moving', null);
  await newCustomer(shop, (await newProject(shop)).id, { name: 'Along' });
  await elsewhere.db.transaction((tx) => closeMerchant(tx, change(elsewhere, shop.id)));
  const output = new PassThrough();
  const merchant = { id: shop.id, name: 'Moving' };
  const from = { ...PLACE, db: elsewhere.db, secrets: elsewhere.secrets, publicUrl: NEW_URL };
  const now = elsewhere.clock.now();
  const [file] = await Promise.all([
    buffer(output),
    exportMerchant({ ...from, merchant, now, encrypt }, output),
  ]);
  const { db, secrets } = here;
  await importMerchant({ ...PLACE, checkContents, db, secrets, publicUrl: OLD_URL, now }, opened(file));
}
