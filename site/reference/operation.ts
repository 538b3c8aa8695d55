import { type Html, html, inline, prose } from '../../src/platform/http/html.ts';
import { type ErrorCode, textOf } from '../../src/platform/lib/errors.ts';
import { stringifyJson } from '../../src/platform/lib/json.ts';
import {
  codeBlock,
  cookieOf,
  curlOf,
  isUpload,
  jsonBlock,
  leastRequest,
  pathIds,
  requestExample,
} from './code.ts';
import type { Endpoint, Operation, Parameter, Response } from './document.ts';
import { type Field, fieldsOf, fieldTable } from './fields.ts';
import { exampleOf, type Schemas } from './schema-example.ts';

/** One operation: what it does and takes on the left, how that looks on the right. */
export function operationSection(endpoint: Endpoint, schemas: Schemas, canBeTried: boolean): Html {
  const { method, path, operation, twin } = endpoint;
  const id = operation.operationId;
  return html`<section class="entry operation" id="${id}">
<div class="about">
<h3><a class="anchor" href="#${id}">${operation.summary}</a></h3>
<p class="endpoint">${methodBadge(method)} <code>${breakable(path)}</code></p>
${twin && html`<p class="aside" id="${twin.operation.operationId}">Also as <code>${breakable(twin.path)}</code>, in version 1.</p>`}
${prose(descriptionOf(operation))}
${facts(operation)}
${parameterTables(operation, schemas)}
${bodyTable(operation, schemas)}
${answerPart(operation, schemas)}
${errorList(operation)}
</div>
<div class="sample">
${canBeTried && tryButton(endpoint, schemas)}
${codeBlock('Request', `Request: ${operation.summary}`, curlOf(method, path, operation, schemas))}
${answerSamples(endpoint, schemas)}
</div>
</section>`;
}

/** Shown by the script that can send the request; this describes what it asks the reader for. */
function tryButton({ method, path, operation }: Endpoint, schemas: Schemas): Html | undefined {
  const { operationId, summary, parameters = [], security } = operation;
  // A portal visit has its own cookie; the reader of this page has none. A file cannot be typed.
  if (cookieOf(security) || isUpload(operation)) return undefined;
  const named = (place: Parameter['in']) =>
    parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const body = leastRequest(operation, schemas);
  return html`<button class="try" type="button" hidden aria-haspopup="dialog" aria-label="Try it: ${summary}" data-id="${operationId}" data-method="${method}" data-path="${path}" data-query="${named('query').join(' ')}" data-keyed="${security ? 'yes' : 'no'}" data-repeatable="${named('header').includes('Idempotency-Key') ? 'yes' : 'no'}"${
    body === undefined ? '' : html` data-body="${stringifyJson(body, 2)}"`
  }>Try it</button>`;
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Lets a long path break where a person would. */
export function breakable(path: string): Html {
  return html`${path.split(/(?=\/)/).map((part) => html`${part}<wbr>`)}`;
}

/** Returns a description without its last paragraph, which names the scopes: they have a place of their own here. */
function descriptionOf({ description = '', 'x-scopes': scopes }: Operation): string {
  return scopes ? description.replace(/(^|\n\n)(Scopes: [^\n]*|Any valid key\.)$/, '') : description;
}

function facts({ operationId, security, 'x-scopes': scopes = [] }: Operation): Html {
  const access =
    scopes.length > 0
      ? html`<dt>${scopes.length > 1 ? 'Scopes' : 'Scope'}</dt><dd>${scopes.map((scope) => html`<code>${scope}</code> `)}</dd>`
      : html`<dt>Access</dt><dd>${accessOf(security)}</dd>`;
  return html`<dl class="facts"><div>${access}</div><div><dt>Operation</dt><dd><code>${operationId}</code></dd></div></dl>`;
}

function accessOf(security: Operation['security']): string {
  if (!security) return 'no API key needed';
  const kind = cookieOf(security);
  return kind ? COOKIES[kind] : 'any valid key';
}

const COOKIES = { portal: 'the customer’s portal cookie', dashboard: 'the member’s dashboard cookie' };

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

function parameterTables({ parameters = [], summary }: Operation, schemas: Schemas): Html {
  const tables = PLACES.map(([place, title]) => {
    const fields = parameters.filter((parameter) => parameter.in === place).map(toField);
    if (fields.length === 0) return undefined;
    return html`<h4>${title}</h4>${fieldTable(`${title}: ${summary}`, fields, schemas, true)}`;
  });
  return html`${tables}`;
}

export function toField({ name, required, description, schema }: Parameter): Field {
  return { parent: '', name, required, schema: { ...schema, ...(description && { description }) } };
}

function bodyTable({ requestBody, summary }: Operation, schemas: Schemas): Html | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  if (requestBody && !schema)
    return html`<h4>Body</h4><p>The file itself, as ${Object.keys(requestBody.content).map((type, at) => html`${at > 0 && ', '}<code>${type}</code>`)}.</p>`;
  if (!schema) return undefined;
  const mayBeAbsent = requestBody.required === false && html` <span class="aside">may be left out</span>`;
  return html`<h4>Body${mayBeAbsent}</h4>${fieldTable(`Body: ${summary}`, fieldsOf(schema, schemas), schemas, true)}`;
}

