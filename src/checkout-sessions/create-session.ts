import { findPrice } from '../catalog/find-price.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { takeCustomer } from '../customers/take-customer.ts';
import type { Tx } from '../db/database.ts';
import type { InvoiceLine } from '../invoices/invoice.ts';
import { badField } from '../lib/errors.ts';
import type { Cents } from '../lib/money.ts';
import { takeProject } from '../projects/take-project.ts';
import { requireDestination } from './destination.ts';
import { openSession } from './open-session.ts';
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

/** A session asked for by a key: its price, customer and limits are checked, and it is opened with all it needs. */
export async function createSession(tx: Tx, input: CreateSession): Promise<Session> {
  const { merchantId, body, now, publicUrl } = input;
  const rules = { allowLoopback: input.allowLoopback };
  const successUrl = checkReturnUrl('successUrl', body.successUrl, rules);
  const cancelUrl = checkReturnUrl('cancelUrl', body.cancelUrl, rules);
  const project = await takeProject(tx, { merchantId, id: body.projectId.toLowerCase() });
  const projectId = project.id;
  const { line, price } = await whatIsBought(tx, merchantId, projectId, body);
  const destination = await requireDestination(tx, { merchantId, projectId }, input.destination);
  const customer = await takeCustomer(tx, {
    merchantId,
    projectId,
    externalCustomerId: body.externalCustomerId ?? null,
    email: body.customerEmail ?? null,
    name: body.customerName ?? null,
    now,
  });
  if (!customer && body.mode !== 'one_time') {
    throw badField('externalCustomerId', `(or customerEmail or customerName) is required for ${body.mode}`);
  }
  return openSession(tx, {
    project,
    destination,
    mode: body.mode,
    origin: 'key',
    priceId: price?.id ?? null,
    creditAmount: price?.creditAmount ?? null,
    lines: [line],
    billingReason: body.mode === 'balance_top_up' ? 'balance_top_up' : 'one_time',
    customer,
    customerEmail: body.customerEmail ?? customer?.email ?? null,
    customerName: body.customerName ?? customer?.name ?? null,
    merchantReference: body.merchantReference ?? null,
    clientReferenceId: null,
    paymentLinkId: null,
    successUrl,
    cancelUrl,
    publicUrl,
    expiresAt: new Date(now.getTime() + SESSION_LIFE_MS),
    now,
  });
}

/** A price of the catalog, or an amount of one's own. */
async function whatIsBought(
  tx: Tx,
  merchantId: string,
  projectId: string,
  { mode, priceId, amountCents, merchantReference }: CreateSessionBody,
): Promise<{ line: InvoiceLine; price?: CatalogPrice }> {
  if (priceId === undefined) {
    if (amountCents === undefined) throw badField('priceId', 'or amountCents is required');
    if (mode !== 'one_time') throw badField('priceId', `is required for ${mode}`);
    return { line: lineOfAmount(amountCents, merchantReference ?? null) };
  }
  if (amountCents !== undefined) throw badField('amountCents', 'cannot be given together with priceId');
  const price = await findPrice(tx, { merchantId, id: priceId.toLowerCase(), projectId });
  if (!price) throw badField('priceId', 'does not name a price of this project');
  if (price.billingMode !== mode) throw badField('mode', `must be ${price.billingMode}, as the price says`);
  requireOnSale(price);
  return { line: lineOfPrice(price), price };
}
