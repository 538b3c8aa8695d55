import { listCustomersByRef } from '../../accounts/customers/queries.ts';
import { lockProjectsForUse } from '../../accounts/projects/queries.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { byName, distinctRefs, nameOf, type Ref } from '../../platform/lib/ref.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { listPricesByRef } from '../catalog/queries.ts';
import {
  createSessionsWithInvoices,
  draftSession,
} from '../checkout-sessions/create-session-with-invoice.ts';
import { findDestinations } from '../checkout-sessions/destination.ts';
import { listSettling } from '../checkout-sessions/settling-queries.ts';
import { listDiscountsByRef } from '../discounts/queries.ts';
import { emailCustomers } from '../invoices/email-customer.ts';
import { amountOfLines } from '../invoices/invoice.ts';
import { readRates } from '../pricing/read-rates.ts';
import { askForRenewals } from '../subscriptions/change-subscription.ts';
import { type DueRef, lockUnasked } from '../subscriptions/due-queries.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { nextStep } from '../subscriptions/timeline.ts';
import {
  askedFor,
  type DiscountedRenewal,
  draftRenewal,
  emailOf,
  type RenewalDraft,
  sessionFor,
} from './create-renewal.ts';
import { isUnpriceable } from './set-aside.ts';

/** Payout address of each project, by the project's name. */
export type Destinations = ReadonlyMap<string, string>;

export interface CreateDueRenewals {
  due: readonly DueRef[];
  /** Payout addresses as looked up before; they are watched. */
  destinations: Destinations;
  publicUrl: string;
  now: Date;
}

/**
 * Requests the next period of many subscriptions in the caller's transaction, with as many statements for a thousand
 * as for one. Returns which; a subscription that is out of the ordinary (locked by another, with account credit, due
 * for another step, without an address, with money still to settle, impossible to price) is left unchanged, to be handled one at a time.
 */
export async function createDueRenewals(tx: Tx, input: CreateDueRenewals): Promise<Set<string>> {
  const { due, now } = input;
  const subscriptions = await lockUnasked(tx, due, now);
  if (subscriptions.length === 0) return new Set();
  const drafts = await draftAll(tx, subscriptions, input);
  if (drafts.length > 0) await openAll(tx, drafts, now);
  return new Set(drafts.map(({ draft }) => draft.subscription.id));
}

interface Drafted {
  draft: RenewalDraft;
  input: ReturnType<typeof sessionFor>;
  session: ReturnType<typeof draftSession>;
}

async function draftAll(
  tx: Tx,
  subscriptions: readonly Subscription[],
  { destinations, publicUrl, now }: CreateDueRenewals,
): Promise<Drafted[]> {
  const projects = byName(await lockProjectsForUse(tx, distinctRefs(subscriptions, 'projectId')));
  const prices = byName(await listPrices(tx, subscriptions));
  const customers = byName(await listCustomersByRef(tx, distinctRefs(subscriptions, 'customerId')));
  const current = await listDestinationsByName(tx, [...projects.values()]);
  const settling = await listSettling(tx, subscriptions);
  const discounts = byName(await listDiscountsByRef(tx, discountRefs(subscriptions)));
  const places = [...projects.values()].map(({ merchantId, id: projectId }) => ({ merchantId, projectId }));
  const rates = await readRates(tx, places, [...prices.values()]);
  return subscriptions.flatMap((subscription) => {
    const { merchantId } = subscription;
    const named = (id: string) => nameOf({ merchantId, id });
    const place = named(subscription.projectId);
    const project = projects.get(place)!;
    const customer = customers.get(named(subscription.customerId))!;
    const destination = current.get(place);
    const step = nextStep(subscription, project.settings, null);
    if (step?.kind !== 'open' || step.at > now || customer.accountCreditCents > 0n) return [];
    if (settling.has(subscription.id)) return [];
    if (destination === undefined || destination !== destinations.get(place)) return [];
    const price = prices.get(named(subscription.priceId))!;
    const next = subscription.nextPriceId ? prices.get(named(subscription.nextPriceId))! : price;
    const discount = subscription.discountId ? discounts.get(named(subscription.discountId)) : undefined;
    const draft = draftPriceable(
      { subscription, project, customer, price, discount, rates, destination, publicUrl, now },
      next,
    );
    // Nothing is left to pay: it is paid when it is opened.
    if (!draft || amountOfLines(draft.lines) === 0n) return [];
    const input = sessionFor(draft);
    return [{ draft, input, session: draftSession(input) }];
  });
}

/** Undefined for one that cannot be priced: alone, it is set aside. */
function draftPriceable(input: DiscountedRenewal, next: CatalogPrice): RenewalDraft | undefined {
  try {
    return draftRenewal(input, next, 0n);
  } catch (error) {
    if (isUnpriceable(error)) return undefined;
    throw error;
  }
}

function discountRefs(subscriptions: readonly Subscription[]): Ref[] {
  return subscriptions.flatMap(({ merchantId, discountId }) =>
    discountId === null ? [] : [{ merchantId, id: discountId }],
  );
}

/** The price of the period that runs, and of the one that follows. */
function listPrices(tx: Tx, subscriptions: readonly Subscription[]): Promise<CatalogPrice[]> {
  const changing = subscriptions.flatMap(({ merchantId, nextPriceId }) =>
    nextPriceId === null ? [] : [{ merchantId, priceId: nextPriceId }],
  );
  return listPricesByRef(tx, distinctRefs([...subscriptions, ...changing], 'priceId'));
}

async function openAll(tx: Tx, drafts: readonly Drafted[], now: Date): Promise<void> {
  const opened = await createSessionsWithInvoices(tx, drafts);
  const due = await askForRenewals(
    tx,
    drafts.map(({ draft, session }) => ({ before: draft.subscription, after: askedFor(draft, session) })),
  );
  const events = opened.flatMap((session, i) => [...session.events, due[i]!]);
  await appendEvents(tx, events, now);
  await emailCustomers(
    tx,
    opened.map(({ invoice, session }) => ({ invoice, email: emailOf(session) })),
  );
}

/** Looks up the present payout addresses of these projects. */
export async function listDestinationsByName(
  db: Queryable,
  projects: readonly Ref[],
): Promise<Map<string, string>> {
  const found = await findDestinations(db, projects);
  return new Map(
    found.map(({ merchantId, projectId: id, destination }) => [nameOf({ merchantId, id }), destination]),
  );
}