function isSuccess([status]: [string, Response]): boolean {
  return status.startsWith('2');
}

function answerPart({ responses, summary }: Operation, schemas: Schemas): Html {
  const answers = Object.entries(responses).filter(isSuccess);
  return html`<h4>Response</h4>${answers.map(([status, { description, content }]) => {
    const schema = content?.['application/json']?.schema;
    const fields = schema ? fieldsOf(schema, schemas) : [];
    const csv = content?.['text/csv'] && html` Also as CSV, with <code>Accept: text/csv</code>.`;
    return html`<p><span class="status">${status}</span> ${inline(description)}${csv}</p>
${
  fields.length > 0 &&
  html`<details><summary>Response fields</summary>${fieldTable(`Response: ${summary}`, fields, schemas, false)}</details>`
}`;
  })}`;
}

/** Every code a caller may meet, by status, each leading to its row in the whole table. */
function errorList({ responses }: Operation): Html | undefined {
  const failures = Object.entries(responses).filter((entry) => !isSuccess(entry));
  if (failures.length === 0) return undefined;
  return html`<details class="failures"><summary>Errors <span class="statuses">${failures
    .map(([status]) => status)
    .join(' ')}</span></summary>
<dl>${failures.map(([status, response]) => html`<div><dt>${status}</dt>${errorTexts(response)}</div>`)}</dl>
</details>`;
}

function errorTexts({ description, content }: Response): Html {
  const codes = Object.keys(content?.['application/json']?.examples ?? {});
  if (codes.length === 0) return html`<dd>${inline(description)}</dd>`;
  return html`${codes.map((code) => html`<dd><a href="#error-${code}"><code>${code}</code></a> ${textOf(code as ErrorCode)}</dd>`)}`;
}

/** The answer to the request shown above it: what that one said, this one repeats. */
function answerSamples({ path, operation }: Endpoint, schemas: Schemas): Html {
  const sent = (requestExample(operation, schemas) ?? {}) as Record<string, unknown>;
  const [id] = pathIds(path).slice(-1);
  const known = { ...sent, ...(id && { id }) };
  const samples = Object.entries(operation.responses)
    .filter(isSuccess)
    .map(([status, { content, description }]) => {
      const label = `Response: ${operation.summary}`;
      const caption = html`Response <span class="status">${status}</span>`;
      const schema = content?.['application/json']?.schema;
      if (schema) return jsonBlock(caption, label, exampleOf(schema, { schemas, known }));
      return html`<p class="no-body">${caption} ${status === '204' ? 'without a body' : description}</p>`;
    });
  return html`${samples}`;
}
