import type { Customer, EmailSource } from '../../accounts/customers/customer.ts';
import { findOrCreateCustomer } from '../../accounts/customers/find-or-create-customer.ts';
import { lockCustomerForUse } from '../../accounts/customers/queries.ts';
import type { Project } from '../../accounts/projects/project.ts';
import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import { type Metadata, newMetadata } from '../../platform/lib/metadata.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { listPricesByRef } from '../catalog/queries.ts';
import { type GivenDiscount, lockGiven, type NamedDiscount } from '../discounts/find-given.ts';
import { type ProductOf, priceLines } from '../discounts/price-lines.ts';
import { heldFrom, redeem, requireGivable } from '../discounts/redeem.ts';
import { type InvoiceLine, sumOfDiscounts } from '../invoices/invoice.ts';
import { readRates } from '../pricing/read-rates.ts';
import { UNTAXED } from '../pricing/tax.ts';
import { BILLING_REASONS, createCheckout } from './create-checkout.ts';
import type { OpenSession } from './create-session-with-invoice.ts';
import { requireDestination } from './destination.ts';
import { type Bought, buyItems, type FindPrice, type LineItem } from './line-items.ts';
import { lineOfAmount, lineOfPrice, requireOnSale } from './price-line.ts';
import { checkReturnUrl } from './return-url.ts';
import { redemptionOf, SESSION_LIFE_MS, type Session } from './session.ts';
import { withTrial } from './session-trial.ts';
import { taxLines } from './tax-lines.ts';
import { checkTipPercents } from './tip.ts';

export interface CreateSessionBody {
  projectId: string;
  mode: Session['mode'];
  priceId?: string;
  amountCents?: Cents;
  lineItems?: LineItem[];
  discountId?: string | null;
  promotionCode?: string | null;
  allowPromotionCodes?: boolean;
  tipPercents?: number[];
  trialDays?: number | null;
  merchantReference?: string | null;
  successUrl?: string | null;
  cancelUrl?: string | null;
  customerId?: string | null;
  externalCustomerId?: string | null;
  customerEmail?: string | null;
  customerName?: string | null;
  metadata?: Metadata;
}

export interface CreateSession {
  merchantId: string;
  body: CreateSessionBody;
  /** Source of the e-mail address in the body. */
  emailSource: EmailSource;
  /** Payout address as looked up before; it is watched. */
  destination: string | undefined;
  publicUrl: string;
  allowLoopback: boolean;
  now: Date;
}

/** Creates a session for a key: checks price, customer and limits, and opens it with its invoice and intent. */
export async function createSession(tx: Tx, input: CreateSession): Promise<Session> {
  const { merchantId, body } = input;
  const urls = checkUrls(body, input);
  const project = await requireActiveProject(tx, { merchantId, id: body.projectId.toLowerCase() });
  const projectId = project.id;
  const prices = await listPricesByRef(
    tx,
    [...new Set(priceIdsOf(body))].map((id) => ({ merchantId, id })),
  );
  const bought = whatIsBought(body, (id) =>
    prices.find((price) => price.id === id && price.projectId === projectId),
  );
  const destination = await requireDestination(tx, { merchantId, projectId }, input.destination);
  const customer = await customerOf(tx, { merchantId, projectId }, input);
  const rates = await readRates(tx, [{ merchantId, projectId }], bought.terms);
  const lines = taxLines(bought.lines, bought.terms, { project, customer, rates });
  const plain = sessionOf({ ...input, ...urls, ...bought, lines, project, destination, customer });
  const plan = prices.find(({ id }) => id === bought.priceId);
  const open = await withTrial(tx, plain, plan, body.trialDays);
  const productOf = (id: string) => prices.find((price) => price.id === id)?.productId;
  return createDiscounted(tx, open, plain.lines, body, productOf);
}

/**
 * Creates a session with the requested discount, which is counted in the same transaction. `fullLines` are what is
 * bought at full price: after a trial the discount is for the periods that are paid.
 */
async function createDiscounted(
  tx: Tx,
  open: OpenSession,
  fullLines: readonly InvoiceLine[],
  named: NamedDiscount,
  productOf: ProductOf,
): Promise<Session> {
  const { project, customer, now } = open;
  const given = await lockGiven(tx, { merchantId: project.merchantId, projectId: project.id }, named);
  if (!given) return createCheckout(tx, open);
  const redeemer = { customerId: customer?.id ?? null, email: open.customerEmail, isTyped: false };
  await requireGivable(tx, given.discount, redeemer, named, now);
  const lines = open.trialDays
    ? keptForLater(open.lines, fullLines, given, named, productOf)
    : discounted(open.lines, given, named, productOf);
  const session = await createCheckout(tx, {
    ...open,
    lines,
    discount: given.applied,
    given: given.discount,
  });
  await redeem(tx, [redemptionOf(session)], heldFrom(session.createdAt));
  return session;
}

/** Returns the lines with a discount applied; a discount that takes nothing off is a mistake. */
export function discounted(
  lines: readonly InvoiceLine[],
  { discount }: GivenDiscount,
  named: NamedDiscount,
  productOf: ProductOf,
): InvoiceLine[] {
  const left = priceLines(lines, discount, productOf);
  if (sumOfDiscounts(left) > 0n) return left;
  throw badField(
    named.promotionCode == null ? 'discountId' : 'promotionCode',
    'applies to nothing in this checkout',
  );
}

