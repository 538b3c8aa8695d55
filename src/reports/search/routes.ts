import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Int32,
  Int64,
  List,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';
import { search } from './search.ts';
import { type Found, HIT_TYPES } from './search-hit.ts';

const SearchQuery = Shape(undefined, {
  q: Text({
    description:
      'An order, e-mail address, name or invoice number, or the beginning of one; an amount such as 12.50; a whole refund number, reference address, transaction signature, id or page URL; or metadata, as `key:value`.',
  }),
  limit: Optional(
    Int32({ min: 1, max: 20, default: 5, description: 'How many of each kind to return, 1 to 20.' }),
  ),
});

const FoundView = Shape('SearchResult', {
  type: OneOf(HIT_TYPES),
  id: Uuid(),
  title: Nullable(Text({ description: 'Its order, number or name.' })),
  detail: Nullable(Text({ max: 2048, description: 'Its owner, or what distinguishes it.' })),
  status: Nullable(Text()),
  amountCents: Nullable(Int64()),
  createdAt: Timestamp(),
});

const ResultsView = Shape('SearchResults', { data: List(FoundView) });

export function searchRoutes(app: App, { db }: { db: Database }): void {
  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/search',
    id: 'find',
    sdk: 'search.find',
    assistant: 'read',
    tag: 'Search',
    summary: 'Search',
    description: 'Payments, customers, invoices, subscriptions, refunds and everything else, in one query.',
    scopes: ['billing:read', 'payments:read'],
    query: SearchQuery,
    success: {
      status: 200,
      schema: ResultsView,
      description: 'Exact matches first, then prefix matches, then objects of matching customers.',
    },
    errors: ['BAD_REQUEST'],
    async handle({ principal, query }) {
      if (query.q.trim() === '') throw badField('q', 'must not be empty');
      const found = await search(db, principal.merchantId, query.q, query.limit ?? 5);
      return { data: found.map(presentFound) };
    },
  });
}

function presentFound({ type, id, title, detail, status, amountCents, createdAt }: Found) {
  return { type, id, title, detail, status, amountCents, createdAt };
}
