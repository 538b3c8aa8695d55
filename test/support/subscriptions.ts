import { expect } from 'vitest';
import { watchKeeper } from '../../src/chain/solana/watched-account.ts';
import { type DueWorkParts, runDueWork } from '../../src/operations/due-work/run-due-work.ts';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { centsToBaseUnits } from '../../src/platform/lib/money.ts';
import { newProject, newSession, readInvoice, readSubscription } from './billing.ts';
import { type TestMerchant, type TestService, testService } from './service.ts';
import { arrive, MINT, type TransferOptions } from './transfers.ts';

export interface SubscriptionWorld {
  service: TestService;
  shop: TestMerchant;
  projectId: string;
  parts: DueWorkParts;
  /** Runs everything the time has made due, with the chain read up to it. */
  runDue(now?: Date): Promise<void>;
  /** Moves time from one moment at which something is due to the next, as if it had simply passed. */
  moveTo(to: Date): Promise<void>;
  /** Pretends that the watcher has read every account up to `time`. */
  readPast(time: Date): Promise<void>;
  /** Brings money for an invoice straight to settlement: all of it unless told otherwise. */
  payInvoice(invoiceId: string, cents?: number, more?: TransferOptions): Promise<string>;
  /** A subscription whose first period is paid. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
  subscribe(priceId: string, externalCustomerId: string, fields?: object): Promise<any>;
}

/** The real service with every job by hand; money comes without a chain, so a year passes in a second. */
export async function subscriptionWorld(settings: object = {}): Promise<SubscriptionWorld> {
  const holder: { world?: SubscriptionWorld } = {};
  const service = await testService({}, undefined, {
    wallet: undefined,
    runDue: () => holder.world!.runDue(),
  });
  const { db, clock } = service;
  const shop = await service.createMerchant();
  const projectId = (await newProject(shop, { settings })).id;
  const parts = {
    db,
    log: createLog('silent'),
    ensureWatched: watchKeeper(db, clock, MINT),
    mint: MINT,
    publicUrl: () => 'http://127.0.0.1',
  };
  const readPast = async (time: Date) => {
    await db.query('update watched_accounts set read_through = $1', [time]);
  };
  holder.world = {
    service,
    shop,
    projectId,
    parts,
    readPast,
    async runDue(now = clock.now()) {
      await readPast(now);
      await runDueWork(parts, now);
    },
    async moveTo(to) {
      const answer = await shop.call('POST', '/api/v2/sandbox/clock', { to: to.toISOString() });
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
    },
    async payInvoice(invoiceId, cents, more = {}) {
      const [intent] = await db.query<{ reference: string; due: bigint }>(
        `select i.reference_address as reference, i.expected_amount_cents as due from invoices v
           join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
           join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
          where v.id = $1`,
        [invoiceId],
      );
      const baseUnits = centsToBaseUnits(BigInt(cents ?? intent!.due));
      return arrive(service, shop.id, { references: [intent!.reference], baseUnits, ...more });
    },
    async subscribe(priceId, externalCustomerId, fields = {}) {
      const session = await newSession(shop, projectId, {
        mode: 'subscription',
        priceId,
        externalCustomerId,
        ...fields,
      });
      await holder.world!.payInvoice(session.invoiceId);
      return readSubscription(shop, session.subscriptionId);
    },
  };
  return holder.world;
}

export const days = (date: string | Date, count: number) =>
  new Date(new Date(date).getTime() + count * DAY_MS);

/** Returns a subscription's invoices, oldest first. */
export async function invoicesOf(shop: TestMerchant, subscriptionId: string) {
  const { body } = await shop.call('GET', `/api/v2/invoices?subscriptionId=${subscriptionId}&limit=100`);
  return Promise.all(body.data.reverse().map(({ id }: { id: string }) => readInvoice(shop, id)));
}
