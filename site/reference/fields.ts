import { type Html, html, inline } from '../../src/platform/http/html.ts';
import { MAX_INT64 } from '../../src/platform/lib/money.ts';
import { type JsonSchema, nameOfRef, resolved, type Schemas, typesOf } from './schema-example.ts';

export interface Field {
  /** Path written before its name: `data[].` */
  parent: string;
  name: string;
  required: boolean;
  schema: JsonSchema;
}

/** Every property of an object, and below each object those it holds. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas): Field[] {
  return nestedFields('', schema, schemas, []);
}

function nestedFields(parent: string, schema: JsonSchema, schemas: Schemas, above: JsonSchema[]): Field[] {
  const object = resolved(schema, schemas);
  if (object.items) return nestedFields(`${parent}[].`, object.items, schemas, above);
  // A shape that holds itself is listed once.
  if (above.some(({ properties }) => properties === object.properties)) return [];
  return Object.entries(object.properties ?? {}).flatMap(([name, property]) => [
    { parent, name, required: object.required?.includes(name) ?? false, schema: property },
    ...nestedFields(...inside(`${parent}${name}`, resolved(property, schemas)), schemas, [...above, object]),
  ]);
}

function inside(path: string, schema: JsonSchema): [string, JsonSchema] {
  return schema.items ? [path, schema] : [`${path}.`, schema];
}

/** `required` marks what a caller must send; of what the service answers, everything is there. */
export function fieldTable(label: string, fields: readonly Field[], schemas: Schemas, isRequest: boolean) {
  // The roles say again what the elements mean, because a phone lays the table out as blocks.
  return html`<table class="fields" role="table" aria-label="${label}">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Name</th><th role="columnheader" scope="col">Type and meaning</th></tr></thead>
<tbody role="rowgroup">${fields.map((field) => fieldRow(field, schemas, isRequest))}</tbody>
</table>`;
}

function fieldRow({ parent, name, required, schema }: Field, schemas: Schemas, isRequest: boolean): Html {
  const plain = resolved(schema, schemas);
  const limits = isRequest ? limitsOf(plain) : [];
  const values = (plain.enum ?? plain.items?.enum ?? []).filter((value) => value !== null);
  return html`<tr role="row">
<th role="rowheader" scope="row"><code>${parent && html`<span class="parent">${parent}</span>`}${name}</code>${
    isRequest && required && html` <span class="required">required</span>`
  }</th>
<td role="cell"><span class="type">${[typeText(schema, schemas), ...limits].join(' · ')}</span>${
    plain.description && html`<p>${inline(plain.description)}</p>`
  }${values.length > 0 && html`<p class="values"><span>${plain.items ? 'Each one of' : 'One of'}</span> ${values.map((value) => html`<code>${String(value)}</code> `)}</p>`}</td>
</tr>`;
}

/** `uuid string`, `int64 integer or null`, `array of PaymentIntent`. */
export function typeText(schema: JsonSchema, schemas: Schemas): string {
  const plain = resolved(schema, schemas);
  const types = typesOf(plain);
  const names = types.filter((type) => type !== 'null').map((type) => typeName(type, schema, plain, schemas));
  return [...names, ...(types.includes('null') ? ['null'] : [])].join(' or ') || 'any';
}

function typeName(type: string, schema: JsonSchema, plain: JsonSchema, schemas: Schemas): string {
  if (type === 'array') return `array of ${plain.items ? typeText(plain.items, schemas) : 'anything'}`;
  if (type === 'object') return schema.$ref ? nameOfRef(schema.$ref) : (plain.title ?? 'object');
  return plain.format ? `${plain.format} ${type}` : type;
}

/** Returns in words the limits that a caller must keep to. */
export function limitsOf(schema: JsonSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, uniqueItems } = schema;
  // Every int64 ends there; the type already says so.
  const highest = maximum !== undefined && maximum >= MAX_INT64 ? undefined : maximum;
  return [
    between(minimum, highest, ''),
    schema.format === undefined || schema.format === 'uri'
      ? between(minLength, maxLength, ' characters')
      : '',
    between(minItems, maxItems, ' items'),
    uniqueItems ? 'no repeats' : '',
    pattern ? `matches ${pattern}` : '',
    schema.default === undefined ? '' : `default ${schema.default}`,
  ].filter(Boolean);
}

function between(
  least: number | bigint | undefined,
  most: number | bigint | undefined,
  unit: string,
): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}
