import { keyedRoute } from '../access/keyed-route.ts';
import type { Database } from '../db/database.ts';
import type { App } from '../http/route.ts';
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
} from '../http/schema.ts';
import { badField } from '../lib/errors.ts';
import { FOUND_TYPES, type Found } from './found.ts';
import { search } from './search.ts';

const SearchQuery = Shape(undefined, {
  q: Text({
    description:
      'An order, e-mail address, name, invoice number or how one begins; an amount such as 12.50; a whole reference address, transaction signature, id or page address.',
  }),
  limit: Optional(
    Int32({ min: 1, max: 20, default: 5, description: 'How many of each kind to answer, 1 to 20.' }),
  ),
});

const FoundView = Shape('SearchResult', {
  type: OneOf(FOUND_TYPES),
  id: Uuid(),
  title: Nullable(Text({ description: 'Its order, number or name.' })),
  detail: Nullable(Text({ max: 2048, description: 'Whose it is, or what tells it from others.' })),
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
    tag: 'Search',
    summary: 'Find anything by what is known of it',
    description: 'Payments, customers, invoices, subscriptions and all else, in one question.',
    scopes: ['billing:read', 'payments:read'],
    query: SearchQuery,
    success: {
      status: 200,
      schema: ResultsView,
      description:
        'What is named exactly first, then what begins so, then what belongs to a customer so named.',
    },
    errors: ['BAD_REQUEST'],
    async handle({ principal, query }) {
      if (query.q.trim() === '') throw badField('q', 'must hold something to look for');
      const found = await search(db, principal.merchantId, query.q, query.limit ?? 5);
      return { data: found.map(presentFound) };
    },
  });
}

function presentFound({ type, id, title, detail, status, amountCents, createdAt }: Found) {
  return { type, id, title, detail, status, amountCents, createdAt };
}
