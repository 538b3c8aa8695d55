import { CustomerView } from '../../accounts/customers/present.ts';
import { Expanded } from '../../platform/http/expand.ts';
import { MetadataView } from '../../platform/http/metadata-schema.ts';
import {
  Flag,
  Int32,
  Int64,
  List,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { ExpandedPriceView } from '../catalog/present.ts';
import { AppliedDiscountView, InvoiceView, presentTaxes, RateTotalView } from '../invoices/present.ts';
import { SubscriptionView } from '../subscriptions/present.ts';
import { MODES, PAYMENT_STATUSES, SESSION_STATUSES, type Session } from './session.ts';

export const SessionLineView = Shape('CheckoutSessionLine', {
  priceId: Nullable(Uuid()),
  description: Text({ max: 2000 }),
  quantity: Int64(),
  unitAmountCents: Int64(),
  amountCents: Int64(),
  discountCents: Int64({ description: 'Its share of the discount.' }),
  taxCents: Int64({ description: 'Its share of the tax: contained in the amount, or added to it.' }),
});

export const SessionView = Shape('CheckoutSession', {
  id: Uuid(),
  projectId: Uuid(),
  mode: OneOf(MODES),
  status: OneOf(SESSION_STATUSES),
  paymentStatus: OneOf(PAYMENT_STATUSES),
  priceId: Nullable(Uuid()),
  amountCents: Int64(),
  currency: Text(),
  lineItems: List(SessionLineView),
  discount: Nullable(AppliedDiscountView),
  discountCents: Int64(),
  taxes: { ...List(RateTotalView), description: 'The tax by rate; an empty list where none is charged.' },
  taxCents: Int64({ description: 'All tax, contained in the amounts or added to them.' }),
  allowPromotionCodes: Flag('Whether the customer can enter a promotion code on the page.'),
  amountReceivedCents: Int64({ description: 'What has finally arrived so far.' }),
  customerId: Nullable(Uuid('For a payment link: null until the first money is final.')),
  externalCustomerId: Nullable(Text()),
  customerEmail: Nullable(Text({ max: 254 })),
  customerName: Nullable(Text()),
  merchantReference: Nullable(Text({ description: 'Your own name for what is bought.' })),
  clientReferenceId: Nullable(
    Text({ max: 200, description: 'A label the browser sent; not proof of identity.' }),
  ),
  paymentLinkId: Nullable(Uuid()),
  invoiceId: Uuid(),
  subscriptionId: Nullable(Uuid('For a payment link: null until the first money is final.')),
  paymentIntentId: Uuid(),
  checkoutUrl: Text({ max: 2048, description: 'The hosted page to send the customer to.' }),
  successUrl: Nullable(Text({ max: 2048 })),
  cancelUrl: Nullable(Text({ max: 2048 })),
  expiresAt: Timestamp(),
  completedAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
  metadata: MetadataView,
  trialDays: Nullable(
    Int32({ description: 'How many days of the subscription are free at first; null: it has no trial.' }),
  ),
  tipPercents: {
    ...List(Int32()),
    description: 'What tips the page offers; an empty list where none can be added.',
  },
  tipCents: Int64({ description: 'The tip the customer added; it is the last of the lineItems.' }),
});

export const ExpandedSessionView = Expanded('ExpandedCheckoutSession', SessionView, {
  customer: Nullable(CustomerView),
  price: Nullable(ExpandedPriceView),
  invoice: InvoiceView,
  subscription: Nullable(SubscriptionView),
});

export function presentSession(session: Session) {
  return {
    id: session.id,
    projectId: session.projectId,
    mode: session.mode,
    status: session.status,
    paymentStatus: session.paymentStatus,
    priceId: session.priceId,
    amountCents: session.amountCents,
    currency: 'USD',
    lineItems: session.lines.map(presentLine),
    discount: session.discount,
    discountCents: session.discountCents,
    tipPercents: session.tipPercents,
    tipCents: session.tipCents,
    trialDays: session.trialDays,
    taxes: presentTaxes(session.lines),
    taxCents: session.taxCents,
    allowPromotionCodes: session.allowPromotionCodes,
    amountReceivedCents: saturateInt64(session.amountReceivedCents),
    customerId: session.customerId,
    externalCustomerId: session.externalCustomerId,
    customerEmail: session.customerEmail,
    customerName: session.customerName,
    merchantReference: session.merchantReference,
    clientReferenceId: session.clientReferenceId,
    metadata: session.metadata,
    paymentLinkId: session.paymentLinkId,
    invoiceId: session.invoiceId,
    subscriptionId: session.subscriptionId,
    paymentIntentId: session.paymentIntentId,
    checkoutUrl: session.checkoutUrl,
    successUrl: session.successUrl,
    cancelUrl: session.cancelUrl,
    expiresAt: session.expiresAt,
    completedAt: session.completedAt,
    createdAt: session.createdAt,
  };
}

function presentLine(line: Session['lines'][number]) {
  const { priceId, description, quantity, unitAmountCents, amountCents, discountCents, taxCents } = line;
  return { priceId, description, quantity, unitAmountCents, amountCents, discountCents, taxCents };
}
