import type { Product } from './catalog.ts';
import type { CheckoutSession, Int64 } from './florin.ts';
import { type Html, html } from './html.ts';
import type { Order } from './orders.ts';

const BACK = html`<p><a href="/">Back to the shop</a></p>`;

/** The number of the order is in the form: pressing the button twice is one order. */
export function productsPage(products: readonly Product[], orderId: string): string {
  const rows = products.map(
    ({ name, amountCents, priceId }) => html`
    <li>
      <span>${name}</span> <b>${dollars(amountCents)}</b>
      <button name="price" value="${priceId}" aria-label="Buy ${name}">Buy</button>
    </li>`,
  );
  return page(
    'Everything for coffee',
    html`<form method="post" action="/buy"><input type="hidden" name="order" value="${orderId}"><ul>${rows}</ul></form>`,
  );
}

const PAYMENT: Record<CheckoutSession['paymentStatus'], string> = {
  unpaid: 'We have not seen your payment yet.',
  processing: 'We see your payment. It is final in a few seconds.',
  underpaid: 'A part of the amount has arrived. Please pay the rest.',
  paid: 'Your payment has arrived.',
};

/** The page a buyer comes back to. It shows the order and changes nothing. */
export function thanksPage(order: Order, session: CheckoutSession): string {
  const isOwed = session.paymentStatus === 'unpaid' || session.paymentStatus === 'underpaid';
  return page(
    'Thank you',
    html`<p>${PAYMENT[session.paymentStatus]}</p>
    ${isOwed ? html`<p><a href="${session.checkoutUrl}">Pay</a></p>` : html``}
    <p><a href="/orders/${order.id}">Your order</a></p>${BACK}`,
  );
}

const STATUS: Record<Order['status'], string> = {
  waiting: 'Waiting for your payment.',
  processing: 'Your payment is on its way.',
  paid: 'Paid. We have sent it.',
  expired: 'This order was not paid in time.',
  canceled: 'This order was canceled.',
};

export function orderPage({ product, status }: Order): string {
  const isMoving = status === 'waiting' || status === 'processing';
  return page(
    'Your order',
    html`<p>${product.name}, ${dollars(product.amountCents)}</p>
    <p class="status" data-status="${status}">${STATUS[status]}</p>${BACK}`,
    isMoving ? html`<meta http-equiv="refresh" content="2">` : html``,
  );
}

export const messagePage = (title: string, text: string): string => page(title, html`<p>${text}</p>${BACK}`);

function dollars(amountCents: Int64): string {
  const cents = BigInt(amountCents);
  return `$${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

const STYLE = html`<style>
  body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
  ul { list-style: none; padding: 0; }
  li { display: flex; gap: 1rem; align-items: center; padding: .75rem 0; border-bottom: 1px solid #ddd; }
  li span { flex: 1; }
  button { font: inherit; padding: .4rem 1.2rem; border: 0; border-radius: .5rem; background: #1d4ed8; color: #fff; }
  .status { padding: 1rem; border-radius: .5rem; background: #f3f4f6; }
  .status[data-status="paid"] { background: #dcfce7; }
</style>`;

function page(title: string, content: Html, head: Html = html``): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  ${STYLE}${head}
</head>
<body>
  <h1>${title}</h1>
  ${content}
</body>
</html>`.markup;
}
