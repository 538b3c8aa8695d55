import type { SearchResult } from '@florin/sdk';
import { t } from '../words/t.ts';

type HitType = SearchResult['type'];

/** Heading of each kind of search result. */
const LABELS: Record<HitType, string> = {
  payment_intent: t('Payments'),
  customer: t('Customers'),
  invoice: t('Invoices'),
  subscription: t('Subscriptions'),
  refund: t('Refunds'),
  checkout_session: t('Checkouts'),
  exception: t('Exceptions'),
  payment_link: t('Payment links'),
  product: t('Products'),
  terminal: t('Terminals'),
  project: t('Projects'),
  webhook_delivery: t('Webhook deliveries'),
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

/** Returns the address of a search result. An exception has no screen of its own: the list is filtered to it. */
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
