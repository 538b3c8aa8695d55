import { CURRENCIES, INTERVALS } from '../../billing/catalog/price.ts';
import {
  Email,
  Int32,
  Int64,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Uuid,
} from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';
import type { Json } from '../../platform/lib/json.ts';
import { callService, type ToolContext } from './call-service.ts';
import { explainPayment } from './explain-payment.ts';
import { listNeeds } from './list-needs.ts';
import { requireOperation } from './operation-tools.ts';
import { Purpose } from './purpose.ts';
import { CREATES, READS, type Tool, tool } from './tool.ts';
import { dataResult, isRefused, plainResult, refusedResult, type ToolResult } from './tool-result.ts';
import { writeOnce } from './write-once.ts';

const MODES = ['one_time', 'balance_top_up', 'subscription'] as const;
const MAX_FINDINGS = 5;

/** The most common tasks of a shop, each in one call. */
export const shopTools: Tool[] = [
  tool({
    name: 'search',
    title: 'Search the shop',
    description:
      'Finds payments, customers, invoices, subscriptions, refunds and everything else by a name, e-mail address, order, invoice number, amount such as 12.50, id, transaction signature or page URL.',
    input: Shape(undefined, {
      q: Text({ description: 'What to look for.' }),
      limit: Optional(Int32({ min: 1, max: 20, description: 'How many of each kind. Default: 5.' })),
    }),
    annotations: READS,
    scopes: ['billing:read', 'payments:read'],
    async run(context, { q, limit = 5 }) {
      const query = [
        ['q', q],
        ['limit', String(limit)],
      ] as const;
      const answer = await callService(context, { method: 'GET', path: '/api/v2/search', query });
      return isRefused(answer) ? refusedResult(answer) : dataResult(answer.body);
    },
  }),
  tool({
    name: 'needs_attention',
    title: 'What needs attention',
    description:
      'Lists what needs a person in this shop now: each kind of exception, underpaid payments, refunds to approve or send, failing webhooks, overdue invoices, renewals past due. Empty means all is well.',
    input: Shape(undefined, {}),
    annotations: READS,
    scopes: ['billing:read', 'payments:read'],
    run: (context) => listNeeds(context),
  }),
  tool({
    name: 'explain_payment',
    title: 'Explain a payment',
    description:
      'Explains the status of a payment and what to do about it: its state, history, transactions on chain, checkout, invoice, refunds and exceptions.',
    input: Shape(undefined, {
      payment: Text({
        max: 2048,
        description:
          'The id of a payment intent, checkout session or invoice; or an order, invoice number, transaction signature or checkout URL.',
      }),
    }),
    annotations: READS,
    scopes: ['billing:read', 'payments:read'],
    run: (context, { payment }) => explainPayment(context, payment),
  }),
  tool({
    name: 'create_payment_link',
    title: 'Create a payment link',
    description:
      'Creates a URL to share that sells one thing at a fixed price, as often as it is bought. For an existing price give priceId; otherwise productName and unitAmountCents, and a product and price are created too.',
    input: Shape(undefined, {
      projectId: Uuid('From list_operations → listProjects.'),
      priceId: Optional(Uuid('An existing price, instead of the fields below.')),
      productName: Optional(Text({ description: 'What is sold.' })),
      unitAmountCents: Optional(Int64({ min: 1, description: 'The price in cents: 4900 is 49.00 USDC.' })),
      billingMode: Optional(OneOf(MODES, 'Default: one_time.')),
      currency: Optional(OneOf(CURRENCIES)),
      recurringInterval: Optional(OneOf(INTERVALS, 'For subscription.')),
      recurringIntervalCount: Optional(Int32({ min: 1, max: 1000, description: 'For subscription.' })),
      creditAmount: Optional(Int64({ min: 1, description: 'For balance_top_up: the credits sold.' })),
      purpose: Purpose,
    }),
    annotations: CREATES,
    scopes: ['billing:write'],
    run: (context, { purpose, ...input }) => createLink(context, purpose, input),
  }),
  tool({
    name: 'create_checkout',
    title: 'Create a checkout',
    description:
      'Creates a page on which one customer pays one time, with an invoice. Give either priceId or amountCents. Answers the checkoutUrl to send to the customer.',
    input: Shape(undefined, {
      projectId: Uuid(),
      mode: Optional(OneOf(MODES, 'Default: one_time.')),
      priceId: Optional(Uuid()),
      amountCents: Optional(Int64({ min: 1, description: 'Your own amount in cents, for one_time.' })),
      merchantReference: Optional(Nullable(Text({ description: 'Your own name for what is bought.' }))),
      externalCustomerId: Optional(Nullable(Text({ description: 'Your own id for the customer.' }))),
      customerEmail: Optional(Nullable(Email())),
      customerName: Optional(Nullable(Text())),
      purpose: Purpose,
    }),
    annotations: CREATES,
    scopes: ['billing:write', 'payments:write'],
    run: (context, { purpose, mode = 'one_time', ...input }) =>
      create(context, 'createCheckoutSession', purpose, { mode, ...input } as unknown as Json),
  }),
  tool({
    name: 'docs_search',
    title: 'Search the documentation',
    description:
      'Finds sections of Florin’s documentation: how things work, what fields mean, what to do about an error.',
    input: Shape(undefined, { q: Text({ max: 200, description: 'A few words.' }) }),
    annotations: READS,
    scopes: [],
    run: async ({ searchDocs }, { q }) => plainResult({ sections: await searchDocs(q, MAX_FINDINGS) }),
  }),
];

interface LinkInput {
  priceId?: string;
  productName?: string;
  unitAmountCents?: bigint;
  billingMode?: (typeof MODES)[number];
}

function createLink(context: ToolContext, purpose: string, input: LinkInput): Promise<ToolResult> {
  const { priceId, productName, unitAmountCents } = input;
  if (priceId !== undefined) return create(context, 'createPaymentLink', purpose, input as Json);
  if (productName === undefined || unitAmountCents === undefined)
    throw badField('priceId', 'is required, or productName and unitAmountCents');
  const body = { billingMode: 'one_time', ...input };
  return create(context, 'setUpPaymentLink', purpose, body as unknown as Json);
}

function create(context: ToolContext, name: string, purpose: string, body: Json): Promise<ToolResult> {
  const operation = requireOperation(context, name, 'write');
  return writeOnce(context, { operation, path: operation.route.path, params: {}, body, purpose });
}
