import type { CheckoutSession } from '@florin/sdk';
import { CustomerLink, InvoiceLink, PriceName } from '../billing/names.tsx';
import type { Fact } from '../parts/detail-screen.tsx';
import { To } from '../parts/to.tsx';

type Bought = Pick<
  CheckoutSession,
  'customerId' | 'invoiceId' | 'subscriptionId' | 'priceId' | 'paymentLinkId'
>;

/** What a checkout belongs to and led to, each a link. */
export function checkoutLinks(session: Bought): Fact[] {
  const { customerId, invoiceId, subscriptionId, priceId, paymentLinkId } = session;
  return [
    ['Customer', customerId && <CustomerLink key="c" id={customerId} />],
    ['Invoice', <InvoiceLink key="i" id={invoiceId} />],
    [
      'Subscription',
      subscriptionId && (
        <To key="s" to={`/subscriptions/${subscriptionId}`}>
          {priceId ? <PriceName id={priceId} /> : 'View subscription'}
        </To>
      ),
    ],
    [
      'Payment link',
      paymentLinkId && (
        <To key="l" to={`/payment-links/${paymentLinkId}`}>
          View payment link
        </To>
      ),
    ],
  ];
}
