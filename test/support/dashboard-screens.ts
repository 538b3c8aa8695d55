import type { Page } from 'playwright-core';

export interface Screen {
  name: string;
  /** Path under /dashboard; `:name` means the id of what was made for the picture. */
  path: string;
  /** True for a picture of the whole page, not only of what fits the window. */
  isWholePage?: boolean;
  prepare?(page: Page): Promise<unknown>;
}

/** Screens before anybody is signed in. */
export const DOORS: readonly Screen[] = [
  { name: 'sign-in', path: '' },
  { name: 'set-up', path: '/setup/:token' },
];

/** Photographed twice: with nothing in them, and full. */
export const LISTS: readonly Screen[] = [
  { name: 'home', path: '/', isWholePage: true },
  { name: 'payments', path: '/payments' },
  { name: 'refunds', path: '/refunds' },
  { name: 'exceptions', path: '/exceptions' },
  { name: 'payment-links', path: '/payment-links' },
  { name: 'customers', path: '/customers' },
  { name: 'subscriptions', path: '/subscriptions' },
  { name: 'invoices', path: '/invoices' },
  { name: 'checkouts', path: '/checkout-sessions' },
  { name: 'usage', path: '/usage' },
  { name: 'catalog', path: '/catalog' },
  { name: 'discounts', path: '/discounts' },
  { name: 'tax-rates', path: '/tax' },
  { name: 'projects', path: '/projects' },
  { name: 'terminals', path: '/terminals' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'request-log', path: '/request-log' },
  { name: 'notifications', path: '/notifications' },
  { name: 'audit', path: '/audit' },
];

const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click();

const search = (text: string) => async (page: Page) => {
  await page.getByRole('combobox', { name: 'Search' }).fill(text);
  await page.getByRole('option').first().waitFor();
};

export const DETAILS: readonly Screen[] = [
  { name: 'search', path: '/', prepare: search('ada') },
  { name: 'payment', path: '/payments/:intentId', isWholePage: true },
  { name: 'payment-underpaid', path: '/payments/:underpaidId', isWholePage: true },
  { name: 'refund-create', path: '/payments/:intentId', prepare: press('Refund') },
  { name: 'refund', path: '/refunds/:refundId', isWholePage: true },
  { name: 'exception-resolve', path: '/exceptions?status=open', prepare: press('Resolve') },
  { name: 'payment-link', path: '/payment-links/:linkId', isWholePage: true },
  { name: 'payment-link-create', path: '/payment-links', prepare: press('Create link') },
  { name: 'customer', path: '/customers/:customerId', isWholePage: true },
  { name: 'subscription', path: '/subscriptions/:subscriptionId', isWholePage: true },
  { name: 'invoice', path: '/invoices/:invoiceId', isWholePage: true },
  { name: 'checkout', path: '/checkout-sessions/:sessionId', isWholePage: true },
  { name: 'checkout-open', path: '/checkout-sessions/:openSessionId', isWholePage: true },
  { name: 'checkout-create', path: '/checkout-sessions', prepare: press('New checkout') },
  { name: 'product', path: '/catalog/:productId', isWholePage: true },
  { name: 'price-create', path: '/catalog/:productId', prepare: press('New price') },
  { name: 'price', path: '/catalog/prices/:planId', isWholePage: true },
  { name: 'tax-rate-create', path: '/tax', prepare: press('New tax rate') },
  { name: 'tax-report', path: '/tax/report', isWholePage: true },
  { name: 'accounting', path: '/tax/accounting' },
  { name: 'seller-change', path: '/projects/:projectId', prepare: press('Change seller') },
  { name: 'customer-edit', path: '/customers/:customerId', prepare: press('Edit') },
  { name: 'invoice-create', path: '/invoices', prepare: press('New invoice') },
  { name: 'discount-create', path: '/discounts', prepare: press('New discount') },
  { name: 'project', path: '/projects/:projectId', isWholePage: true },
  { name: 'terminal', path: '/terminals/:terminalId', isWholePage: true },
  { name: 'api-keys', path: '/api-keys', isWholePage: true },
  { name: 'api-key-create', path: '/api-keys', prepare: press('Create key') },
  { name: 'delivery', path: '/webhooks/:deliveryId', isWholePage: true },
  { name: 'webhook-endpoint', path: '/webhooks/endpoints/:endpointId', isWholePage: true },
  { name: 'webhook-endpoint-create', path: '/webhooks', prepare: press('Add endpoint') },
  { name: 'notification', path: '/notifications/:notificationId', isWholePage: true },
  { name: 'notification-create', path: '/notifications', prepare: press('Add notification') },
  { name: 'sandbox', path: '/sandbox', isWholePage: true },
  { name: 'settings', path: '/settings', isWholePage: true },
  { name: 'members', path: '/settings/members', isWholePage: true },
  { name: 'account', path: '/settings/account', isWholePage: true },
  { name: 'nothing-fits', path: '/payments?find=order-0' },
  { name: 'not-found', path: '/payments/00000000-0000-7000-8000-000000000000' },
  { name: 'shortcuts', path: '/', prepare: (page) => page.keyboard.press('?') },
];
