import {
  type CheckoutSession,
  type Customer,
  Florin,
  FlorinError,
  FlorinSignatureError,
  type Int64,
  type Page,
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
