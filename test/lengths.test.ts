import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newCustomer, newPlan, newPrice, newSession } from './support/billing.ts';
import { newOwner, type TestMember } from './support/members.ts';
import { type TestVisitor, visit } from './support/portal.ts';
import {
  call,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from './support/service.ts';
import { arrive } from './support/transfers.ts';

/**
 * Reads every bound of openapi.json and tries it: the most is taken, and one more is a 400 that names the field. So a
 * length that is documented is a length that can be relied on, in whatever script.
 */
// biome-ignore lint/suspicious/noExplicitAny: the document is walked freely here.
type Schema = any;

interface Operation {
  id: string;
  method: string;
  path: string;
  body: Schema | undefined;
  query: Record<string, Schema>;
  /** Parameters that are always needed. */
  needed: string[];
  answer: Schema | undefined;
  who: 'key' | 'member' | 'visitor' | 'anybody';
}

interface Field {
  operation: Operation;
  /** Path in the body, or the name of the query parameter. */
  path: string[];
  inQuery: boolean;
  schema: Schema;
}

let service: TestService;
let shop: TestMerchant;
let owner: TestMember;
let visitor: TestVisitor;
let document: Schema;
let fields: Field[];
let real: Record<string, string>;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  owner = await newOwner(service, shop);
  document = (await call(`${service.url}/openapi.json`, 'GET')).body;
  fields = operations().flatMap(fieldsOf);
  const { body: project } = await shop.call('POST', '/api/v2/projects', { name: 'a' });
  const price = await newPrice(shop, project.id);
  const customer = await newCustomer(shop, project.id);
  const vat = { projectId: project.id, name: 'a', percent: 1, country: 'DE' };
  const { body: taxRate } = await shop.call('POST', '/api/v2/tax-rates', vat);
  const less = { projectId: project.id, name: 'a', percentOff: 1 };
  const { body: discount } = await shop.call('POST', '/api/v2/discounts', less);
  const { body: code } = await shop.call('POST', '/api/v2/promotion-codes', { discountId: discount.id });
  const { body: terminal } = await shop.call('POST', '/api/b2b/merchants/terminals', {});
  const sold = { projectId: project.id, priceId: price.id };
  const { body: link } = await shop.call('POST', '/api/v2/payment-links', sold);
  const plan = { mode: 'subscription', priceId: (await newPlan(shop, project.id)).id };
  const { subscriptionId } = await newSession(shop, project.id, {
    ...plan,
    externalCustomerId: 'subscriber',
  });
  real = {
    projectId: project.id,
    priceId: price.id,
    productId: price.productId,
    customerId: customer.id,
    terminalId: terminal.id,
    taxRateId: taxRate.id,
    discountId: discount.id,
    promotionCodeId: code.id,
    paymentLinkId: link.id,
    subscriptionId,
  };
  visitor = await visit(service, shop, project.id, customer.id);
});

const resolve = (schema: Schema): Schema =>
  schema?.$ref ? document.components.schemas[schema.$ref.split('/').pop()] : schema;
const typeOf = ({ type }: Schema) => [type].flat().find((name: string) => name !== 'null');

/** One of two versions of a path is enough: they are one implementation. */
function operations(): Operation[] {
  return Object.entries<Record<string, Schema>>(document.paths)
    .filter(([path]) => path.startsWith('/api/v2/') || !document.paths[path.replace('/api/', '/api/v2/')])
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const ways = (operation.security ?? []).flatMap((way: object) => Object.keys(way));
        const parameters = (operation.parameters ?? []).filter((one: Schema) => one.in === 'query');
        const success = Object.entries<Schema>(operation.responses).find(([status]) => status < '300')?.[1];
        return {
          id: operation.operationId,
          method: method.toUpperCase(),
          path,
          body: operation.requestBody?.content['application/json']?.schema,
          query: Object.fromEntries(parameters.map((one: Schema) => [one.name, one.schema])),
          needed: parameters.filter((one: Schema) => one.required).map((one: Schema) => one.name),
          answer: success?.content?.['application/json']?.schema,
          who: ways.includes('apiKey')
            ? 'key'
            : ways.includes('dashboardCookie')
              ? 'member'
              : ways.includes('portalCookie')
                ? 'visitor'
                : 'anybody',
        } as Operation;
      }),
    );
}

