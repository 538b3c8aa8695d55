import type { Customer } from '../../accounts/customers/customer.ts';
import {
  type CustomerBatch,
  findOrCreateCustomers,
} from '../../accounts/customers/find-or-create-customers.ts';
import { lockCustomersForUse } from '../../accounts/customers/queries.ts';
import type { Project } from '../../accounts/projects/project.ts';
import { lockProjectsForUse } from '../../accounts/projects/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { claimTogether } from '../../platform/idempotency/claim-together.ts';
import type { KeyClaim } from '../../platform/idempotency/with-idempotency.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { byName, distinctRefs, nameOf, type Ref } from '../../platform/lib/ref.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { listPricesByRef } from '../catalog/queries.ts';
import { type DiscountBatch, lockDiscounts } from '../discounts/discount-batch.ts';
import { heldFrom, redeem } from '../discounts/redeem.ts';
import { readRates } from '../pricing/read-rates.ts';
import type { TaxTerms } from '../pricing/tax.ts';
import type { TaxRate } from '../tax-rates/tax-rate.ts';
import {
  type CreateSession,
  checkUrls,
  discounted,
  givenCustomerId,
  namedCustomer,
  priceIdsOf,
  sessionOf,
  whatIsBought,
} from './create-session.ts';
import { createSessionsWithInvoices, draftSession, type OpenSession } from './create-session-with-invoice.ts';
import { listDestinations } from './creation-queries.ts';
import type { FindPrice, LineItem } from './line-items.ts';
import { redemptionOf, type Session } from './session.ts';
import { taxLines } from './tax-lines.ts';

export type SessionRequest = Omit<CreateSession, 'now'> & {
  claim: KeyClaim | undefined;
  /** The bytes a session is answered with. */
  write(session: Session): string;
};

/**
 * Creates many sessions, each with its key and stored answer, in the caller's transaction and with one read of
 * everything they need. Returns undefined for a session that is out of the ordinary (refused, repeated, under a
 * volume limit, a subscription): nothing of it was written, and it must be tried alone to learn why.
 */
export async function createSessions(
  tx: Tx,
  requests: readonly SessionRequest[],
  now: Date,
): Promise<(string | undefined)[]> {
  const found = await lookUp(tx, requests, now);
  const drafts = requests.map((request) => draft(request, found, now));
  const claims = drafts.flatMap((made) => {
    if (!made?.request.claim) return [];
    return [{ ...made.request.claim, resourceId: made.session.id, status: 201, answer: made.answer }];
  });
  const claimed = await claimTogether(tx, claims, now);
  const isOpened = (made: Draft | undefined): made is Draft =>
    made !== undefined && (!made.request.claim || claimed.has(made.session.id));
  const opened = drafts.filter(isOpened);
  if (opened.length > 0) {
    const customerEvents = await found.customers.write(
      tx,
      opened.flatMap((made) => made.newCustomer ?? []),
    );
    const sessions = await createSessionsWithInvoices(
      tx,
      opened.map(({ open, session }) => ({ input: open, session })),
    );
    await redeem(
      tx,
      opened.flatMap(({ session }) => (session.discount ? [redemptionOf(session)] : [])),
      heldFrom(now),
    );
    await appendEvents(tx, [...customerEvents, ...sessions.flatMap(({ events }) => events)], now);
  }
  return drafts.map((made) => (isOpened(made) ? made.answer : undefined));
}

interface Found {
  projects: Map<string, Project>;
  prices: Map<string, CatalogPrice>;
  destinations: Map<string, string | null>;
  customers: CustomerBatch;
  /** Customers given by their id. */
  customersById: Map<string, Customer>;
  /** Read only where something is taxed. */
  rates: TaxRate[];
  /** Locked, by the project and whatever names them. */
  discounts: DiscountBatch;
}

