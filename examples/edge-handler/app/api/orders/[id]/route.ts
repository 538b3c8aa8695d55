import { findOrder } from '../../../../lib/orders.ts';

/** Everything known of an order. The buyer comes back here after paying, and that alone changes nothing. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  const order = await findOrder((await params).id);
  return order
    ? Response.json(order, { headers: { 'cache-control': 'no-store' } })
    : Response.json({ error: 'There is no such order.' }, { status: 404 });
}
