import { beforeAll, describe, expect, test } from 'vitest';
import { revertDroppedTransfer } from '../../src/payments/transfers/revert-dropped-transfer.ts';
import {
  advance,
  bring,
  expectSound,
  newProject,
  newSession,
  newTopUp,
  readPast,
  readSession,
  runDue,
} from '../support/billing.ts';
import { call, PAYOUT, type TestMerchant, type TestService, testService } from '../support/service.ts';
import {
  ASKED,
  CREDITS,
  centsOf,
  hasMoney,
  intentOf,
  invoiceOf,
  isPossible,
  type Model,
  next,
  OPERATIONS,
  type Operation,
  paymentStatusOf,
  receivedOf,
  START,
  situationOf,
} from '../support/session-model.ts';
import { listUntoldOf } from '../support/told.ts';
import { arrive, newSignature } from '../support/transfers.ts';

/**
 * Number of steps taken: different ones each time, because the operations are tried in another order each time. With
 * FLORIN_ALL_STATES set, every operation is tried in every situation.
 */
const MAX_STEPS = process.env.FLORIN_ALL_STATES ? Number.POSITIVE_INFINITY : 400;
/** Short walks: there is less to learn the longer a session has been over. */
const LONGEST_WALK = process.env.FLORIN_ALL_STATES ? 60 : 10;
const order = [...OPERATIONS].sort(() => Math.random() - 0.5);

/**
 * Takes the service through every situation the model can reach and every operation in each, and compares the two
 * after every step. Walks go wherever something has not been tried yet; a failure names the steps that led to it.
 */
let service: TestService;
let shop: TestMerchant;
let projectId: string;
let priceId: string;
let checkoutUrl: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
  priceId = (await newTopUp(shop, projectId, { unitAmountCents: ASKED, creditAmount: CREDITS })).id;
  const { body } = await shop.call('POST', '/api/v2/payment-links', { projectId, priceId });
  checkoutUrl = `${service.url}/api/v2/payment-links/${body.publicToken}/checkout`;
});

describe.each([
  ['a top-up with a customer', 'known'],
  ['a single payment of nobody in particular', 'none'],
  ['a top-up by payment link', 'with money'],
] as const)('%s', (_name, customer) => {
  test('an operation in a situation does what the rules say', async () => {
    const untried = reachable({ ...START, customer });
    const total = [...untried.values()].reduce((sum, operations) => sum + operations.size, 0);
    // The rules have many corners; fewer than this and the model has lost some.
    expect(total).toBeGreaterThan(1_500);
    let steps = 0;
    let walks = 0;
    while (untried.size > 0 && steps < MAX_STEPS) {
      const walk = await startWalk(customer);
      for (let n = 0; n < LONGEST_WALK; n++) {
        const plan = wayToUntried(walk.model, untried);
        if (!plan) break;
        for (const operation of plan) {
          const situation = situationOf(walk.model);
          await walk.step(operation);
          steps++;
          const left = untried.get(situation);
          left?.delete(operation);
          if (left?.size === 0) untried.delete(situation);
        }
      }
      if (++walks % 10 === 0) await expectSound(service);
    }
    await expectSound(service);
  }, 3_600_000);
});

/** Every situation the model can come to, with all that can be tried there. */
function reachable(start: Model): Map<string, Set<Operation>> {
  const found = new Map<string, Set<Operation>>();
  const queue = [start];
  for (const model of queue) {
    const situation = situationOf(model);
    if (found.has(situation)) continue;
    const possible = order.filter((operation) => isPossible(model, operation));
    found.set(situation, new Set(possible));
    for (const operation of possible) queue.push(next(model, operation).model);
  }
  return found;
}

/** The shortest way to something untried; none when everything left needs a new session. */
function wayToUntried(start: Model, untried: Map<string, Set<Operation>>): Operation[] | undefined {
  const queue: { model: Model; way: Operation[] }[] = [{ model: start, way: [] }];
  const known = new Set<string>();
  for (const { model, way } of queue) {
    const situation = situationOf(model);
    if (known.has(situation)) continue;
    known.add(situation);
    const left = untried.get(situation);
    const possible = order.filter((operation) => isPossible(model, operation));
    const wanted = possible.find((operation) => left?.has(operation));
    if (wanted) return [...way, wanted];
    for (const operation of possible) {
      queue.push({ model: next(model, operation).model, way: [...way, operation] });
    }
  }
  return undefined;
}

const unitsOf = (cents: number) => BigInt(cents * 10_000);

interface Walk {
  model: Model;
  step(operation: Operation): Promise<void>;
}

let customers = 0;

function openSession(customer: Model['customer']) {
  switch (customer) {
    case 'known': {
      const externalCustomerId = `walker-${customers++}`;
      return newSession(shop, projectId, { mode: 'balance_top_up', priceId, externalCustomerId });
    }
    case 'none':
      return newSession(shop, projectId, { amountCents: ASKED });
    default:
      return checkOut();
  }
}

async function checkOut() {
  const { status, body } = await call(checkoutUrl, 'POST', {});
  expect(status).toBe(201);
  return readSession(shop, body.sessionId);
}