/** A trial's discount takes nothing off now, but must apply to the plan. */
export function keptForLater(
  lines: readonly InvoiceLine[],
  fullLines: readonly InvoiceLine[],
  given: GivenDiscount,
  named: NamedDiscount,
  productOf: ProductOf,
): InvoiceLine[] {
  discounted(fullLines.slice(0, 1), given, named, productOf);
  return [...lines];
}

/** The customer whose id is given, or the one that the other fields name. */
async function customerOf(
  tx: Tx,
  place: { merchantId: string; projectId: string },
  { body, emailSource, now }: CreateSession,
): Promise<Customer | undefined> {
  const id = givenCustomerId(body);
  if (id === undefined)
    return findOrCreateCustomer(tx, { ...place, ...namedCustomer(body), emailSource, now });
  const customer = await lockCustomerForUse(tx, { ...place, id });
  if (!customer) throw badField('customerId', 'must be the id of a customer of this project');
  return customer;
}

export function givenCustomerId({ customerId, externalCustomerId }: CreateSessionBody): string | undefined {
  if (customerId === undefined || customerId === null) return undefined;
  if (externalCustomerId !== undefined && externalCustomerId !== null)
    throw badField('customerId', 'cannot be combined with externalCustomerId');
  return customerId.toLowerCase();
}

export function checkUrls(body: CreateSessionBody, rules: { allowLoopback: boolean }) {
  return {
    successUrl: checkReturnUrl('successUrl', body.successUrl, rules),
    cancelUrl: checkReturnUrl('cancelUrl', body.cancelUrl, rules),
  };
}

/** Every price that a request names. */
export function priceIdsOf({ priceId, lineItems = [] }: CreateSessionBody): string[] {
  return [priceId, ...lineItems.map((item) => item.priceId)].flatMap((id) => id?.toLowerCase() ?? []);
}

/** A price of the catalog, a custom amount, or several lines of either. */
export function whatIsBought(body: CreateSessionBody, findPrice: FindPrice): Bought {
  const { mode, priceId, amountCents, lineItems, merchantReference } = body;
  if (lineItems !== undefined) {
    if (priceId !== undefined) throw badField('priceId', 'cannot be combined with lineItems');
    if (amountCents !== undefined) throw badField('amountCents', 'cannot be combined with lineItems');
    return buyItems(mode, lineItems, findPrice);
  }
  if (priceId === undefined) {
    if (amountCents === undefined) throw badField('priceId', 'or amountCents or lineItems is required');
    if (mode !== 'one_time') throw badField('priceId', `is required for ${mode}`);
    return {
      lines: [lineOfAmount(amountCents, merchantReference ?? null)],
      terms: [UNTAXED],
      priceId: null,
      creditAmount: null,
    };
  }
  if (amountCents !== undefined) throw badField('amountCents', 'cannot be combined with priceId');
  return buyPrice(mode, findPrice(priceId.toLowerCase()));
}

function buyPrice(mode: Session['mode'], price: CatalogPrice | undefined): Bought {
  if (!price) throw badField('priceId', 'must be the id of a price of this project');
  if (price.billingMode !== mode)
    throw badField('mode', `must be ${price.billingMode}, like the price’s billingMode`);
  requireOnSale(price);
  const { id: priceId, creditAmount } = price;
  return { lines: [lineOfPrice(price)], terms: [price], priceId, creditAmount };
}

export function namedCustomer({ externalCustomerId, customerEmail, customerName }: CreateSessionBody) {
  return {
    externalCustomerId: externalCustomerId ?? null,
    email: customerEmail ?? null,
    name: customerName ?? null,
  };
}

interface Checked extends Bought {
  body: CreateSessionBody;
  project: Project;
  destination: string;
  customer: Customer | undefined;
  successUrl: string | null;
  cancelUrl: string | null;
  publicUrl: string;
  now: Date;
}

/** Describes the session to create, once everything it needs has been found. */
export function sessionOf({ body, customer, now, ...found }: Checked): OpenSession {
  if (!customer && body.mode !== 'one_time') {
    throw badField(
      'externalCustomerId',
      `(or customerId, customerEmail or customerName) is required for ${body.mode}`,
    );
  }
  return {
    project: found.project,
    destination: found.destination,
    mode: body.mode,
    origin: 'key',
    priceId: found.priceId,
    creditAmount: found.creditAmount,
    lines: found.lines,
    allowPromotionCodes: body.allowPromotionCodes ?? false,
    tipPercents: checkTipPercents(body.tipPercents, body.mode),
    billingReason: BILLING_REASONS[body.mode],
    customer,
    customerEmail: body.customerEmail ?? customer?.email ?? null,
    customerName: body.customerName ?? customer?.name ?? null,
    merchantReference: body.merchantReference ?? null,
    clientReferenceId: null,
    metadata: newMetadata(body.metadata),
    paymentLinkId: null,
    successUrl: found.successUrl,
    cancelUrl: found.cancelUrl,
    publicUrl: found.publicUrl,
    expiresAt: new Date(now.getTime() + SESSION_LIFE_MS),
    now,
  };
}