function fieldsOf(operation: Operation): Field[] {
  const found: Field[] = [];
  const walk = (given: Schema, path: string[], inQuery: boolean) => {
    // A passkey's credential, made by a browser, is checked as a whole.
    if (path[0] === 'credential') return;
    const schema = resolve(given);
    const type = typeOf(schema);
    found.push({ operation, path, inQuery, schema });
    if (type === 'object')
      for (const [name, inner] of Object.entries(schema.properties ?? {}))
        walk(inner, [...path, name], inQuery);
    // Items of a batch are answered one by one: see where they are recorded.
    if (type === 'array' && operation.id !== 'recordUsageBatch') walk(schema.items, [...path, '0'], inQuery);
  };
  if (operation.body) walk(operation.body, [], false);
  for (const [name, schema] of Object.entries(operation.query)) walk(schema, [name], true);
  return found.filter(({ path }) => path.length > 0);
}

const nameOf = ({ path }: Pick<Field, 'path'>) => path.filter((part) => part !== '0').at(-1)!;

/** Texts with a form of their own, at any length that their form allows. */
function textOf(name: string, { format, minLength = 1 }: Schema, length: number = minLength): string {
  if (format === 'uuid') return randomUUID();
  if (format === 'date-time' || format === 'day-or-time') return '2099-01-01T00:00:00.000Z';
  if (format === 'email') return emailOf(Math.max(length, 9));
  if (format === 'uri' || name.endsWith('Url')) return 'https://example.com/'.padEnd(length, 'a');
  if (name === 'brandColor') return '#'.padEnd(Math.max(length, 7), '0');
  if (name === 'language')
    return 'en-abcdefgh-abcdefgh-abcdefgh-abcde'.slice(0, Math.max(length, 2)).padEnd(length, 'a');
  if (name === 'country') return 'DE'.padEnd(length, 'a').slice(0, length);
  if (name === 'metadata') return 'k:'.padEnd(length, 'v');
  if (name === 'allowedAddresses') return '192.0.2.1'.padEnd(length, 'a');
  // A password must not be easy to guess.
  if (/password/i.test(name))
    return 'a horse and a lemon in '.repeat(Math.ceil(length / 23)).slice(0, length);
  return 'a'.repeat(length);
}

/** Returns `length` characters of four bytes each. */
const wideOf = (length: number) => '🦀🐙🦋🐝'.repeat(Math.ceil(length / 4)).slice(0, 2 * length);

/** Labels of a domain have 63 characters at most, the part before the @ has 64. */
function emailOf(length: number): string {
  const local = 'a'.repeat(Math.min(64, length - 6));
  const rest = length - local.length - 1;
  const labels = Array.from({ length: Math.ceil(rest / 60) }, (_, i) =>
    'b'.repeat(Math.min(59, rest - i * 60)),
  );
  return `${local}@${labels.join('.').padEnd(rest, 'c').slice(0, -3)}.cc`;
}

/** The least that fits a schema. */
function fitting(given: Schema, name: string): unknown {
  const schema = resolve(given);
  // A tax id of this type has no form of its own.
  if (schema.enum?.includes('other')) return 'other';
  if (schema.enum) return schema.enum[0];
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((key: string) => [key, fitting(schema.properties[key], key)]),
      );
    case 'array':
      return itemsOf(schema, name, schema.minItems ?? 0);
    case 'boolean':
      return true;
    case 'number':
      return 1;
    case 'integer':
      return schema.minimum ?? 1;
    case 'string':
      return textOf(name, schema);
    default:
      return fitting(schema.anyOf[0], name);
  }
}

const ITEMS: Record<string, (i: number) => unknown> = {
  // None of them twice.
  suggestedCents: (i) => 100 + i,
  tipPercents: (i) => 1 + i,
  allowedAddresses: (i) => `192.0.2.${i + 1}`,
  embedOrigins: (i) => `https://shop-${i}.example`,
  reminderDays: (i) => i + 1,
  metadata: (i) => `key-${i}:value`,
  records: (i) => ({
    projectId: real.projectId,
    metric: 'calls',
    quantity: 1,
    idempotencyKey: `${randomUUID()}${i}`,
  }),
};

function itemsOf({ items }: Schema, name: string, count: number): unknown[] {
  const item = resolve(items);
  return Array.from({ length: count }, (_, i) =>
    ITEMS[name] ? ITEMS[name](i) : item.enum ? item.enum[i % item.enum.length] : fitting(item, name),
  );
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_key, item) =>
    typeof item === 'bigint'
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(item))
      : item,
  );

