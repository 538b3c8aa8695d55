import { randomUUID } from 'node:crypto';
import express, { type Express, type Next, type Request, type Response } from 'express';
import type { Catalog } from './catalog.ts';
import { FlorinNotFoundError, FlorinSignatureError, florin, webhookSecret, webhooks } from './florin.ts';
import { applyEvent, findOrder, type Order, placeOrder } from './orders.ts';
import { messagePage, orderPage, productsPage, thanksPage } from './pages.ts';

/** The whole shop: a page to buy from, the way to the checkout and back, and the webhook that counts. */
export function createShop({ projectId, products }: Catalog, shopUrl: string): Express {
  const shop = express();
  shop.disable('x-powered-by');

  // Raw, and before any other parser: the signature is over the bytes that were sent.
  shop.post('/webhooks/florin', express.raw({ type: '*/*', limit: '1mb' }), receiveWebhook);

  shop.use(express.urlencoded({ extended: false }));
  shop.use(keepSafe);

  shop.get('/', (_request, response) => response.send(productsPage(products, randomUUID())));

  shop.post('/buy', async (request, response) => {
    const form = (request.body ?? {}) as { order?: unknown; price?: unknown };
    const product = products.find(({ priceId }) => priceId === form.price);
    if (!product || !isUuid(form.order)) return notFound(response, 'That is not for sale.');

    const order = placeOrder(form.order, product);
    if (order.product !== product) {
      const text = 'This page was used for another order already. Please choose again.';
      return response.status(409).send(messagePage('One moment', text));
    }
    // The order's own number is the key: however often this is sent, there is one checkout for it.
    const session = await florin.checkoutSessions.create(
      {
        projectId,
        mode: 'one_time',
        priceId: product.priceId,
        merchantReference: order.id,
        successUrl: `${shopUrl}/thanks`,
        cancelUrl: shopUrl,
      },
      { idempotencyKey: order.id },
    );
    return response.redirect(303, session.checkoutUrl);
  });

  // Anyone can open this address, paid or not: it reads the session, and grants nothing.
  shop.get('/thanks', async (request, response) => {
    const { session_id: sessionId } = request.query;
    if (!isUuid(sessionId)) return notFound(response);
    const session = await florin.checkoutSessions.retrieve(sessionId);
    const order = findOrder(session.merchantReference);
    return order ? response.send(thanksPage(order, session)) : notFound(response);
  });

  shop.get('/orders/:id', (request, response) => {
    const order = findOrder(request.params.id ?? null);
    return order ? response.send(orderPage(order)) : notFound(response);
  });

  shop.use((_request: Request, response: Response) => notFound(response));
  shop.use(sayWhatFailed);
  return shop;
}

async function receiveWebhook(request: Request, response: Response): Promise<void> {
  try {
    const signature = request.header('x-service-signature');
    const event = await webhooks.constructEvent(request.body as Buffer, signature, webhookSecret);
    applyEvent(event, deliver);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof FlorinSignatureError)) throw error;
    console.error(`Refused a webhook: ${error.message}`);
    response.status(400).json({ error: error.reason });
  }
}

/** In your shop: a job that sends the parcel, written in the same transaction as the order's new status. */
function deliver(order: Order): void {
  console.log(`Deliver ${order.id}: ${order.product.name}`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** The form has a number that is good for one order, so the page is never shown from a cache. */
function keepSafe(_request: Request, response: Response, next: Next): void {
  response.set('Cache-Control', 'no-store');
  response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  response.set('Referrer-Policy', 'same-origin');
  next();
}

function notFound(response: Response, text = 'There is nothing at this address.'): Response {
  return response.status(404).send(messagePage('Not here', text));
}

/** The buyer learns that nothing happened; the log learns why. Express knows this handler by its four parameters. */
function sayWhatFailed(error: unknown, _request: Request, response: Response, _next: Next): void {
  if (error instanceof FlorinNotFoundError) {
    notFound(response);
    return;
  }
  console.error(error);
  response
    .status(502)
    .send(messagePage('One moment', 'That did not work, and nothing was charged. Please try again.'));
}
