import { expect, test } from 'vitest';
import { exampleOf, type JsonSchema } from './schema-example.ts';

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: 255 };

test('an example that the schema carries is taken as it is', () => {
  const example = { amountCents: 1250, orderId: 'order-1001' };
  expect(exampleOf({ type: 'object', properties: { orderId: text }, examples: [example] })).toEqual(example);
  expect(exampleOf({ ...text, const: 'fixed' })).toBe('fixed');
  expect(exampleOf({ type: 'integer', default: 20 })).toBe(20);
});

test('each type gets a value of its own', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      createdAt: { type: 'string', format: 'date-time' },
      expectedAmountCents: { type: 'integer', format: 'int64' },
      status: { type: ['string', 'null'], enum: [null, 'pending'] },
      tags: { type: 'array', items: text },
      isActive: { type: 'boolean' },
      meta: { type: 'object', additionalProperties: text },
      webhookUrl: { type: 'string', format: 'uri' },
    },
  };
  expect(exampleOf(schema)).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
    createdAt: '2026-01-31T12:00:00.000Z',
    expectedAmountCents: 1250,
    status: 'pending',
    tags: ['Tag'],
    isActive: true,
    meta: { key: 'Value' },
    webhookUrl: expect.stringMatching(/^https:/),
  });
  expect(exampleOf(schema)).toEqual(exampleOf(schema));
});

test('limits are kept, also those beyond a double', () => {
  expect(exampleOf({ type: 'integer', minimum: 2n ** 63n - 1n })).toBe(2n ** 63n - 1n);
  expect(exampleOf({ type: 'integer', maximum: 0 })).toBe(0);
  expect(exampleOf({ type: 'string', maxLength: 2 })).toBe('te');
  expect(exampleOf({ type: 'string', minLength: 6 })).toBe('textxx');
  expect(exampleOf({ type: 'array', items: text, minItems: 2 })).toHaveLength(2);
  expect(exampleOf({ type: 'array', items: text, maxItems: 0 })).toEqual([]);
});

test('$ref and a nullable anyOf are followed', () => {
  const schemas = { Item: { type: 'object', properties: { name: text } } };
  const item = { $ref: '#/components/schemas/Item' };
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      one: item,
      maybe: { anyOf: [item, { type: 'null' }] },
      many: { type: 'array', items: item },
    },
  };
  const one = { name: 'Main Street' };
  expect(exampleOf(schema, { schemas })).toEqual({ one, maybe: one, many: [one] });
  expect(() => exampleOf(item)).toThrow('points to nothing');
});

test('a schema that holds itself ends', () => {
  const schemas: Record<string, JsonSchema> = {};
  schemas.Node = { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' } } };
  expect(JSON.stringify(exampleOf(schemas.Node, { schemas }))).toMatch(/^(\{"child":)+\{\}\}+$/);
});

test('a request has what is required, and no option that would do more', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['dueAt'],
    properties: {
      name: text,
      dueAt: { type: 'string', format: 'date-time' },
      expiresAt: { type: 'string', format: 'date-time' },
      terminalId: { type: 'string', format: 'uuid' },
      revokeExisting: { type: 'boolean' },
    },
  };
  expect(exampleOf(schema, { purpose: 'request' })).toEqual({
    name: 'Main Street',
    dueAt: '2030-01-31T12:00:00.000Z',
  });
});

test('a request to move money holds no real address', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['payoutAddress'],
    properties: { payoutAddress: text },
  };
  expect(exampleOf(schema, { purpose: 'request' })).toEqual({ payoutAddress: 'YOUR_SOLANA_ADDRESS' });
});

test('an answer repeats what is known, where it fits', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { name: text, status: { ...text, enum: ['pending', 'paid'] }, count: { type: 'integer' } },
  };
  const known = { name: 'Bar', status: 'paid', count: 'three' };
  expect(exampleOf(schema, { known })).toEqual({ name: 'Bar', status: 'paid', count: 1 });
  expect(exampleOf(schema, { known: { status: 'unheard of' } })).toMatchObject({ status: 'pending' });
});
