import {
  type CheckoutSession,
  type Customer,
  Florin,
  FlorinError,
  FlorinSignatureError,
  type Int64,
  type LastResponse,
  type Page,
  type ResponseEvent,
  type WebhookEvent,
  type WebhookEventName,
  webhooks,
} from '@florin/sdk';

/** Nothing here runs: it is what a strict compiler must accept of a project that uses the client, and refuse. */
export async function use(florin: Florin, signal: AbortSignal): Promise<void> {
  const session: CheckoutSession = await florin.checkoutSessions.create(
    { projectId: 'p', mode: 'one_time', amountCents: 1n, merchantReference: undefined },
    { idempotencyKey: 'k', timeoutMs: 1, maxRetries: 0, signal, headers: { a: 'b' }, apiKey: 'x' },
  );
  const amount: Int64 = session.amountCents;
  const exact: bigint = BigInt(amount);
  // @ts-expect-error: it may be a bigint.
  const number: number = session.amountCents;
  const page: Page<Customer> = await florin.customers.list({ createdFrom: new Date(), limit: 1 });
  for await (const { name } of florin.customers.list()) void (name satisfies string | null);
  const [first]: Customer[] = await florin.customers.list().toArray({ limit: 1 });
  const rows: Response = await florin.customers.listCsv();
  const bytes: Uint8Array = await florin.invoices.pdf('i');
  await florin.projects.delete('p');
  await florin.invoices.list({ status: 'paid' });
  await florin.invoices.list({ status: ['paid', 'open'] });
  // @ts-expect-error: not a status.
  await florin.invoices.list({ status: 'eaten' });
  // @ts-expect-error: a project is needed.
  await florin.checkoutSessions.create({ mode: 'one_time' });
  // @ts-expect-error: reading has no key.
  await florin.merchant.retrieve({ idempotencyKey: 'k' });
  void [exact, number, page, first, rows, bytes];
}

/** Facts about the answer that results carry and hooks receive. */
export async function watch(florin: Florin): Promise<void> {
  const customer = await florin.customers.retrieve('c');
  const { status, headers, traceId }: LastResponse = customer.lastResponse;
  void [status satisfies number, headers.get('x-request-id'), traceId satisfies string | undefined];
  const page = await florin.customers.list();
  void [page.lastResponse.status, (await florin.terminals.list()).lastResponse.status];
  void (await florin.invoices.pdf('i')).lastResponse.status;
  // @ts-expect-error: nothing came that could carry it.
  void (await florin.projects.delete('p')).lastResponse;
  const onResponse = ({ method, path, attempt, durationMs, status, traceId }: ResponseEvent) =>
    void [method, path, attempt satisfies number, durationMs satisfies number, status, traceId];
  await florin.merchant.retrieve({ onResponse, onRequest: ({ attempt }) => attempt });
  // @ts-expect-error: a hook receives no headers, so it cannot leak a key.
  void new Florin({ baseUrl: 'https://pay.example', onRequest: ({ headers }) => headers });
}

