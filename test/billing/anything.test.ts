import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  advance,
  bring,
  expectSound,
  newCustomer,
  newLink,
  newPrice,
  newProject,
  newTopUp,
  runDue,
} from '../support/billing.ts';
import { BillingModel } from '../support/billing-model.ts';
import { call, type TestAnswer, testService } from '../support/service.ts';
import { newSignature } from '../support/transfers.ts';

/**
 * Any operations of billing in any order: every answer is one that may be, and afterwards the books agree, with
 * themselves and with a small model. A failing seed is printed and replays. FLORIN_RUNS asks for more runs.
 */
const CREDITS = 11;
const CREDITS_PER_UNIT = 4;
const RUNS = Number(process.env.FLORIN_RUNS ?? 8);

const pick = fc.nat({ max: 1_000 });
const cents = fc.integer({ min: 1, max: 300 });
const operation = fc.oneof(
  fc.record({ do: fc.constant('session' as const), pick, cents }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('top-up' as const), pick }) },
  fc.record({ do: fc.constant('link' as const), cents, most: fc.option(fc.integer({ min: 1, max: 3 })) }),
  fc.record({ do: fc.constant('check out' as const), pick }),
  fc.record({ do: fc.constant('pay' as const), pick, cents, isFinal: fc.boolean() }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pay all' as const), pick }) },
  fc.record({ do: fc.constant('finalize' as const), pick }),
  fc.record({ do: fc.constant('cancel' as const), pick }),
  fc.record({ do: fc.constant('adjust' as const), pick, delta: fc.integer({ min: -50, max: 50 }) }),
  fc.record({ do: fc.constant('use' as const), pick, quantity: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('return' as const), pick }),
  fc.record({ do: fc.constant('give' as const), pick, to: pick }),
  fc.record({ do: fc.constant('limit' as const), most: fc.option(fc.integer({ min: 0, max: 2_000 })) }),
  fc.record({ do: fc.constant('time' as const), days: fc.constantFrom(0.1, 0.6, 1.1, 12, 31) }),
  fc.record({ do: fc.constant('run' as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** The statuses each operation may answer with. */
const ALLOWED = {
  session: [201, 403],
  'top-up': [201, 403],
  link: [200],
  'check out': [201, 403, 409, 410],
  cancel: [200, 409],
  adjust: [201, 402],
  use: [200, 402],
  return: [200, 409],
  give: [200, 409],
  limit: [200],
};

test('whatever is done in whatever order, every answer is one that may be and the books agree', async () => {
  const service = await testService();
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 30, maxLength: 60 }), async (operations) => {
      const shop = await service.createMerchant();
      const model = new BillingModel();
      const settings = { usageCredits: { unit: CREDITS_PER_UNIT } };
      const projectId = (await newProject(shop, { settings })).id;
      const price = await newPrice(shop, projectId);
      const topUp = await newTopUp(shop, projectId, { unitAmountCents: 90, creditAmount: CREDITS });
      const customerId = (await newCustomer(shop, projectId, { externalCustomerId: 'c0' })).id;
      const customerIds = new Map([['c0', customerId]]);
      const links: { id: string; publicToken: string }[] = [];
      const sessions: { id: string; paymentIntentId: string; amountCents: number }[] = [];
      const unsettled: {
        signature: string;
        session: { id: string; paymentIntentId: string };
        cents: number;
        blockTime: Date;
      }[] = [];
      const at = <Item>(items: readonly Item[], index: number): Item | undefined =>
        items[index % items.length];
      const exceptions = async () =>
        (await shop.call('GET', '/api/v2/exceptions?status=open&limit=100')).body.data as {
          id: string;
          amountCents: number;
        }[];
      const note = (session: TestAnswer['body']) => {
        const customer: string | null = session.externalCustomerId;
        if (customer) customerIds.set(customer, session.customerId);
        const topUpOf =
          session.mode === 'balance_top_up' ? { customer: customer!, credits: CREDITS } : undefined;
        const { amountCents, expiresAt } = session;
        model.open(session.id, { amountCents, expiresAt: new Date(expiresAt), topUpOf });
        sessions.push(session);
      };
      const start = async (fields: object) => {
        const answer = await shop.call('POST', '/api/v2/checkout-sessions', { projectId, ...fields });
        if (answer.status === 201) note(answer.body);
        return answer;
      };
      const noteCanceled = async () => {
        for (const { id } of await all(shop, '/api/v2/checkout-sessions', '&status=canceled'))
          model.cancel(id);
      };

      async function perform(op: Operation): Promise<TestAnswer | undefined> {
        switch (op.do) {
          case 'session': {
            const what = op.pick % 2 ? { priceId: price.id } : { amountCents: op.cents };
            const who = op.pick % 3 ? { externalCustomerId: `c${op.pick % 3}` } : {};
            return start({ mode: 'one_time', ...what, ...who });
          }
          case 'top-up':
            return start({
              mode: 'balance_top_up',
              priceId: topUp.id,
              externalCustomerId: `c${op.pick % 3}`,
            });
          case 'link': {
            const { paymentLink } = await newLink(shop, projectId, { unitAmountCents: op.cents });
            links.push(paymentLink);
            const path = `/api/v2/payment-links/${paymentLink.id}`;
            return shop.call('PATCH', path, { maxPayments: op.most });
          }
          case 'check out': {
            const link = at(links, op.pick);
            if (!link) return undefined;
            const answer = await call(
              `${service.url}/api/v2/payment-links/${link.publicToken}/checkout`,
              'POST',
              {},
            );
            if (answer.status === 201) {
              note((await shop.call('GET', `/api/v2/checkout-sessions/${answer.body.sessionId}`)).body);
            }
            return answer;
          }
          case 'pay':
          case 'pay all': {
            const session = at(sessions, op.pick);
            if (!session) return undefined;
            const paid = { signature: newSignature(), blockTime: service.clock.now() };
            const amount = op.do === 'pay' ? op.cents : session.amountCents;
            const isFinal = op.do === 'pay all' || op.isFinal;
            await bring(service, shop, session, amount, { ...paid, isFinal });
            if (isFinal) model.receive(session.id, amount, paid.blockTime);
            else unsettled.push({ ...paid, session, cents: amount });
            return undefined;
          }
          case 'finalize': {
            const [seen] = unsettled.splice(op.pick % Math.max(unsettled.length, 1), 1);
            if (!seen) return undefined;
            await bring(service, shop, seen.session, seen.cents, { ...seen, isFinal: true });
            model.receive(seen.session.id, seen.cents, seen.blockTime);
            return undefined;
          }
          case 'cancel': {
            const session = at(sessions, op.pick);
            const answer =
              session && (await shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`));
            if (answer?.status === 200) model.cancel(session!.id);
            return answer;
          }
          case 'adjust': {
            if (op.delta === 0) return undefined;
            const body = op.pick % 2 ? { deltaCents: op.delta } : { deltaCredits: op.delta };
            const path = `/api/v2/customers/${customerId}/balance-adjustments`;
            const answer = await shop.call('POST', path, { ...body, reason: 'any' });
            if ('deltaCredits' in body) expect(answer.status === 201).toBe(model.change('c0', op.delta));
            return answer;
          }
          case 'use': {
            const customer = `c${op.pick % 3}`;
            const used = {
              projectId,
              metric: 'unit',
              quantity: op.quantity,
              customerId: customerIds.get(customer),
              idempotencyKey: newSignature(),
            };
            if (!used.customerId) return undefined;
            const answer = await shop.call('POST', '/api/v2/usage', used);
            expect(answer.status === 200).toBe(model.change(customer, -op.quantity * CREDITS_PER_UNIT));
            return answer;
          }
          case 'return': {
            const exception = at(await exceptions(), op.pick);
            return exception && shop.call('POST', `/api/v2/exceptions/${exception.id}/mark-returned`);
          }
          case 'give': {
            const exception = at(await exceptions(), op.pick);
            const session = at(sessions, op.to);
            if (!exception || !session) return undefined;
            const { paymentIntentId } = session;
            const path = `/api/v2/exceptions/${exception.id}/link`;
            const answer = await shop.call('POST', path, { paymentIntentId });
            if (answer.status === 200) model.give(session.id, exception.amountCents);
            return answer;
          }
          case 'limit':
            return shop.call('PATCH', `/api/v2/projects/${projectId}`, { monthlyVolumeLimitCents: op.most });
          case 'time':
            await advance(service, op.days);
            await noteCanceled();
            return undefined;
          case 'run':
            await runDue(service);
            await noteCanceled();
            return undefined;
        }
      }

      for (const op of operations) {
        const answer = await perform(op);
        if (answer)
          expect([op, ALLOWED[op.do as keyof typeof ALLOWED], answer.text]).toEqual([
            op,
            expect.arrayContaining([answer.status]),
            answer.text,
          ]);
      }
      const complete = await all(shop, '/api/v2/checkout-sessions', '&status=complete');
      expect(complete.map(({ id }) => id).sort()).toEqual(model.completed().sort());
      for (const [customer, id] of customerIds) {
        const { creditBalance } = (await shop.call('GET', `/api/v2/customers/${id}`)).body;
        expect([customer, creditBalance]).toEqual([customer, model.credits.get(customer) ?? 0]);
      }
      await expectSound(service);
      // All that ever arrived for good is on an invoice, or listed.
      const [books] = await service.db.query<{ arrived: bigint; explained: bigint }>(
        `select (select coalesce(sum(c.base_units), 0) from payment_allocations c where c.merchant_id = $1 and c.is_final) as arrived,
                (select coalesce(sum(i.received_base_units), 0) from payment_intents i
                   join invoices v on v.merchant_id = i.merchant_id
                   join checkout_sessions s on s.merchant_id = i.merchant_id and s.id = v.checkout_session_id
                                           and s.payment_intent_id = i.id
                  where i.merchant_id = $1) as explained`,
        [shop.id],
      );
      expect(books!.explained).toBe(books!.arrived);
      const overview = (await shop.call('GET', '/api/v2/billing/overview')).body;
      expect(overview).toMatchObject(await numbersOf(shop));
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

interface Caller {
  call(method: string, path: string): Promise<TestAnswer>;
}

async function all(shop: Caller, path: string, filter = ''): Promise<TestAnswer['body'][]> {
  return (await shop.call('GET', `${path}?limit=100${filter}`)).body.data;
}

/** The overview's numbers, added up from the lists. */
async function numbersOf(shop: Caller) {
  const invoices: {
    number: string | null;
    status: string;
    isOverdue: boolean;
    amountDueCents: number;
    totalCents: number;
    paidAt: string | null;
  }[] = await all(shop, '/api/v2/invoices');
  const customers: { creditBalance: number; accountCreditCents: number }[] = await all(
    shop,
    '/api/v2/customers',
  );
  const exceptions: { status: string }[] = await all(shop, '/api/v2/exceptions');
  expect(invoices.length).toBeLessThan(100);
  const sum = <Item>(items: Item[], of: (item: Item) => number) =>
    items.reduce((total, item) => total + of(item), 0);
  // A stranger who only opened a link owes nothing.
  const open = invoices.filter(({ status, number }) => status === 'open' && number !== null);
  const overdue = open.filter(({ isOverdue }) => isOverdue);
  return {
    openInvoicesCount: open.length,
    openInvoicesCents: sum(open, ({ amountDueCents }) => amountDueCents),
    overdueInvoicesCount: overdue.length,
    overdueInvoicesCents: sum(overdue, ({ amountDueCents }) => amountDueCents),
    creditsOutstanding: sum(customers, ({ creditBalance }) => creditBalance),
    accountCreditOutstandingCents: sum(customers, ({ accountCreditCents }) => accountCreditCents),
    openExceptionsCount: exceptions.filter(({ status }) => status === 'open').length,
  };
}