/** Sends the operation with this value in this field; the rest is the least that fits, or what is given. */
function send(field: Field, value: unknown, given: object = {}): Promise<TestAnswer> {
  const { operation, path, inQuery } = field;
  const { method, body, who } = operation;
  const query = new URLSearchParams();
  if (inQuery)
    for (const name of operation.needed) query.set(name, String(fitting(operation.query[name], name)));
  if (inQuery) query.delete(path[0]!);
  if (inQuery) for (const one of [value].flat()) query.append(path[0]!, String(one));
  const url =
    operation.path.replace(/\{(\w+)\}/g, (_, name) => real[name] ?? randomUUID()) +
    (inQuery ? `?${query}` : '');
  const sent = body && !inQuery ? { ...(fitting(body, '') as object), ...given } : undefined;
  if (sent) put(sent, body, path, value);
  const text = sent && asText(sent);
  if (who === 'key') return shop.call(method, url, text);
  if (who === 'member') return owner.call(method, url, text);
  if (who === 'visitor') return visitor.call(method, url.replace('/api/portal', ''), text);
  return call(service.url + url, method, text);
}

/** Whatever is missing on the way to the field is made, the least that fits. */
function put(into: Schema, given: Schema, [key, ...more]: string[], value: unknown): void {
  const schema = resolve(given);
  const inner = typeOf(schema) === 'array' ? schema.items : schema.properties[key!];
  if (more.length === 0) {
    into[key!] = value;
    return;
  }
  into[key!] ??= typeOf(resolve(inner)) === 'array' ? [] : fitting(inner, key!);
  put(into[key!], inner, more, value);
}

const complaintOf = ({ status, body }: TestAnswer) =>
  status === 400 ? body.error.message.split(' ')[0] : '';
const said = (field: Field, what: string, value: unknown) => [
  field.operation.id,
  field.path.join('.'),
  what,
  value,
];

async function expectRefused(field: Field, what: string, value: unknown): Promise<void> {
  const answer = await send(field, value);
  expect(said(field, what, [answer.status, complaintOf(answer)])).toEqual(
    said(field, what, [400, field.path.join('.')]),
  );
}

async function expectTaken(field: Field, what: string, value: unknown): Promise<void> {
  const answer = await send(field, value, SENSE[field.operation.id]?.[field.path[0]!]);
  const isTaken =
    answer.status < 500 && answer.status !== 413 && complaintOf(answer).split('.')[0] !== field.path[0];
  expect(said(field, what, isTaken || answer.text)).toEqual(said(field, what, true));
}

/** Further fields without which a field means nothing. */
const SENSE: Record<string, Record<string, object>> = {
  createPrice: {
    creditAmount: { billingMode: 'balance_top_up' },
    recurringIntervalCount: { billingMode: 'subscription', recurringInterval: 'day' },
    trialDays: { billingMode: 'subscription', recurringInterval: 'day' },
  },
  setUpPaymentLink: {
    creditAmount: { billingMode: 'balance_top_up' },
    recurringIntervalCount: { billingMode: 'subscription', recurringInterval: 'day' },
    trialDays: { billingMode: 'subscription', recurringInterval: 'day' },
  },
  createCheckoutSession: {
    trialDays: { mode: 'subscription' },
  },
};

/** Fields in which not every text of the right length means something: of those only too much is tried. */
const NARROWER = new Set([
  ...['payoutAddress', 'address', 'payer', 'signature', 'transaction', 'token', 'target', 'previewToken'],
  // Unique in a project.
  'lookupKey',
  'memberEmail',
  'summaryTimeZone',
  'timeZone',
  'month',
  'query',
  ...['cursor', 'after', 'referenceAddress', 'txSignature', 'allowedAddresses', 'embedOrigins', 'termsUrl'],
]);
/** Its own tests have an authenticator. */
const NEEDS_PASSKEY = ['addPasskey', 'renamePasskey'];
/** Texts that keep to e-mails the whole world can type. */
const isPlain = (field: Field) =>
  Boolean(field.schema.pattern || field.schema.format) || nameOf(field).endsWith('Url');

