export interface Order {
  id: string;
  product: string;
  status: 'waiting' | 'paid';
}

/**
 * The orders that your handlers keep. A handler at the edge remembers nothing, so in your project this is a table or a KV store;
 * here it is the memory of one process.
 */
const orders = new Map<string, Order>();

export async function findOrder(id: string): Promise<Order | undefined> {
  return orders.get(id);
}

/** Writes the order unless it is there: `insert … on conflict do nothing`. */
export async function placeOrder(id: string, product: string): Promise<Order> {
  const order = orders.get(id) ?? { id, product, status: 'waiting' };
  orders.set(id, order);
  return order;
}

/** True if this call was the one that made it paid: `update … where status = 'waiting'`. */
export async function markPaid(id: string): Promise<boolean> {
  const order = orders.get(id);
  if (order?.status !== 'waiting') return false;
  order.status = 'paid';
  return true;
}
