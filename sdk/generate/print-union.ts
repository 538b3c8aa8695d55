import type { Schema } from './openapi.ts';
import { comment, printProperty, printType } from './print-types.ts';
import type { Variant } from './variants.ts';

/** A body that comes in variants: the fields all of them share, and a union of what each adds to them. */
export function printUnion(name: string, schema: Schema, variants: readonly Variant[]): string {
  const { properties = {}, required = [] } = schema;
  const varying = new Set(
    variants.flatMap(({ where, required = [], forbidden = [] }) => [
      ...Object.keys(where),
      ...required,
      ...forbidden,
    ]),
  );
  const unknown = [...varying, ...variants.flatMap(({ oneOf = [] }) => oneOf)].find(
    (field) => properties[field] === undefined,
  );
  if (unknown) throw new Error(`${name} has no ${unknown}, which sdk/generate/variants.ts names`);
  const shared = Object.entries(properties).filter(([field]) => !varying.has(field));
  const fields = shared.map(([field, one]) => printProperty(field, one, required.includes(field), 'input'));
  const base = `${name}Fields`;
  return [
    `/** Fields of every ${name}. */`,
    `export interface ${base} {\n${fields.join('\n')}\n}\n`,
    `${comment(schema)}export type ${name} = ${base} & (${variants.map((one) => printVariant(properties, [...varying], one)).join(' | ')});\n`,
  ].join('\n');
}

function printVariant(
  properties: Record<string, Schema>,
  varying: readonly string[],
  { where, required = [], forbidden = [], oneOf = [] }: Variant,
): string {
  const lines = varying.map((field) => {
    const schema = properties[field]!;
    if (where[field]) return printProperty(field, { ...schema, enum: [...where[field]] }, true, 'input');
    if (required.includes(field)) return printProperty(field, withoutNull(schema), true, 'input');
    if (forbidden.includes(field)) return `${field}?: ${isNullable(schema) ? 'null | ' : ''}undefined;`;
    return printProperty(field, schema, false, 'input');
  });
  const body = `{\n${lines.join('\n')}\n}`;
  if (oneOf.length === 0) return body;
  const choices = oneOf.map(
    (field) => `{ ${field}: ${printType(withoutNull(properties[field]!), 'input')} }`,
  );
  return `(${body} & (${choices.join(' | ')}))`;
}

const isNullable = ({ type }: Schema) => [type].flat().includes('null');

function withoutNull(schema: Schema): Schema {
  return {
    ...schema,
    ...(Array.isArray(schema.type) && { type: schema.type.filter((one) => one !== 'null') }),
    ...(schema.enum && { enum: schema.enum.filter((one) => one !== null) }),
  };
}
