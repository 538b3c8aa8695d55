import { type Html, type HtmlPart, html } from '../../src/platform/http/html.ts';
import { stringifyJson } from '../../src/platform/lib/json.ts';
import type { Operation, Parameter } from './document.ts';
import { exampleOf, exampleUuid, type JsonSchema, type Schemas } from './schema-example.ts';

/** A block of code with a caption. It can be scrolled sideways, so the keyboard must be able to reach it. */
export function codeBlock(caption: HtmlPart, label: string, code: HtmlPart): Html {
  return html`<figure class="code"><figcaption>${caption}</figcaption><pre tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre></figure>`;
}

export function jsonBlock(caption: HtmlPart, label: string, value: unknown): Html {
  return codeBlock(caption, label, coloured(stringifyJson(value, 2)));
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

/** JSON text with its values set apart. */
export function coloured(json: string): Html {
  const parts: HtmlPart[] = [];
  let at = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [token, text, colon] = match;
    parts.push(json.slice(at, match.index));
    if (colon !== undefined) parts.push(token);
    else if (text !== undefined) parts.push(html`<span class="string">${text}</span>`);
    else parts.push(html`<span class="literal">${token}</span>`);
    at = match.index + token.length;
  }
  return html`${parts}${json.slice(at)}`;
}

/** The call as a shell command; the service's URL and the caller's key come from two variables. */
export function curlOf(method: string, path: string, operation: Operation, schemas: Schemas): string {
  const { parameters = [], security } = operation;
  const body = requestExample(operation, schemas);
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  const verb = method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `;
  return [
    `curl ${verb}"$FLORIN_URL${filledPath(path)}${requiredQuery(parameters, schemas)}"`,
    ...identity(method, security),
    ...(key ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
    ...(isUpload(operation) ? ["-H 'Content-Type: image/png'", '--data-binary @logo.png'] : []),
  ].join(' \\\n  ');
}

/** The body is a file, which has no fields. */
export function isUpload({ requestBody }: Operation): boolean {
  return requestBody !== undefined && requestBody.content['application/json'] === undefined;
}

/** Callers with a cookie and no key: the customer in their portal, or a member in the dashboard. */
export function cookieOf(security: Operation['security']): 'portal' | 'dashboard' | undefined {
  const has = (name: string) => security?.some((scheme) => name in scheme) ?? false;
  if (has('apiKey')) return undefined;
  if (has('portalCookie')) return 'portal';
  return has('dashboardCookie') ? 'dashboard' : undefined;
}

function identity(method: string, security: Operation['security']): string[] {
  if (!security) return [];
  const kind = cookieOf(security);
  if (!kind) return ['-H "Authorization: Bearer $FLORIN_KEY"'];
  const cookie = `-b "__Host-florin_${kind}=$${kind.toUpperCase()}_COOKIE"`;
  return method === 'GET' ? [cookie] : [cookie, `-H "X-CSRF-Token: $${kind.toUpperCase()}_CSRF_TOKEN"`];
}

export function requestExample({ requestBody }: Operation, schemas: Schemas): unknown {
  const schema = requestBody?.content['application/json']?.schema;
  return schema && exampleOf(schema, { schemas, purpose: 'request' });
}

/** No more than what must be said: the rest is up to who sends it. */
export function leastRequest({ requestBody }: Operation, schemas: Schemas): unknown {
  const schema = requestBody?.content['application/json']?.schema;
  return schema && exampleOf(schema, { schemas, purpose: 'least' });
}

/** Path ids as the example of this path shows them. */
export function pathIds(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => exampleUuid(match[1]!));
}

function filledPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_match, name) => exampleUuid(name));
}

function requiredQuery(parameters: readonly Parameter[], schemas: Schemas): string {
  const pairs = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(namedExample(name, schema, schemas)))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function namedExample(name: string, schema: JsonSchema, schemas: Schemas): unknown {
  const holder = { type: 'object', properties: { [name]: schema }, required: [name] };
  return (exampleOf(holder, { schemas, purpose: 'request' }) as Record<string, unknown>)[name];
}

function quoted(body: unknown): string {
  const indented = stringifyJson(body, 2).replaceAll('\n', '\n  ');
  return `'${indented.replaceAll("'", `'\\''`)}'`;
}
