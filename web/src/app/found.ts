import type { SearchResult } from '@florin/sdk';

type HitType = SearchResult['type'];

/** What each kind is called above those that were found. */
const LABELS: Record<HitType, string> = {
  payment_intent: 'Payments',
  customer: 'Customers',
  invoice: 'Invoices',
  subscription: 'Subscriptions',
  refund: 'Refunds',
  checkout_session: 'Checkouts',
  exception: 'Exceptions',
  payment_link: 'Payment links',
  product: 'Products',
  terminal: 'Terminals',
  project: 'Projects',
  webhook_delivery: 'Webhook deliveries',
};

const SCREENS: Record<Exclude<HitType, 'exception'>, string> = {
  payment_intent: 'payments',
  customer: 'customers',
  invoice: 'invoices',
  subscription: 'subscriptions',
  refund: 'refunds',
  checkout_session: 'checkout-sessions',
  payment_link: 'payment-links',
  product: 'catalog',
  terminal: 'terminals',
  project: 'projects',
  webhook_delivery: 'webhooks',
};

/** Where it is shown. An exception has no screen of its own: the list is filtered to it. */
export function addressOf({ type, id, detail }: SearchResult): {
  to: string;
  search?: Record<string, string>;
} {
  if (type === 'exception') return { to: '/exceptions', search: { txSignature: detail ?? '' } };
  return { to: `/${SCREENS[type]}/${id}` };
}

/** Grouped by kind; the kind of the best match comes first. */
export function inGroups(found: readonly SearchResult[]): [label: string, SearchResult[]][] {
  return [...Map.groupBy(found, ({ type }) => LABELS[type])];
}
