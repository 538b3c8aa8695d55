import { keyedRoute } from '../access/keyed-route.ts';
import type { Database } from '../db/database.ts';
import { Page } from '../http/list.ts';
import type { Mount } from '../http/mount.ts';
import type { App } from '../http/route.ts';
import { Int32, Optional, Shape, Text, Timestamp, type TSchema, Uuid } from '../http/schema.ts';
import { pullEvents } from './pull-events.ts';

const PullQuery = Shape(undefined, {
  after: Optional(
    Text({
      max: 64,
      description:
        'nextCursor of the page before. Absent: from the first event. `latest`: only a cursor to follow what comes from now on.',
    }),
  ),
  limit: Optional(Int32({ min: 1, max: 100, default: 20, description: 'How many events, 1 to 100.' })),
});

const EventView = Shape('Event', {
  id: Uuid('The event: handle each id once.'),
  event: Text(),
  createdAt: Timestamp(),
  sequence: Int32({ min: 1, description: 'Counts the changes of one object: 1, 2, 3, …' }),
  status: Text({ description: 'Of the object, after this change.' }),
  data: { type: 'object', description: 'As in the webhook of this event.' } as TSchema,
});

export function eventRoutes(app: App, { path, idSuffix }: Mount, { db }: { db: Database }): void {
  keyedRoute(app, {
    method: 'GET',
    path: `${path}/events`,
    id: `listEvents${idSuffix}`,
    tag: 'Events',
    summary: 'Pull events',
    description:
      'Everything that happened, oldest first, whether or not a webhook URL is set. Ask again with `after` set to the last `nextCursor`: no event is ever missed, however its transaction was delayed.',
    scopes: ['billing:read', 'payments:read'],
    query: PullQuery,
    success: {
      status: 200,
      schema: Page('EventPage', EventView),
      description: 'Events, each exactly as its webhook carries it.',
    },
    errors: ['BAD_REQUEST'],
    async handle({ principal, query }) {
      return { status: 200, text: await pullEvents(db, principal.merchantId, query) };
    },
  });
}