describe('texts', () => {
  test('the longest is taken, one character more or less than allowed is a 400 that names the field', async () => {
    const texts = fields.filter(
      ({ schema }) => typeOf(schema) === 'string' && schema.maxLength !== undefined,
    );
    expect(texts.length).toBeGreaterThan(100);
    for (const field of texts) {
      const { minLength, maxLength } = field.schema;
      const name = nameOf(field);
      await expectRefused(field, 'too long', textOf(name, field.schema, maxLength + 1));
      // An empty parameter is one, too.
      await expectRefused(field, 'too short', textOf(name, field.schema, minLength).slice(0, minLength - 1));
      if (NARROWER.has(name)) continue;
      await expectTaken(field, 'longest', textOf(name, field.schema, maxLength));
      if (isPlain(field)) continue;
      await expectTaken(field, 'longest, of four bytes each', wideOf(maxLength));
      await expectRefused(field, 'too long, of four bytes each', wideOf(maxLength + 1));
    }
  }, 300_000);

  test('the longest comes back whole from whatever answers with the field', async () => {
    const bases = baseBodies();
    const answered = fields.filter(
      ({ operation, path, inQuery, schema }) =>
        !inQuery &&
        typeOf(schema) === 'string' &&
        schema.maxLength !== undefined &&
        operation.answer &&
        !NARROWER.has(nameOf({ path })) &&
        !NEEDS_PASSKEY.includes(operation.id) &&
        shownIn(operation.answer, path),
    );
    expect([...new Set(answered.map(({ operation }) => operation.id))].sort()).toEqual(
      Object.keys(bases).sort(),
    );
    for (const field of answered) {
      const longest = field.schema.maxLength;
      for (const value of [
        textOf(nameOf(field), field.schema, longest),
        ...(isPlain(field) ? [] : [wideOf(longest)]),
      ]) {
        const { status, body } = await send(field, value, await bases[field.operation.id]!());
        const back = field.path.reduce((inner, key) => inner?.[key], body);
        expect(said(field, 'comes back', [status < 300, back])).toEqual(
          said(field, 'comes back', [true, value]),
        );
      }
    }
    // Only a draft can be changed, and what is in it must then be right as a whole.
    delete real.invoiceId;
  }, 120_000);
});

function shownIn(given: Schema, [key, ...more]: string[]): boolean {
  const inner = resolve(given)?.properties?.[key!];
  return inner !== undefined && (more.length === 0 || shownIn(inner, more));
}

const LINE = { name: 'a', unitAmountCents: 1 };

/** Bodies that each operation needs besides the field that is tested. */
function baseBodies(): Record<string, () => Record<string, unknown> | Promise<Record<string, unknown>>> {
  const newException = async () => {
    await arrive(service, shop.id, { baseUnits: 10_000n });
    const { body } = await shop.call('GET', '/api/v2/exceptions?status=open&limit=1');
    real.exceptionId = body.data[0].id;
    return {};
  };
  const { projectId, productId, customerId, priceId, discountId } = real;
  return {
    createProject: () => ({}),
    updateProject: () => ({}),
    createCustomer: () => ({ projectId }),
    updateCustomer: () => ({}),
    createProduct: () => ({ projectId }),
    updateProduct: () => ({}),
    createPrice: () => ({ projectId, productId, billingMode: 'one_time' }),
    updatePrice: () => ({}),
    createTaxRate: () => ({ projectId, percent: 1, country: 'DE' }),
    updateTaxRate: () => ({}),
    createDiscount: () => ({ projectId, percentOff: 1 }),
    updateDiscount: () => ({}),
    createPromotionCode: () => ({ discountId }),
    createCheckoutSession: () => ({ projectId, mode: 'one_time', amountCents: 5 }),
    createInvoice: () => ({ projectId, customerId, lineItems: [LINE] }),
    async updateInvoice() {
      const { body } = await shop.call('POST', '/api/v2/invoices', {
        ...{ projectId, customerId, lineItems: [LINE] },
      });
      real.invoiceId = body.id;
      return {};
    },
    createPaymentLink: () => ({ projectId, priceId }),
    updatePaymentLink: () => ({}),
    createPaywall: () => ({ projectId, priceId }),
    createPortalSession: () => ({ projectId, customerId }),
    async createWebhookEndpoint() {
      const { body } = await shop.call('GET', '/api/v2/webhook-endpoints?limit=100');
      for (const { id, isFirst } of body.data)
        if (!isFirst) await shop.call('DELETE', `/api/v2/webhook-endpoints/${id}`);
      return { url: 'https://example.com/' };
    },
    async createNotification() {
      const { body } = await shop.call('GET', '/api/v2/notifications?limit=100');
      for (const { id } of body.data) await shop.call('DELETE', `/api/v2/notifications/${id}`);
      return { kind: 'telegram', url: 'https://example.com/bot1', chatId: '1' };
    },
    async updateNotification() {
      const { body } = await shop.call('GET', '/api/v2/notifications?limit=1');
      real.notificationId = body.data[0].id;
      return {};
    },
    async updateWebhookEndpoint() {
      const { body } = await shop.call('GET', '/api/v2/webhook-endpoints?limit=1');
      real.endpointId = body.data[0].id;
      return {};
    },
    adjustBalance: () => ({ deltaCredits: 1 }),
    recordUsage: () => ({ projectId, metric: 'calls', idempotencyKey: randomUUID() }),
    createTerminal: () => ({}),
    updateTerminal: () => ({}),
    createNote: () => ({ customerId: real.customerId }),
    async editNote() {
      const about = { customerId: real.customerId, text: 'x' };
      real.noteId = (await shop.call('POST', '/api/v2/notes', about)).body.id;
      return {};
    },
    createTill: () => ({ terminalId: real.terminalId, projectId }),
    createPaymentIntent: () => ({ orderId: randomUUID() }),
    updateSubscription: () => ({}),
    async createRefund() {
      await arrive(service, shop.id, { baseUnits: 10_000n });
      const { body } = await shop.call('GET', '/api/v2/exceptions?status=open&limit=1');
      return { exceptionId: body.data[0].id, reason: 'other' };
    },
    markExceptionReturned: newException,
    keepException: newException,
    async creditException() {
      await newException();
      return { customerId: real.customerId };
    },
    saveView: () => ({ list: 'intents', name: randomUUID(), query: 'status=succeeded' }),
    async updateSavedView() {
      const view = { list: 'invoices', name: randomUUID(), query: 'status=paid' };
      real.viewId = (await owner.call('POST', '/api/dashboard/saved-views', view)).body.id;
      return {};
    },
    inviteMember: () => ({ role: 'viewer' }),
    updateOwnMember: () => ({}),
    updatePortalCustomer: () => ({}),
    updateBrand: () => ({}),
    generateApiKey: () => ({}),
  };
}

