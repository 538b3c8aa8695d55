import type { Customer } from '../../accounts/customers/customer.ts';
import type { EmailChange } from '../../accounts/customers/email-change.ts';
import { type CatalogPrice, INTERVALS } from '../../billing/catalog/price.ts';
import { ISSUED_STATUSES } from '../../billing/invoices/invoice.ts';
import { InvoiceView } from '../../billing/invoices/present.ts';
import { presentSubscription, SubscriptionView } from '../../billing/subscriptions/present.ts';
import type { Subscription } from '../../billing/subscriptions/subscription.ts';
import {
  Email,
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
import type { PortalSession } from './portal-session.ts';

export const PortalSessionView = Shape('PortalSession', {
  id: Uuid(),
  customerId: Uuid(),
  url: Text({
    max: 2048,
    description: 'Send the customer here. It opens the portal once, and is shown only once.',
  }),
  returnUrl: Nullable(Text({ max: 2048 })),
  expiresAt: Timestamp('Until when the link can be used: one hour.'),
});

export function presentSession({ id, customerId, returnUrl, expiresAt }: PortalSession, url: string) {
  return { id, customerId, url, returnUrl, expiresAt };
}

export const PortalCustomerView = Shape('PortalCustomer', {
  id: Uuid(),
  email: Nullable(Email()),
  pendingEmail: Nullable(
    Shape('PortalPendingEmail', {
      email: Email('A new address that its mailbox has not confirmed yet. Until then `email` stays.'),
      expiresAt: Timestamp('Until when it can be confirmed: a day.'),
    }),
  ),
  name: Nullable(Text()),
  creditBalance: Int64({ description: 'Prepaid units.' }),
  accountCreditCents: Int64({ description: 'Money applied to the next renewal or plan change.' }),
});

/** Presents a customer without the merchant's own words for them. */
export function presentPortalCustomer(
  { id, email, name, creditBalance, accountCreditCents }: Customer,
  pending: EmailChange | undefined,
) {
  const pendingEmail = pending ? { email: pending.email, expiresAt: pending.expiresAt } : null;
  return { id, email, pendingEmail, name, creditBalance, accountCreditCents };
}

/** One for every customer that the visit covers: with a link that the merchant made, only that one. */
const PortalBalanceView = Shape('PortalBalance', {
  customerId: Uuid(),
  creditBalance: Int64({ description: 'Prepaid units.' }),
  accountCreditCents: Int64({ description: 'Money applied to the next renewal or plan change.' }),
});

export function presentBalance({ id, creditBalance, accountCreditCents }: Customer) {
  return { customerId: id, creditBalance, accountCreditCents };
}

/** View for the signed-in customer. */
export const PortalVisitView = Shape('PortalVisit', {
  customer: PortalCustomerView,
  customers: List(PortalBalanceView),
  canChangeEmail: Flag(
    'Whether the customer can ask for another address: only where the service sends e-mail.',
  ),
  merchantName: Nullable(
    Text({ description: 'Whose portal this is: the project’s own name, or the merchant’s.' }),
  ),
  projectName: Text(),
  brandColor: Nullable(Text({ description: '`#rrggbb`: the project’s own, or the merchant’s.' })),
  csrfToken: Text({ description: 'Send it as X-CSRF-Token with every change.' }),
  returnUrl: Nullable(Text({ max: 2048, description: 'Where the customer came from.' })),
  expiresAt: Timestamp('When the visit ends.'),
});

const { metadata: _notes, draft: _draft, sentAt: _sentAt, ...shownOfInvoice } = InvoiceView.properties;

/** View without the merchant's own notes. */
export const PortalInvoiceView = Shape('PortalInvoice', {
  ...shownOfInvoice,
  status: OneOf(ISSUED_STATUSES),
  checkoutUrl: Nullable(
    Text({
      max: 2048,
      description:
        'Where the customer can pay it now. Null when nothing more can be paid: it is paid, withdrawn or too late, or the payment is on its way.',
    }),
  ),
});

export const PlanView = Shape('PortalPlan', {
  priceId: Uuid(),
  productName: Text(),
  productDescription: Nullable(Text({ max: 2_000, lines: true })),
  name: Nullable(Text()),
  unitAmountCents: Int64(),
  currency: Text({ description: 'Always USD, paid in USDC.' }),
  recurringInterval: OneOf(INTERVALS),
  recurringIntervalCount: Int32(),
});

export function presentPlan(price: CatalogPrice) {
  const { id: priceId, productName, productDescription, name, unitAmountCents, currency } = price;
  const { recurringInterval, recurringIntervalCount } = price;
  return {
    priceId,
    productName,
    productDescription,
    name,
    unitAmountCents,
    currency,
    recurringInterval,
    recurringIntervalCount,
  };
}

export const PlansView = Shape('PortalPlans', { data: List(PlanView) });

const {
  projectId: _project,
  customerId: _customer,
  priceId: _price,
  latestInvoiceId: _invoice,
  successUrl: _success,
  cancelUrl: _cancel,
  externalCustomerId: _external,
  merchantReference: _reference,
  clientReferenceId: _label,
  metadata: _metadata,
  ...shown
} = SubscriptionView.properties;

export const PortalSubscriptionView = Shape('PortalSubscription', {
  ...shown,
  plan: PlanView,
  nextPlan: Nullable(PlanView),
});

/** A subscription with the plans that it names. */
export interface PlannedSubscription {
  subscription: Subscription;
  plan: CatalogPrice;
  nextPlan: CatalogPrice | null;
}

export function presentPlanned({ subscription, plan, nextPlan }: PlannedSubscription, now: Date) {
  return {
    ...presentSubscription(subscription, now),
    plan: presentPlan(plan),
    nextPlan: nextPlan && presentPlan(nextPlan),
  };
}
