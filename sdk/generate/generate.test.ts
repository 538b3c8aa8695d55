import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generate } from './generate.ts';
import { methodsOf } from './methods.ts';
import { names, repeatable } from './names.ts';
import type { OpenApi, Operation } from './openapi.ts';
import { printType } from './print-types.ts';
import { printUnion } from './print-union.ts';
import { twoFaced } from './special-operations.ts';
import { variants } from './variants.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const api = JSON.parse(read('../../openapi.json')) as OpenApi;
const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));

test.each(Object.entries(generate()))(
  '%s is what openapi.json says; refresh it with: npm run sdk',
  (name, text) => {
    expect(read(`../src/generated/${name}`)).toBe(text);
  },
);

test('an operation without a name, and a name without an operation, stop the generator', () => {
  const more = (operation: Partial<Operation>): OpenApi => ({
    ...api,
    paths: { ...api.paths, '/api/v2/more': { get: { ...operations[0]!, ...operation } } },
  });
  expect(() => methodsOf(more({ operationId: 'listMore' }))).toThrow('listMore has no name in the client');
  expect(() => methodsOf(more({ operationId: 'listMoreV1' }))).toThrow(
    'listMoreV1 has no name in the client',
  );
  expect(() => methodsOf({ ...api, paths: {} })).toThrow('openapi.json does not have it');
});

test('version 1 is the same as version 2 in all but the path, so one method serves both', () => {
  const second = (id: string) => operations.find(({ operationId }) => operationId === id)!;
  const first = operations.filter(({ operationId }) => operationId.endsWith('V1'));
  expect(first.length).toBeGreaterThan(30);
  for (const { operationId, ...operation } of first) {
    const { operationId: _, ...twin } = second(operationId.slice(0, -2));
    expect([operationId, operation]).toEqual([operationId, twin]);
  }
});

test('every name is given once, and what is listed apart is there', () => {
  const all = methodsOf(api).map(({ resource, name }) => `${resource}.${name}`);
  expect(new Set(all).size).toBe(all.length);
  expect([...repeatable, ...Object.keys(twoFaced)].filter((id) => !(id in names))).toEqual([]);
});

test('a body in variants names only fields and values that it has, and every value is in one of them', () => {
  for (const [name, all] of Object.entries(variants)) {
    const schema = api.components.schemas[name]!;
    expect(() => printUnion(name, schema, all)).not.toThrow();
    const [field] = Object.keys(all[0]!.where) as [string];
    const values = new Set(all.flatMap(({ where }) => where[field]!));
    expect([name, [...values].sort()]).toEqual([name, [...schema.properties![field]!.enum!].sort()]);
  }
  const wrong = [{ where: { mode: ['one_time'] }, required: ['prize'] }];
  expect(() => printUnion('X', { properties: { mode: { type: 'string' } } }, wrong)).toThrow(
    'X has no prize',
  );
});

test('an int64 is a number only where no number could lose a digit of it', () => {
  const type = (maximum?: number) =>
    printType({ type: 'integer', format: 'int64', ...(maximum && { maximum }) }, 'output');
  expect([type(), type(2 ** 63), type(2 ** 53), type(Number.MAX_SAFE_INTEGER)]).toEqual([
    'Int64',
    'Int64',
    'Int64',
    'number',
  ]);
  const counts = Object.entries(api.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([field, schema]) => field.endsWith('Count') && printType(schema, 'output').includes('Int64'))
      .map(([field]) => `${name}.${field}`),
  );
  expect(counts).toEqual([]);
});
