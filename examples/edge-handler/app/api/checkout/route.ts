import { florin, setting } from '../../../lib/florin.ts';
import { placeOrder } from '../../../lib/orders.ts';
import { PRODUCTS } from '../../../lib/products.ts';

/** Opens the checkout of an order and sends the browser there. The same order again is the same checkout. */
export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const productId = String(form.get('product'));
  const orderId = String(form.get('order'));
  const product = PRODUCTS.get(productId);
  if (!product || !UUID.test(orderId)) {
    return Response.json({ error: 'order must be a UUID, and product something we sell.' }, { status: 400 });
  }

  const order = await placeOrder(orderId, productId);
  if (order.product !== productId) {
    return Response.json({ error: 'This order is for something else.' }, { status: 409 });
  }
  const { origin } = new URL(request.url);
  const session = await florin.checkoutSessions.create(
    {
      projectId: setting('FLORIN_PROJECT'),
      mode: 'one_time',
      amountCents: product.amountCents,
      merchantReference: order.id,
      successUrl: `${origin}/api/orders/${order.id}`,
      cancelUrl: origin,
    },
    { idempotencyKey: order.id },
  );
  return Response.redirect(session.checkoutUrl, 303);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
