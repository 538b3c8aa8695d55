import { type Method, methodsOf } from './methods.ts';
import type { OpenApi } from './openapi.ts';
import { comment, printProperty, printType, typeName } from './print-types.ts';

/** src/generated/resources.ts: one class for each resource, and the class that holds them all. */
export function printResources(api: OpenApi, typeNames: readonly string[]): string {
  const resources = Map.groupBy(methodsOf(api), ({ resource }) => resource);
  const classes = [...resources].map(([resource, methods]) => printClass(resource, methods));
  const queries = [...resources.values()].flat().filter(hasQuery).map(printQuery);
  const names = [...resources.keys()];
  const holder = [
    '/** Every resource of the service. */',
    'export class Resources {',
    ...names.map((name) => `readonly ${name}: ${className(name)};`),
    '\nconstructor(send: Send) {',
    ...names.map((name) => `this.${name} = new ${className(name)}(send);`),
    '}\n}\n',
  ];
  const body = [...holder, ...classes, ...queries].join('\n');
  return `${printHead(body, typeNames)}\n${body}`;
}

function printHead(body: string, typeNames: readonly string[]): string {
  const code = body.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/'[^'\n]*'/g, '');
  const used = new Set([...code.matchAll(/\b[A-Z]\w+/g)].map(([word]) => word));
  return [
    '/** Written by `npm run sdk` from openapi.json and sdk/generate/names.ts: change those, not this. */',
    "import type { Answered } from '../last-response.ts';",
    "import { List } from '../list.ts';",
    "import { type KeyedOptions, type RequestOptions, type Send, segment, type Upload } from '../request.ts';",
    `import type { ${typeNames.filter((name) => used.has(name)).join(', ')} } from './types.ts';`,
    '',
  ].join('\n');
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);

const className = (resource: string) => `${capital(resource)}Resource`;

function printClass(resource: string, methods: readonly Method[]): string {
  return [
    `export class ${className(resource)} {`,
    'readonly #send: Send;\n',
    'constructor(send: Send) {\nthis.#send = send;\n}\n',
    ...methods.map(printMethod),
    '}\n',
  ].join('\n');
}

function printMethod(method: Method): string {
  const args = [
    ...method.pathParameters.map(({ name }) => `${name}: string`),
    ...(method.body ? [bodyArgument(method.body)] : []),
    ...(method.isUpload ? ['file: Upload'] : []),
    ...(hasQuery(method) && !expandsOne(method)
      ? [`query: ${queryName(method)}${needsQuery(method) ? '' : ' = {}'}`]
      : []),
    optionsArgument(method),
  ];
  const { returns, statement } = answerParts(method);
  const isAsync = method.answer.kind !== 'list';
  const head = `${documentation(method)}${isAsync ? 'async ' : ''}${method.name}(${args.join(', ')}): ${returns} {`;
  return `${head}\n${statement}\n}\n`;
}

function optionsArgument(method: Method): string {
  if (expandsOne(method)) return `{ expand, ...options }: RequestOptions & ${queryName(method)} = {}`;
  return `options: ${method.key === 'header' ? 'KeyedOptions' : 'RequestOptions'} = {}`;
}

function bodyArgument({ schema, isRequired }: NonNullable<Method['body']>): string {
  return `body: ${typeName(schema.$ref!)}${isRequired ? '' : ' = {}'}`;
}

function documentation({ operation, answer }: Method): string {
  const text = operation.description ? `${operation.summary}. ${operation.description}` : operation.summary;
  if (answer.kind !== 'csv') return comment({ description: text });
  return comment({
    description: `${text}\n\nEvery matching row as CSV, streamed: read \`body\` or \`text()\`.`,
  });
}

/** Type that the method returns, and the statement that asks for it. */
function answerParts(method: Method): { returns: string; statement: string } {
  const { answer } = method;
  if (answer.kind === 'list') {
    const item = printType(answer.item, 'output');
    // A list that can be followed reads on the way it began: newest first by `cursor`, oldest first by `after`.
    const asked = answer.isFollowed
      ? '{ ...query, [query.after === undefined ? "cursor" : "after"]: cursor }'
      : '{ ...query, cursor }';
    const call = `(cursor) => this.#send(${printCall(method, `query: ${asked}`)}, options)`;
    const start = answer.isFollowed ? 'query.after ?? query.cursor' : 'query.cursor';
    return { returns: `List<${item}>`, statement: `return new List(${call}, ${start});` };
  }
  const returns = {
    json: () => `Answered<${printType((answer as { schema: object }).schema, 'output')}>`,
    csv: () => 'Response',
    bytes: () => 'Answered<Uint8Array<ArrayBuffer>>',
    text: () => 'string',
    nothing: () => 'void',
  }[answer.kind]();
  const query = expandsOne(method) ? 'query: { expand }' : hasQuery(method) ? 'query' : '';
  return {
    returns: `Promise<${returns}>`,
    statement: `return this.#send(${printCall(method, query)}, options);`,
  };
}

function printCall(method: Method, query: string): string {
  const path = method.path.replace(/\{(\w+)\}/g, (_, name) => `\${segment('${name}', ${name})}`);
  const parts = [
    `method: '${method.httpMethod}'`,
    `path: ${path === method.path ? `'${path}'` : `\`${path}\``}`,
    query,
    method.body ? 'body' : '',
    method.isUpload ? 'file' : '',
    method.key ? `key: '${method.key}'` : '',
    method.isRepeatable ? 'isRepeatable: true' : '',
    method.access === 'key' ? '' : 'isKeyless: true',
    ['csv', 'bytes', 'text'].includes(method.answer.kind) ? `answer: '${method.answer.kind}'` : '',
  ];
  return `{ ${parts.filter(Boolean).join(', ')} }`;
}

const hasQuery = ({ query }: Method) => query.length > 0;
/** One object's `expand` is among the options, which every read has as its last argument. */
const expandsOne = ({ answer, query }: Method) =>
  answer.kind === 'json' && query.length === 1 && query[0]!.name === 'expand';
const needsQuery = ({ query }: Method) => query.some(({ required }) => required);

const queryName = ({ resource, name }: Method) => `${capital(resource)}${capital(name)}Query`;

function printQuery(method: Method): string {
  const lines = method.query.map(({ name, description, required, schema }) => {
    // A parameter that accepts several values also accepts one without a list.
    const values = schema.items ? { oneOf: [schema.items, schema] } : schema;
    return printProperty(name, description ? { ...values, description } : values, required, 'input');
  });
  return `export interface ${queryName(method)} {\n${lines.join('\n')}\n}\n`;
}