async function lookUp(tx: Tx, requests: readonly SessionRequest[], now: Date): Promise<Found> {
  const projects = await lockProjectsForUse(tx, distinctRefs(requests.map(projectOf), 'id'));
  const priceRefs = requests.flatMap(({ merchantId, body }) =>
    priceIdsOf(body).map((id) => ({ merchantId, id })),
  );
  const prices = await listPricesByRef(tx, distinctRefs(priceRefs, 'id'));
  const items = requests.flatMap(({ body }) => (body.lineItems ?? []).map(termsOf));
  const rates = await readRates(
    tx,
    projects.map(({ merchantId, id: projectId }) => ({ merchantId, projectId })),
    [...prices, ...items],
  );
  const destinations = await listDestinations(tx, projects);
  const discounts = await lockDiscounts(
    tx,
    requests.map(({ merchantId, body }) => ({ merchantId, ...body })),
  );
  const customers = await findOrCreateCustomers(
    tx,
    requests.filter(({ body }) => !body.customerId).map((request) => customerOf(request, now)),
  );
  const customerRefs = requests.flatMap(({ merchantId, body }) =>
    body.customerId ? [{ merchantId, id: body.customerId.toLowerCase() }] : [],
  );
  const byId =
    customerRefs.length === 0 ? [] : await lockCustomersForUse(tx, distinctRefs(customerRefs, 'id'));
  return {
    projects: byName(projects),
    prices: byName(prices),
    destinations: new Map(
      destinations.map(({ merchantId, projectId: id, destination }) => [
        nameOf({ merchantId, id }),
        destination,
      ]),
    ),
    customers,
    customersById: byName(byId),
    rates,
    discounts,
  };
}

function termsOf({ taxBehavior = 'none', taxRateId = null }: LineItem): TaxTerms {
  return { taxBehavior, taxRateId };
}

function projectOf({ merchantId, body }: SessionRequest): Ref {
  return { merchantId, id: body.projectId.toLowerCase() };
}

function customerOf({ merchantId, body, emailSource }: SessionRequest, now: Date) {
  return { merchantId, projectId: body.projectId.toLowerCase(), ...namedCustomer(body), emailSource, now };
}

/** Adds the discount that the session requests; undefined if that needs a closer look. */
function withDiscount(
  open: OpenSession,
  { body, merchantId }: SessionRequest,
  found: Found,
  findPrice: FindPrice,
): OpenSession | undefined {
  if (body.discountId == null && body.promotionCode == null) return open;
  const given = found.discounts.take({ merchantId, ...body }, open.now);
  if (!given) return undefined;
  const lines = discounted(open.lines, given, body, (id) => findPrice(id)?.productId);
  return { ...open, lines, discount: given.applied };
}

interface Draft {
  request: SessionRequest;
  open: OpenSession;
  session: Session;
  answer: string;
  newCustomer: Customer | undefined;
}

function draft(request: SessionRequest, found: Found, now: Date): Draft | undefined {
  const { body, merchantId } = request;
  if (body.mode === 'subscription' || body.trialDays != null) return undefined;
  const project = found.projects.get(nameOf(projectOf(request)));
  if (!project || project.archivedAt || project.monthlyVolumeLimitCents !== null) return undefined;
  const destination = found.destinations.get(nameOf(project)) ?? undefined;
  if (destination === undefined || destination !== request.destination) return undefined;
  const findPrice = (id: string) => {
    const price = found.prices.get(nameOf({ merchantId, id }));
    return price?.projectId === project.id ? price : undefined;
  };
  try {
    const urls = checkUrls(body, request);
    const bought = whatIsBought(body, findPrice);
    const taken = takeCustomer(request, found, project, now);
    if (taken === undefined) return undefined;
    const customer = taken?.customer;
    const lines = taxLines(bought.lines, bought.terms, { project, customer, rates: found.rates });
    const plain = sessionOf({ ...request, ...urls, ...bought, lines, project, destination, customer, now });
    const open = withDiscount(plain, request, found, findPrice);
    if (!open) return undefined;
    const session = draftSession(open);
    if (session.amountCents === 0n) return undefined;
    return {
      request,
      open,
      session,
      answer: request.write(session),
      newCustomer: taken?.isNew ? taken.customer : undefined,
    };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Undefined: the customer does not exist, or is being created by another request. */
function takeCustomer(
  request: SessionRequest,
  found: Found,
  project: Project,
  now: Date,
): ReturnType<CustomerBatch['take']> {
  const id = givenCustomerId(request.body);
  if (id === undefined) return found.customers.take(customerOf(request, now));
  const customer = found.customersById.get(nameOf({ merchantId: request.merchantId, id }));
  return customer?.projectId === project.id ? { customer, isNew: false } : undefined;
}
