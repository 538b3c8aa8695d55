import { type Html, html, inline } from '../../src/platform/http/html.ts';
import { jsonBlock } from './code.ts';
import { type ApiDocument, type Endpoint, endpointsOf, type Operation } from './document.ts';
import { fieldsOf, fieldTable } from './fields.ts';
import { type Guide, guidesOf } from './guides.ts';
import { breakable, methodBadge, operationSection, toField } from './operation.ts';
import { exampleOf, resolved, type Schemas } from './schema-example.ts';

/** The API reference: what there is to choose from beside it, and the sections themselves. */
export interface Reference {
  contents: Html;
  main: Html;
}

/** Complete without a script. `canBeTried`: there is a dialog to send requests from. */
export function referenceOf(document: ApiDocument, canBeTried: boolean): Reference {
  const { info } = document;
  const guides = guidesOf(document);
  const groups = groupsOf(document);
  return {
    contents: contentsOf(guides, groups, document),
    main: html`<header class="title"><h1>${info.title} API</h1><p>Version ${info.version}${info['x-service-version'] && html`, served by ${info.title} ${info['x-service-version']}`}</p></header>
${guides.map(guideSection)}
${groups.map((group) => groupSection(group, document.components.schemas, canBeTried))}
${webhookSection(document)}`,
  };
}

interface Group {
  id: string;
  name: string;
  description: string | undefined;
  endpoints: Endpoint[];
}

function groupsOf(document: ApiDocument): Group[] {
  const endpoints = endpointsOf(document);
  return document.tags.map(({ name, description }) => ({
    id: `tag-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    name,
    description,
    endpoints: withTwins(endpoints.filter(({ operation }) => operation.tags?.includes(name))),
  }));
}

/** Version 1 has the same operations under other paths: each is described once, with both. */
function withTwins(endpoints: readonly Endpoint[]): Endpoint[] {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.operation.operationId, endpoint]));
  const twinOf = (id: string) => byId.get(`${id}V1`);
  const twins = new Set([...byId.keys()].flatMap((id) => twinOf(id) ?? []));
  return endpoints
    .filter((endpoint) => !twins.has(endpoint))
    .map((endpoint) => ({ ...endpoint, twin: twinOf(endpoint.operation.operationId) }));
}

function contentsOf(guides: readonly Guide[], groups: readonly Group[], { webhooks }: ApiDocument): Html {
  const operations = (endpoints: readonly Endpoint[]) =>
    endpoints.map(({ method, operation: { operationId, summary } }) =>
      navigationItem(operationId, html`<span>${summary}</span> ${methodBadge(method)}`),
    );
  const events = Object.keys(webhooks);
  return html`<p class="back"><a href="../docs">All documentation</a></p>
<p class="filter" hidden><input type="search" placeholder="Filter" aria-label="Filter the contents" autocomplete="off" spellcheck="false"></p>
${navigationGroup(
  'Start here',
  guides.map(({ id, title }) => navigationItem(id, html`<span>${title}</span>`)),
)}
${groups.map(({ name, endpoints }) => navigationGroup(name, operations(endpoints)))}
${events.length > 0 && navigationGroup('Webhooks', [navigationItem('webhooks', html`<span>How they arrive</span>`), ...events.map((event) => navigationItem(event, html`<span>${event}</span>`))])}
<p class="filter-empty" role="status" hidden>Nothing has that name.</p>`;
}

function navigationGroup(title: string, items: readonly Html[]): Html {
  return html`<section><p>${title}</p><ul aria-label="${title}">${items}</ul></section>
`;
}

function navigationItem(id: string, content: Html): Html {
  return html`<li><a href="#${id}">${content}</a></li>
`;
}

function guideSection({ id, title, about, sample }: Guide): Html {
  return html`<section class="entry guide" id="${id}">
<div class="about"><h2><a class="anchor" href="#${id}">${title}</a></h2>${about}</div>
${sample && html`<div class="sample">${sample}</div>`}
</section>
`;
}

function groupSection(
  { id, name, description, endpoints }: Group,
  schemas: Schemas,
  canBeTried: boolean,
): Html {
  return html`<section class="group" id="${id}">
<div class="entry"><div class="about"><h2><a class="anchor" href="#${id}">${name}</a></h2>
${description && html`<p>${inline(description)}</p>`}</div>
<div class="sample"><ul class="endpoints" aria-label="Endpoints: ${name}">${endpoints.map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}">${methodBadge(method)} <code>${breakable(path)}</code></a></li>`,
  )}</ul></div></div>
${endpoints.map((endpoint) => operationSection(endpoint, schemas, canBeTried))}
</section>
`;
}

function webhookSection({ webhooks, components: { schemas } }: ApiDocument): Html | undefined {
  const [first] = Object.values(webhooks);
  if (!first) return undefined;
  const headers = (first.post.parameters ?? []).map(toField);
  const accepted = Object.values(first.post.responses)[0]?.description;
  return html`<section class="group">
<div class="entry" id="webhooks"><div class="about"><h2><a class="anchor" href="#webhooks">Webhooks</a></h2>
<p>When something happens, the service sends it to your webhook URL as a <code>POST</code> with a JSON body. ${accepted}
The same event can arrive more than once and, after a failed attempt, later than its successors: handle each <code>id</code>
once, and use <code>sequence</code> to put the changes of one object in order.</p>
<p>Check the signature over the bytes as they arrived, before they are parsed, and compare in constant time.</p>
<h3 class="minor">Headers</h3>${fieldTable('Webhook headers', headers, schemas, false)}</div></div>
${eventFamilies(webhooks).map((family) => familySection(family, schemas))}
</section>`;
}

/** Events that share one body, so that its fields are described once. */
interface Family {
  name: string;
  events: [event: string, operation: Operation][];
}

function eventFamilies(webhooks: ApiDocument['webhooks']): Family[] {
  const byBody = Map.groupBy(Object.entries(webhooks), ([, { post }]) => JSON.stringify(bodyOf(post)));
  return [...byBody.values()].map((members) => ({
    name: `${members[0]![0].split('.')[0]!.replaceAll('_', ' ')} events`,
    events: members.map(([event, { post }]) => [event, post]),
  }));
}

function bodyOf({ requestBody }: Operation) {
  return requestBody?.content['application/json']?.schema ?? {};
}

function familySection({ name, events }: Family, schemas: Schemas): Html {
  const [first, operation] = events[0]!;
  const body = bodyOf(operation);
  return html`<section class="entry operation">
<div class="about"><h3 class="family">${name}</h3>
<dl class="events">${events.map(([event, { summary }]) => html`<div id="${event}"><dt><a class="anchor" href="#${event}"><code>${event}</code></a></dt><dd>${summary}</dd></div>`)}</dl>
<h4>Body</h4>${fieldTable(`Body of ${name}`, fieldsOf(body, schemas), schemas, false)}</div>
<div class="sample">${jsonBlock(first, `Example of ${first}`, eventExample(first, operation, schemas))}</div>
</section>`;
}

/** `payment_intent.succeeded` comes with the status `succeeded`. */
function eventExample(event: string, operation: Operation, schemas: Schemas): unknown {
  const body = resolved(bodyOf(operation), schemas);
  return exampleOf(body, { schemas, known: { event, status: event.split('.').at(-1) } });
}
