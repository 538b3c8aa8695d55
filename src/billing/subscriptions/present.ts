import { CustomerView } from '../../accounts/customers/present.ts';
import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import { Expanded } from '../../platform/http/expand.ts';
import { MetadataView } from '../../platform/http/metadata-schema.ts';
import {
  Flag,
  Int32,
  Int64,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { ExpandedPriceView } from '../catalog/present.ts';
import { InvoiceView } from '../invoices/present.ts';
import {
  accessUntil,
  CANCEL_REASONS,
  canReturn,
  isLive,
  nextQuantityOf,
  prepaidQuantityOf,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from './subscription.ts';

const PendingChangeView = Shape('PendingChange', {
  priceId: Uuid('The price it will change to.'),
  quantity: Int32({ description: 'How many of it.' }),
  effectiveAt: Nullable(Timestamp('When it takes effect; null while it is awaiting payment.')),
  prorationBehavior: OneOf(['charge_now', 'reset', 'next_period']),
  amountDueCents: Int64(),
  invoiceId: Nullable(Uuid()),
  checkoutUrl: Nullable(Text({ max: 2048, description: 'Where the customer confirms it by paying.' })),
  expiresAt: Nullable(Timestamp('If it is not paid by then, it is dropped.')),
});

export const SubscriptionView = Shape('Subscription', {
  id: Uuid(),
  projectId: Uuid(),
  customerId: Uuid(),
  priceId: Uuid(),
  quantity: Int32({ description: 'How many of the plan: its seats.' }),
  discountId: Nullable(Uuid('The discount of its next periods.')),
  discountPeriodsLeft: Nullable(
    Int32({ description: 'For how many periods that are not paid yet; null: always.' }),
  ),
  status: OneOf(SUBSCRIPTION_STATUSES),
  currentPeriodStart: Nullable(Timestamp()),
  currentPeriodEnd: Nullable(Timestamp()),
  cancelAtPeriodEnd: Flag(),
  canceledAt: Nullable(Timestamp()),
  cancelReason: Nullable(OneOf(CANCEL_REASONS)),
  graceEndsAt: Nullable(Timestamp('An unpaid renewal ends the subscription at this moment.')),
  pendingChange: Nullable(PendingChangeView),
  latestInvoiceId: Nullable(Uuid('The latest invoice: at first that of the first period.')),
  renewalCheckoutUrl: Nullable(
    Text({
      max: 2048,
      description: `Where the customer pays the renewal, for as long as it can be paid: up to ${PAYABLE_DAYS_AFTER_EXPIRY} days after it ended the subscription.`,
    }),
  ),
  successUrl: Nullable(
    Text({ max: 2048, description: 'Where the customer goes after paying a renewal or change.' }),
  ),
  cancelUrl: Nullable(Text({ max: 2048, description: 'Where the customer goes instead of paying.' })),
  hasAccess: Flag('Whether the customer may use what they pay for.'),
  accessUntil: Nullable(Timestamp('As known now; includes a prepaid period.')),
  createdAt: Timestamp(),
  metadata: MetadataView,
  externalCustomerId: Nullable(Text({ description: 'Your own id for the customer.' })),
  merchantReference: Nullable(
    Text({ description: 'Your own name for what is bought, as the checkout said; renewals carry it.' }),
  ),
  clientReferenceId: Nullable(
    Text({ max: 200, description: 'A label the browser sent with the checkout; not proof of identity.' }),
  ),
  trialEndsAt: Nullable(Timestamp('When its trial ends, or ended; null: it has none.')),
});

export const ExpandedSubscriptionView = Expanded('ExpandedSubscription', SubscriptionView, {
  customer: CustomerView,
  price: ExpandedPriceView,
  latestInvoice: Nullable(InvoiceView),
});

/** Presents a subscription at `now`; without it as of the moment it was stored. */
export function presentSubscription(subscription: Subscription, now?: Date) {
  return {
    id: subscription.id,
    projectId: subscription.projectId,
    customerId: subscription.customerId,
    priceId: subscription.priceId,
    quantity: subscription.quantity,
    discountId: subscription.discountId,
    discountPeriodsLeft: subscription.discountPeriodsLeft,
    status: subscription.status,
    trialEndsAt: subscription.trialEndsAt,
    currentPeriodStart: subscription.currentPeriodStart,
    currentPeriodEnd: subscription.currentPeriodEnd,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    canceledAt: subscription.canceledAt,
    cancelReason: subscription.cancelReason,
    graceEndsAt: subscription.graceEndsAt,
    pendingChange: presentChange(subscription),
    latestInvoiceId: subscription.latestInvoiceId,
    renewalCheckoutUrl: isRenewalPayable(subscription, now) ? subscription.renewalCheckoutUrl : null,
    successUrl: subscription.successUrl,
    cancelUrl: subscription.cancelUrl,
    metadata: subscription.metadata,
    externalCustomerId: subscription.externalCustomerId,
    merchantReference: subscription.merchantReference,
    clientReferenceId: subscription.clientReferenceId,
    hasAccess: isLive(subscription),
    accessUntil: accessUntil(subscription),
    createdAt: subscription.createdAt,
  };
}

/** One that ended unpaid comes back when the renewal is paid within 30 days after all. */
function isRenewalPayable(subscription: Subscription, now: Date | undefined): boolean {
  return isLive(subscription) || now === undefined || canReturn(subscription, now);
}

/** The planned change, if the subscription lasts that long. */
function presentChange(subscription: Subscription) {
  const { pendingChange, priceId, quantity, nextPriceId, prepaidPriceId, cancelAtPeriodEnd } = subscription;
  if (!isLive(subscription)) return null;
  if (pendingChange) {
    const { prorationDate: _asPreviewed, ...change } = pendingChange;
    return { ...change, effectiveAt: null };
  }
  if (nextPriceId && !cancelAtPeriodEnd)
    return laterChange(nextPriceId, nextQuantityOf(subscription), subscription.paidThrough!);
  const prepaidQuantity = prepaidQuantityOf(subscription);
  if (!prepaidPriceId || (prepaidPriceId === priceId && prepaidQuantity === quantity)) return null;
  return laterChange(prepaidPriceId, prepaidQuantity, subscription.currentPeriodEnd!);
}

function laterChange(priceId: string, quantity: number, effectiveAt: Date) {
  return {
    priceId,
    quantity,
    effectiveAt,
    prorationBehavior: 'next_period',
    amountDueCents: 0n,
    invoiceId: null,
    checkoutUrl: null,
    expiresAt: null,
  };
}
