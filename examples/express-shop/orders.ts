import type { Product } from './catalog.ts';
import type { WebhookEvent, WebhookEventName } from './florin.ts';

export interface Order {
  id: string;
  product: Product;
  status: 'waiting' | 'processing' | 'paid' | 'expired' | 'canceled';
  /** The number of the last event that changed it. */
  sequence: number;
}

// In your shop: two tables, with orders.id and handled_events.id as their primary keys.
const orders = new Map<string, Order>();
const handledEvents = new Set<string>();

export const findOrder = (id: string | null): Order | undefined => (id === null ? undefined : orders.get(id));

/** A new order; or the one that is there, when the same button was pressed twice. */
export function placeOrder(id: string, product: Product): Order {
  const order = orders.get(id) ?? { id, product, status: 'waiting', sequence: 0 };
  orders.set(id, order);
  return order;
}

const STATUS_AFTER: Partial<Record<WebhookEventName, Order['status']>> = {
  'checkout.session.processing': 'processing',
  'checkout.session.completed': 'paid',
  'checkout.session.expired': 'expired',
  'checkout.session.canceled': 'canceled',
};

/** Changes an order by what Florin said, each event once. In your shop all of this is one transaction. */
export function applyEvent(event: WebhookEvent, deliver: (order: Order) => void): void {
  if (handledEvents.has(event.id)) return;
  changeOrder(event, deliver);
  // Last: what failed was not handled, and Florin sends it again.
  handledEvents.add(event.id);
}

function changeOrder(event: WebhookEvent, deliver: (order: Order) => void): void {
  const status = STATUS_AFTER[event.event];
  // The webhook is for everything the merchant does, so there are events of other things than orders, too.
  if (!status || !('checkoutSession' in event.data)) return;
  const order = findOrder(event.data.merchantReference);
  // An event that failed at first comes late, and must not take a newer one back.
  if (!order || event.sequence <= order.sequence) return;
  if (status === 'paid') deliver(order);
  order.status = status;
  order.sequence = event.sequence;
}
