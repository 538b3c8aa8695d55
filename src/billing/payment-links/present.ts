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
import { ExpandedPriceView } from '../catalog/present.ts';
import { BILLING_MODES, type CatalogPrice, INTERVALS } from '../catalog/price.ts';
import { amountOfLines, type InvoiceLine } from '../invoices/invoice.ts';
import { presentTaxes, RateTotalView } from '../invoices/present.ts';
import { LINK_STATUSES, type PaymentLink } from './link.ts';

const OpenAmountView = Nullable(
  Shape('OpenAmount', {
    minCents: Int64({ min: 1 }),
    maxCents: Nullable(Int64({ min: 1 })),
    suggestedCents: List(Int64({ min: 1 })),
  }),
);

export const LinkView = Shape('PaymentLink', {
  id: Uuid(),
  projectId: Uuid(),
  productId: Uuid(),
  priceId: Uuid(),
  name: Nullable(Text()),
  status: OneOf(LINK_STATUSES),
  url: Text({ max: 2048, description: 'The public page. Share it anywhere.' }),
  publicToken: Text({ description: 'Names the link on the public routes.' }),
  requireClientReferenceId: Flag(),
  collectCustomerEmail: Flag(),
  allowPromotionCodes: Flag(),
  successUrl: Nullable(Text({ max: 2048 })),
  cancelUrl: Nullable(Text({ max: 2048 })),
  expiresAt: Nullable(Timestamp('When it ends.')),
  maxPayments: Nullable(Int32({ min: 1, description: 'It ends after this many paid sessions.' })),
  paymentsCount: Int32({ description: 'Paid sessions so far.' }),
  openAmount: OpenAmountView,
  tipPercents: { ...List(Int32()), description: 'What tips the checkout page offers.' },
  createdAt: Timestamp(),
  metadata: MetadataView,
});

export const ExpandedLinkView = Expanded('ExpandedPaymentLink', LinkView, { price: ExpandedPriceView });

export function presentLink(link: PaymentLink, publicUrl: string) {
  return {
    id: link.id,
    projectId: link.projectId,
    productId: link.productId,
    priceId: link.priceId,
    name: link.name,
    status: link.status,
    url: `${publicUrl}/pay/${link.publicToken}`,
    publicToken: link.publicToken,
    requireClientReferenceId: link.requireClientReferenceId,
    collectCustomerEmail: link.collectCustomerEmail,
    allowPromotionCodes: link.allowPromotionCodes,
    successUrl: link.successUrl,
    cancelUrl: link.cancelUrl,
    expiresAt: link.expiresAt,
    maxPayments: link.maxPayments,
    paymentsCount: link.paymentsCount,
    openAmount: link.openAmount,
    tipPercents: link.tipPercents,
    metadata: link.metadata,
    createdAt: link.createdAt,
  };
}

/** View of a link for a buyer before a checkout exists: no ids, and only the name of the merchant. */
export const PublicLinkView = Shape('PublicPaymentLink', {
  publicToken: Text(),
  name: Nullable(Text()),
  merchantName: Nullable(Text()),
  productName: Text(),
  productDescription: Nullable(Text({ max: 2000 })),
  priceName: Nullable(Text()),
  unitAmountCents: Int64(),
  currency: Text(),
  billingMode: OneOf(BILLING_MODES),
  creditAmount: Nullable(Int64()),
  recurringInterval: Nullable(OneOf(INTERVALS)),
  recurringIntervalCount: Nullable(Int32()),
  trialDays: Nullable(Int32({ description: 'How many days are free at first.' })),
  requireClientReferenceId: Flag(),
  collectCustomerEmail: Flag(),
  openAmount: OpenAmountView,
  amountCents: Int64({ description: 'What a buyer pays, with tax.' }),
  taxes: List(RateTotalView),
});

export function presentPublicLink(
  link: PaymentLink,
  price: CatalogPrice,
  lines: readonly InvoiceLine[],
  merchantName: string | null,
) {
  return {
    publicToken: link.publicToken,
    name: link.name,
    merchantName,
    productName: price.productName,
    productDescription: price.productDescription,
    priceName: price.name,
    unitAmountCents: price.unitAmountCents,
    currency: price.currency,
    billingMode: price.billingMode,
    creditAmount: price.creditAmount,
    recurringInterval: price.recurringInterval,
    recurringIntervalCount: price.recurringIntervalCount,
    trialDays: price.trialDays,
    requireClientReferenceId: link.requireClientReferenceId,
    // Buyers who start a trial say how to reach them before it ends.
    collectCustomerEmail: link.collectCustomerEmail || price.trialDays !== null,
    openAmount: link.openAmount,
    amountCents: amountOfLines(lines),
    taxes: presentTaxes(lines),
  };
}
