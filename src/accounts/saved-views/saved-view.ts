import { as, boolean, text, timestamp, uuid } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { badField } from '../../platform/lib/errors.ts';

/** The lists of the dashboard that have filters. */
export const LISTS = [
  'audit',
  'checkout-sessions',
  'customers',
  'discounts',
  'exceptions',
  'intents',
  'invoices',
  'payment-links',
  'products',
  'projects',
  'refunds',
  'request-logs',
  'subscriptions',
  'tax-rates',
  'usage',
  'webhook-deliveries',
] as const;

export const savedViews = table(
  'saved_views',
  {
    merchantId: uuid,
    id: uuid,
    memberId: uuid,
    list: as<(typeof LISTS)[number]>(text),
    name: text,
    /** `status=paid&from=2026-01-01`, as the address has it. */
    query: text,
    isShared: boolean,
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type SavedView = RowOf<typeof savedViews>;

export const MAX_NAME = 60;
export const MAX_QUERY = 1000;
/** The most views one member can have. */
export const MAX_VIEWS = 200;

/** Text in its own order: a tab that reads backwards cannot be told from others. */
export function requireName(name: string): string {
  if (/[\u202a-\u202e\u2066-\u2069]/.test(name))
    throw badField('name', 'must not have characters that turn the direction of text');
  return name;
}

const MAX_PARAMETERS = 20;
const MAX_VALUE = 255;

/** Only what our own dashboard writes: names of filters with a value each, in the one form that says them. */
export function requireQuery(query: string): string {
  const parameters = [...new URLSearchParams(query)];
  const isOurs =
    parameters.length > 0 &&
    parameters.length <= MAX_PARAMETERS &&
    parameters.every(
      ([name, value]) => /^[a-zA-Z]{1,40}$/.test(name) && value !== '' && value.length <= MAX_VALUE,
    ) &&
    new URLSearchParams(parameters).toString() === query;
  if (!isOurs) throw badField('query', 'must be filters of a list, such as status=paid');
  return query;
}