/** Combinations that the service takes, and those it refuses. */
export async function combine(florin: Florin, mode: 'one_time' | 'subscription'): Promise<void> {
  const { create } = florin.checkoutSessions;
  const projectId = 'p';
  await create({ projectId, mode: 'one_time', amountCents: 100, currency: 'USDC' });
  await create({ projectId, mode: 'one_time', priceId: 'x', customerEmail: null });
  await create({ projectId, mode: 'subscription', priceId: 'x', customerEmail: 'a@b.example' });
  await create({ projectId, mode: 'balance_top_up', priceId: 'x', externalCustomerId: 'u' });
  await create({ projectId, mode, priceId: 'x', customerName: 'Ada' });
  // @ts-expect-error: neither a price nor an amount.
  await create({ projectId, mode: 'one_time' });
  // @ts-expect-error: both a price and an amount.
  await create({ projectId, mode: 'one_time', priceId: 'x', amountCents: 100 });
  // @ts-expect-error: an amount of one's own is for one_time.
  await create({ projectId, mode: 'subscription', amountCents: 100, customerEmail: 'a@b.example' });
  // @ts-expect-error: nobody to renew it with.
  await create({ projectId, mode: 'subscription', priceId: 'x' });
  // @ts-expect-error: nobody to give the credits to.
  await create({ projectId, mode: 'balance_top_up', priceId: 'x', customerEmail: null });

  const price = { projectId, productId: 'q', unitAmountCents: 100n };
  await florin.prices.create({ ...price, billingMode: 'one_time', creditAmount: null });
  await florin.prices.create({ ...price, billingMode: 'balance_top_up', creditAmount: 5 });
  await florin.prices.create({ ...price, billingMode: 'subscription', recurringInterval: 'month' });
  await florin.prices.create({
    ...price,
    billingMode: 'subscription',
    recurringInterval: 'month',
    recurringIntervalCount: 6,
  });
  // @ts-expect-error: credits are for balance_top_up.
  await florin.prices.create({ ...price, billingMode: 'one_time', creditAmount: 5 });
  // @ts-expect-error: no credits.
  await florin.prices.create({ ...price, billingMode: 'balance_top_up' });
  // @ts-expect-error: no interval.
  await florin.prices.create({ ...price, billingMode: 'subscription' });
  // @ts-expect-error: nor is null one.
  await florin.prices.create({ ...price, billingMode: 'subscription', recurringInterval: null });
  // @ts-expect-error: paid once, there is nothing to repeat.
  await florin.prices.create({ ...price, billingMode: 'one_time', recurringInterval: 'month' });

  const link = { projectId, productName: 'Course', unitAmountCents: 100 };
  await florin.paymentLinks.setUp({ ...link, billingMode: 'subscription', recurringInterval: 'year' });
  // @ts-expect-error: no interval.
  await florin.paymentLinks.setUp({ ...link, billingMode: 'subscription' });
  // @ts-expect-error: no credits.
  await florin.paymentLinks.setUp({ ...link, billingMode: 'balance_top_up' });
}

/** How many there are is a plain number; amounts, credits and quantities may be larger than one. */
export async function count(florin: Florin): Promise<number> {
  const overview = await florin.billing.overview();
  const [sum] = await florin.usage.listSummaries().toArray({ limit: 1 });
  const rows: number = overview.openInvoicesCount + overview.subscriptions.active + (sum?.recordCount ?? 0);
  // @ts-expect-error: a quantity is whatever its reporter says, up to 64 bits.
  void (sum!.quantity satisfies number);
  return rows;
}

export function decide(error: unknown): string {
  if (error instanceof FlorinSignatureError) return error.reason satisfies string;
  if (!(error instanceof FlorinError)) throw error;
  switch (error.code) {
    case 'TERMINAL_BUSY':
    case 'TIMEOUT':
      return 'later';
    default:
      return `${error.status satisfies number | undefined} ${error.traceId satisfies string | undefined}`;
  }
}

export async function receive(request: Request): Promise<Int64 | string> {
  const event: WebhookEvent = await webhooks.constructEvent(
    await request.arrayBuffer(),
    request.headers.get('x-service-signature'),
    'whsec_test',
    { toleranceSeconds: 60 },
  );
  switch (event.event) {
    case 'payment_intent.succeeded':
      return event.data.amountCents;
    case 'subscription.renewed':
      return event.data.subscription.id;
    case 'invoice.paid':
    case 'invoice.overdue':
      return event.data.invoice.id;
    default:
      // @ts-expect-error: what `data` holds depends on the event.
      void event.data.invoice.id;
      return event.event satisfies WebhookEventName;
  }
}

const paid = (event: WebhookEvent<'invoice.paid'>) => event.data.invoice.number;
void paid;
export const client: Florin = new Florin({ baseUrl: 'https://pay.example', apiKey: 'k', fetch });