async function startWalk(customer: Model['customer']): Promise<Walk> {
  const session = await openSession(customer);
  const signatures: string[] = [];
  let seen: { signature: string; blockTime: Date; cents: number } | undefined;
  const taken: Operation[] = [];

  async function perform(operation: Operation, model: Model): Promise<number | undefined> {
    const signature = newSignature();
    switch (operation) {
      case 'see dust':
      case 'see part':
      case 'see rest':
      case 'see too much':
        seen = { signature, blockTime: service.clock.now(), cents: centsOf(model, operation) };
        signatures.push(signature);
        await bring(service, shop, session, 0, { ...seen, baseUnits: unitsOf(seen.cents), isFinal: false });
        return undefined;
      case 'make final':
        await bring(service, shop, session, 0, { ...seen!, baseUnits: unitsOf(seen!.cents) });
        return undefined;
      case 'vanish': {
        const gone = seen!.signature;
        await service.db.transaction((tx) => revertDroppedTransfer(tx, gone, PAYOUT, service.clock.now()));
        return undefined;
      }
      case 'pay dust':
      case 'pay part':
      case 'pay rest':
      case 'pay too much':
        signatures.push(signature);
        await bring(service, shop, session, 0, {
          signature,
          baseUnits: unitsOf(centsOf(model, operation)),
        });
        return undefined;
      case 'fail':
        await bring(service, shop, session, 0, { signature, hasFailed: true });
        return undefined;
      case 'cancel':
        return (await shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`)).status;
      case 'run':
        await readPast(service, service.clock.now());
        await runDue(service);
        return undefined;
      case 'run unread':
        await runDue(service);
        return undefined;
      case 'time passes':
        await advance(service, model.era === 0 ? 1.01 : 30, { isRead: false });
        return undefined;
      case 'link part':
      case 'link too much': {
        signatures.push(signature);
        await arrive(service, shop.id, { signature, baseUnits: unitsOf(centsOf(model, operation)) });
        const body = { paymentIntentId: session.paymentIntentId };
        const [exception] = await exceptionsOf([signature]);
        return (await shop.call('POST', `/api/v2/exceptions/${exception!.id}/link`, body)).status;
      }
      case 'mark returned': {
        const open = (await exceptionsOf(signatures)).find(({ status }) => status === 'open')!;
        return (await shop.call('POST', `/api/v2/exceptions/${open.id}/mark-returned`)).status;
      }
      case 'spend credit': {
        const body = { deltaCents: -model.accountCredit, reason: 'spent' };
        const { customerId } = await readSession(shop, session.id);
        const path = `/api/v2/customers/${customerId}/balance-adjustments`;
        expect((await shop.call('POST', path, body)).status).toBe(201);
        return undefined;
      }
    }
  }

  const walk: Walk = {
    model: { ...START, customer },
    async step(operation) {
      const expected = next(walk.model, operation);
      const status = await perform(operation, walk.model);
      taken.push(operation);
      if (status !== undefined) {
        expect([taken, status]).toEqual([taken, expected.refused ?? 200]);
      }
      walk.model = expected.model;
      if (walk.model.seen === null) seen = undefined;
      expect({ taken, ...(await observe(session, signatures)) }).toEqual({
        taken,
        ...predict(walk.model),
      });
      const { id, invoiceId, paymentIntentId } = await readSession(shop, session.id);
      const untold = await listUntoldOf(service, shop, [id, invoiceId, paymentIntentId]);
      expect({ taken, untold }).toEqual({ taken, untold: [] });
    },
  };
  return walk;
}

interface Made {
  id: string;
}

async function observe({ id }: Made, signatures: string[]) {
  const session = await readSession(shop, id);
  const [row] = await service.db.query<Record<'invoice' | 'intent', string> & Record<string, bigint>>(
    `select v.number, v.status as invoice, i.status as intent, v.amount_paid_cents as paid,
            div(i.received_base_units, 10000) as received, coalesce(b.cents, 0) as cents,
            coalesce(b.credits, 0) as credits
       from checkout_sessions s
       join invoices v on v.checkout_session_id = s.id
       join payment_intents i on i.id = s.payment_intent_id
       left join balances b on b.customer_id = s.customer_id
      where s.id = $1`,
    [id],
  );
  const exceptions = await exceptionsOf(signatures);
  return {
    session: session.status,
    paymentStatus: session.paymentStatus,
    invoice: row!.invoice,
    intent: row!.intent,
    received: [session.amountReceivedCents, Number(row!.paid), Number(row!.received)],
    accountCredit: Number(row!.cents),
    credits: Number(row!.credits),
    isNumbered: row!.number !== null,
    exceptions: exceptions.map(({ kind, cents, status }) => `${kind} ${cents} ${status}`).sort(),
  };
}

function predict(model: Model): Awaited<ReturnType<typeof observe>> {
  const received = receivedOf(model);
  return {
    session: model.session,
    paymentStatus: paymentStatusOf(model),
    invoice: invoiceOf(model),
    intent: intentOf(model),
    // Unapplied money no longer belongs to its invoice.
    received: [received, model.isUnapplied ? 0 : received, received].map(Math.floor),
    accountCredit: model.accountCredit,
    credits: model.customer !== 'none' && model.session === 'complete' ? CREDITS : 0,
    isNumbered: model.customer !== 'with money' || hasMoney(model),
    exceptions: model.exceptions
      .map(({ kind, cents, status }) => `${kind} ${Math.floor(cents)} ${status}`)
      .sort(),
  };
}

/** Lists exceptions in the order they were raised. */
async function exceptionsOf(signatures: string[]) {
  return service.db.query<{ id: string; kind: string; cents: bigint; status: string }>(
    `select id, kind, div(base_units, 10000) as cents, status from payment_exceptions
      where merchant_id = $1 and signature = any($2) order by id`,
    [shop.id, signatures],
  );
}
