import { type LoadParts, merchantOf } from './load-parts.ts';
import { PATHS } from './mix.ts';

const LISTS = [
  '/api/merchants/intents?limit=20&expand=purchase&expand=outcome',
  '/api/v2/checkout-sessions?limit=20',
  '/api/v2/invoices?limit=20&expand=customer',
  '/api/v2/customers?limit=20',
  '/api/v2/subscriptions?limit=20',
  '/api/v2/webhook-deliveries?limit=20',
];

export async function readList(parts: LoadParts, dueMs: number, n: number): Promise<void> {
  const { cookie } = merchantOf(parts, Math.floor(n / LISTS.length));
  const path = LISTS[n % LISTS.length]!;
  await parts.times.take(PATHS.list, dueMs, () => parts.client.ask({ path, cookie }));
}

/** Requests that the home sends at the same time; it is shown with the last answer. */
const HOME = [
  '/api/v2/billing/revenue?range=30d',
  '/api/v2/billing/overview',
  '/api/dashboard/onboarding',
  '/api/merchants/intents?limit=5&expand=purchase&expand=outcome',
  '/api/merchants/intents?limit=20&status=underpaid',
  '/api/v2/checkout-sessions?limit=20&paymentStatus=underpaid',
  '/api/v2/refunds?limit=20&status=awaiting_address&status=ready',
  '/api/b2b/merchants/refund-requests?limit=20&status=open',
  '/api/v2/exceptions?limit=20&status=open',
  '/api/v2/invoices?limit=3&isOverdue=true&expand=customer',
];

export async function readHome(parts: LoadParts, dueMs: number, n: number): Promise<void> {
  const { cookie } = merchantOf(parts, n);
  await parts.times.take(PATHS.home, dueMs, () =>
    Promise.all(HOME.map((path) => parts.client.ask({ path, cookie }))),
  );
}

const cursors = new Map<string, string>();

/** One question of an open dashboard, which asks every other second. */
export async function readNews(parts: LoadParts, dueMs: number, n: number): Promise<void> {
  const { id, cookie } = merchantOf(parts, n);
  const path = `/api/v2/events?limit=100&after=${cursors.get(id) ?? 'latest'}`;
  const text = await parts.times.take(PATHS.news, dueMs, () => parts.client.ask({ path, cookie }));
  const { nextCursor } = JSON.parse(text);
  if (nextCursor) cursors.set(id, nextCursor);
}
