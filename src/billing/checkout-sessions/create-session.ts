import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import { findPrice } from '../../accounts/catalog/queries.ts';
import type { Customer } from '../../accounts/customers/customer.ts';
import { findOrCreateCustomer } from '../../accounts/customers/find-or-create-customer.ts';
import type { Project } from '../../accounts/projects/project.ts';
import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { InvoiceLine } from '../../money/invoices/invoice.ts';
import type { Tx } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { BILLING_REASONS, createCheckout } from './create-checkout.ts';
import type { OpenSession } from './create-session-with-invoice.ts';
import { requireDestination } from './destination.ts';
import { lineOfAmount, lineOfPrice, requireOnSale } from './price-line.ts';
import { checkReturnUrl } from './return-url.ts';
import { SESSION_LIFE_MS, type Session } from './session.ts';

export interface CreateSessionBody {
  projectId: string;
  mode: Session['mode'];
  priceId?: string;
  amountCents?: Cents;
  merchantReference?: string | null;
  successUrl?: string | null;
  cancelUrl?: string | null;
  externalCustomerId?: string | null;
  customerEmail?: string | null;
  customerName?: string | null;
}

export interface CreateSession {
  merchantId: string;
  body: CreateSessionBody;
  /** As looked up before, and watched. */
  destination: string | undefined;
  publicUrl: string;
  allowLoopback: boolean;
  now: Date;
}

/** Creates a session for a key: checks price, customer and limits, and opens it with its invoice and intent. */
export async function createSession(tx: Tx, input: CreateSession): Promise<Session> {
  const { merchantId, body, now } = input;
  const urls = checkUrls(body, input);
  const project = await requireActiveProject(tx, { merchantId, id: body.projectId.toLowerCase() });
  const projectId = project.id;
  const priceId = body.priceId?.toLowerCase();
  const price = priceId && (await findPrice(tx, { merchantId, id: priceId, projectId }));
  const bought = whatIsBought(body, price || undefined);
  const destination = await requireDestination(tx, { merchantId, projectId }, input.destination);
  const customer = await findOrCreateCustomer(tx, { merchantId, projectId, ...namedCustomer(body), now });
  return createCheckout(tx, sessionOf({ ...input, ...urls, ...bought, project, destination, customer }));
}

export function checkUrls(body: CreateSessionBody, rules: { allowLoopback: boolean }) {
  return {
    successUrl: checkReturnUrl('successUrl', body.successUrl, rules),
    cancelUrl: checkReturnUrl('cancelUrl', body.cancelUrl, rules),
  };
}

/** A price of the catalog, or a custom amount. */
export function whatIsBought(
  { mode, priceId, amountCents, merchantReference }: CreateSessionBody,
  price: CatalogPrice | undefined,
): Bought {
  if (priceId === undefined) {
    if (amountCents === undefined) throw badField('priceId', 'or amountCents is required');
    if (mode !== 'one_time') throw badField('priceId', `is required for ${mode}`);
    return { line: lineOfAmount(amountCents, merchantReference ?? null), price: undefined };
  }
  if (amountCents !== undefined) throw badField('amountCents', 'cannot be combined with priceId');
  if (!price) throw badField('priceId', 'must be the id of a price of this project');
  if (price.billingMode !== mode)
    throw badField('mode', `must be ${price.billingMode}, like the price’s billingMode`);
  requireOnSale(price);
  return { line: lineOfPrice(price), price };
}

interface Bought {
  line: InvoiceLine;
  price: CatalogPrice | undefined;
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

/** What is to be created, once everything it needs has been found. */
export function sessionOf({ body, line, price, customer, now, ...found }: Checked): OpenSession {
  if (!customer && body.mode !== 'one_time') {
    throw badField('externalCustomerId', `(or customerEmail or customerName) is required for ${body.mode}`);
  }
  return {
    project: found.project,
    destination: found.destination,
    mode: body.mode,
    origin: 'key',
    priceId: price?.id ?? null,
    creditAmount: price?.creditAmount ?? null,
    lines: [line],
    billingReason: BILLING_REASONS[body.mode],
    customer,
    customerEmail: body.customerEmail ?? customer?.email ?? null,
    customerName: body.customerName ?? customer?.name ?? null,
    merchantReference: body.merchantReference ?? null,
    clientReferenceId: null,
    paymentLinkId: null,
    successUrl: found.successUrl,
    cancelUrl: found.cancelUrl,
    publicUrl: found.publicUrl,
    expiresAt: new Date(now.getTime() + SESSION_LIFE_MS),
    now,
  };
}