test('integers: the least and the most are taken, one beyond is a 400 that names the field', async () => {
  const integers = fields.filter(({ schema }) => typeOf(schema) === 'integer');
  expect(integers.length).toBeGreaterThan(30);
  for (const field of integers) {
    const bits = field.schema.format === 'int32' ? 31n : 63n;
    const least = BigInt(field.schema.minimum ?? -(2n ** bits));
    const most = BigInt(field.schema.maximum ?? 2n ** bits - 1n);
    await expectRefused(field, 'too small', least - 1n);
    await expectRefused(field, 'too large', most + 1n);
    // Time that was moved does not come back.
    if (nameOf(field) === 'advanceSeconds') continue;
    // Limits of an open amount depend on the link's price: its own tests try them.
    if (field.path[0] === 'openAmount') continue;
    await expectTaken(field, 'least', least);
    await expectTaken(field, 'most', most);
  }
}, 120_000);

test('lists: the most items are taken, one more or less than allowed is a 400 that names the field', async () => {
  const lists = fields.filter(({ schema }) => typeOf(schema) === 'array' && schema.maxItems !== undefined);
  expect(lists.length).toBeGreaterThan(10);
  for (const field of lists) {
    const { minItems = 0, maxItems } = field.schema;
    const items = (count: number) => itemsOf(field.schema, nameOf(field), count);
    await expectRefused(field, 'too many', items(maxItems + 1));
    if (minItems > 0) await expectRefused(field, 'too few', items(minItems - 1));
    await expectTaken(field, 'most', items(maxItems));
  }
}, 120_000);

test('the Idempotency-Key takes 255 characters, and no more', async () => {
  for (const [length, status] of [
    [255, 201],
    [256, 400],
  ] as const) {
    const headers = { 'idempotency-key': 'k'.repeat(length) };
    const answer = await shop.call('POST', '/api/v2/projects', { name: 'a' }, headers);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.error.message).toMatch(/^Idempotency-Key /i);
  }
});

test('a merchant’s name takes 255 characters, of any kind, and no more', async () => {
  const name = '🦀'.repeat(255);
  const merchant = await service.createMerchant(name);
  expect((await merchant.call('GET', '/api/b2b/merchants/me')).body.name).toBe(name);
  await expect(service.createMerchant(`${name}🦀`)).rejects.toThrow('name must be 1 to 255 characters');
});
