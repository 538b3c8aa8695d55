import type { CheckoutSession } from '@florin/sdk';
import { CustomerLink, InvoiceLink, PriceName } from '../billing/names.tsx';
import type { Fact } from '../parts/detail-screen.tsx';
import { To } from '../parts/to.tsx';
import { t } from '../words/t.ts';

type Bought = Pick<
  CheckoutSession,
  'customerId' | 'invoiceId' | 'subscriptionId' | 'priceId' | 'paymentLinkId'
>;

/** Links to the objects that a checkout belongs to and led to. */
export function checkoutLinks(session: Bought): Fact[] {
  const { customerId, invoiceId, subscriptionId, priceId, paymentLinkId } = session;
  return [
    [t('Customer'), customerId && <CustomerLink key="c" id={customerId} />],
    [t('Invoice'), <InvoiceLink key="i" id={invoiceId} />],
    [
      t('Subscription'),
      subscriptionId && (
        <To key="s" to={`/subscriptions/${subscriptionId}`}>
          {priceId ? <PriceName id={priceId} /> : t('View subscription')}
        </To>
      ),
    ],
    [
      t('Payment link'),
      paymentLinkId && (
        <To key="l" to={`/payment-links/${paymentLinkId}`}>
          {t('View payment link')}
        </To>
      ),
    ],
  ];
}
