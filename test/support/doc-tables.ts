import { methodsOf } from '../../sdk/generate/methods.ts';
import type { OpenApi } from '../../sdk/generate/openapi.ts';
import { errorCodes, statusOf, textOf } from '../../src/platform/lib/errors.ts';
import { stringifyJson } from '../../src/platform/lib/json.ts';
import { SAMPLE_TIME, sampleOf } from '../../src/sandbox/sample.ts';
import { webhooks } from '../../src/service/webhook-list.ts';

interface DocumentedOperation {
  operationId: string;
  summary: string;
  security?: object[];
  'x-scopes'?: string[];
  'x-roles'?: string[];
  'x-step-up'?: boolean;
  parameters?: { name: string; in: string }[];
}

/** The parts of openapi.json that docs/ repeats. */
type Document = OpenApi & {
  webhooks: Record<string, { post: { summary: string } }>;
  paths: Record<string, Record<string, DocumentedOperation>>;
};

/** The pages of docs/ that hold a part made of the code's own words, each with how it reads now. */
export const docTables: Record<string, (page: string, document: Document) => string> = {
  'docs/webhooks.md': (page, { webhooks }) =>
    withTable(page, 'events', [
      ['event', 'sent when'],
      ['---', '---'],
      ...Object.entries(webhooks).map(([event, { post }]) => [
        `[\`${event}\`](events.md#${event.replaceAll('.', '')})`,
        post.summary,
      ]),
    ]),
  'docs/events.md': (page) => withPart(page, 'samples', eventSamples()),
  'docs/errors.md': (page) =>
    withTable(page, 'errors', [
      ['code', 'status', 'text'],
      ['---', '---', '---'],
      ...errorCodes.map((code) => [`\`${code}\``, `${statusOf(code)}`, textOf(code)]),
    ]),
  'docs/sdk.md': (page, document) =>
    withTable(page, 'methods', [
      ['resource', 'methods'],
      ['---', '---'],
      ...[...Map.groupBy(methodsOf(document), ({ resource }) => resource)].map(([resource, methods]) => [
        `\`florin.${resource}\``,
        methods.map(({ name }) => `\`${name}\``).join(', '),
      ]),
    ]),
  'docs/scopes.md': (page, document) =>
    withTable(page, 'scopes', [
      ['operation', 'call', 'scopes', 'members'],
      ['---', '---', '---', '---'],
      ...operationsOf(document)
        .filter(({ operation }) => !needsCookie(operation))
        .map(({ call, operation }) => [
          operation.summary,
          `\`${call}\``,
          scopesOf(operation),
          membersOf(operation),
        ]),
    ]),
  'docs/idempotency.md': (page, document) =>
    withTable(page, 'repeatable', [
      ['operation', 'call'],
      ['---', '---'],
      ...operationsOf(document)
        .filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
        .map(({ call, operation }) => [operation.summary, `\`${call}\``]),
    ]),
};

/** Every operation once: version 1 of billing has the same ones again. */
function operationsOf({ paths }: Document): { call: string; operation: DocumentedOperation }[] {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        call: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    )
    .filter(({ operation }) => !operation.operationId.endsWith('V1'));
}

/** True for operations of customers in their portal and members in the dashboard, who have no key. */
function needsCookie({ security }: DocumentedOperation): boolean {
  return security !== undefined && !security.some((scheme) => 'apiKey' in scheme);
}

function scopesOf({ security, 'x-scopes': scopes = [] }: DocumentedOperation): string {
  if (!security) return 'no key needed';
  if (scopes.length === 4) return 'all four';
  return scopes.map((scope) => `\`${scope}\``).join(', ') || 'any valid key';
}

function membersOf({ 'x-roles': roles, 'x-step-up': stepUp }: DocumentedOperation): string {
  if (!roles) return '–';
  const who = ['owners', 'owners and developers', 'everybody'][roles.length - 1]!;
  return stepUp ? `${who}, confirmed` : who;
}

/** The ids of the samples: always the same, so that the page changes only when an event does. */
function countingIds(): () => string {
  let count = 0;
  return () => `019b76da-a800-7000-8000-${String(++count).padStart(12, '0')}`;
}

function eventSamples(): string {
  const families = Map.groupBy(webhooks, ({ event }) => familyName(event));
  return [...families]
    .map(([name, members]) => `## ${name}\n\n${members.map(eventSample).join('\n')}`)
    .join('\n');
}

const FAMILIES: [beginning: string, name: string][] = [
  ['payment_intent.', 'Payment intents'],
  ['invoice.', 'Invoices'],
  ['checkout.session.', 'Checkout sessions'],
  ['subscription.', 'Subscriptions'],
  ['customer.balance_', 'Balances'],
  ['customer.', 'Customers'],
  ['refund.', 'Refunds'],
  ['refund_request.', 'Refund requests'],
  ['exception.', 'Exceptions'],
  ['payout_address.', 'Payout addresses'],
  ['webhook_endpoint.', 'Webhook endpoints'],
  ['notification.', 'Notifications'],
];

function familyName(event: string): string {
  const known = FAMILIES.find(([beginning]) => event.startsWith(beginning));
  if (!known) throw new Error(`${event} is of a family without a name`);
  return known[1];
}

function eventSample({ event, summary }: (typeof webhooks)[number]): string {
  const freshId = countingIds();
  const id = freshId();
  const body = { id, event, createdAt: SAMPLE_TIME, ...sampleOf(event, freshId, SAMPLE_TIME) };
  return `### ${event}\n\n${summary}\n\n\`\`\`json\n${stringifyJson(body, 2)}\n\`\`\`\n`;
}

/** The page with the table between its two marks rewritten. */
function withTable(page: string, name: string, rows: string[][]): string {
  return withPart(page, name, rows.map((cells) => `| ${cells.join(' | ')} |\n`).join(''));
}

function withPart(page: string, name: string, part: string): string {
  const marks = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[^]*?(<!-- end -->)`);
  if (!marks.test(page)) throw new Error(`the page has no place for the part ${name}`);
  return page.replace(marks, (_, begin: string, end: string) => `${begin}\n${part}\n${end}`);
}
