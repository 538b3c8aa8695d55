import * as checkout from './app/api/checkout/route.ts';
import * as order from './app/api/orders/[id]/route.ts';
import * as webhook from './app/api/webhooks/florin/route.ts';
import { PRODUCTS } from './lib/products.ts';

/** Picks the handler as Next does, from the names of the files. */
export async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const orderId = /^\/api\/orders\/([^/]+)$/.exec(pathname)?.[1];
  if (request.method === 'GET' && pathname === '/') return shopPage();
  if (request.method === 'POST' && pathname === '/api/checkout') return checkout.POST(request);
  if (request.method === 'POST' && pathname === '/api/webhooks/florin') return webhook.POST(request);
  if (request.method === 'GET' && orderId) {
    return order.GET(request, { params: Promise.resolve({ id: orderId }) });
  }
  return Response.json({ error: 'There is nothing at this address.' }, { status: 404 });
}

/** Stands for your own page. Each time it is shown it has the number of another order. */
function shopPage(): Response {
  const buttons = [...PRODUCTS].map(
    ([id, { name, amountCents }]) =>
      `<p><button name="product" value="${id}">${name}, $${(amountCents / 100).toFixed(2)}</button></p>`,
  );
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Edge example</title>
<h1>Learn espresso</h1>
<form method="post" action="/api/checkout">
<input type="hidden" name="order" value="${crypto.randomUUID()}">
${buttons.join('\n')}
</form>
</html>`;
  return new Response(body, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}
