import { type Html, html, prose } from '../../src/platform/http/html.ts';
import { errorCodes, statusOf, textOf } from '../../src/platform/lib/errors.ts';
import { codeBlock, curlOf, jsonBlock } from './code.ts';
import { type ApiDocument, type Endpoint, endpointsOf, hasParameter } from './document.ts';

/** Guide to what applies to every operation, described once before them. */
export interface Guide {
  id: string;
  title: string;
  about: Html;
  sample: Html | undefined;
}

export function guidesOf(document: ApiDocument): Guide[] {
  const endpoints = endpointsOf(document);
  const curl = (endpoint: Endpoint | undefined) =>
    endpoint && curlOf(endpoint.method, endpoint.path, endpoint.operation, document.components.schemas);
  return [
    introduction(document),
    authentication(curl(endpoints.find(isPlainRead))),
    errors(),
    idempotency(endpoints.filter((endpoint) => hasParameter(endpoint, 'Idempotency-Key'))),
    lists(endpoints.filter((endpoint) => hasParameter(endpoint, 'cursor'))),
  ];
}

function isPlainRead({ method, path, operation }: Endpoint): boolean {
  return method === 'GET' && !path.includes('{') && operation.security !== undefined;
}

/** The script puts the address the page was read from in place of the default one. */
function introduction({ info }: ApiDocument): Guide {
  return {
    id: 'introduction',
    title: 'Introduction',
    about: html`${prose(info.description)}
<p>Requests and answers are JSON in UTF-8. A body may have up to 64 KiB (a batch of usage
1 MiB, a logo 256 KiB), and a property or parameter that an operation does not know is refused, so that a typing mistake never passes in silence. An int64 can be
larger than a double holds exactly: read amounts with a parser that keeps every digit.</p>
<p>Everything on this page is also in <a href="../openapi.json">openapi.json</a> (OpenAPI 3.1), for generators
and tools.</p>`,
    sample: codeBlock(
      'Set up your shell for the examples',
      'Shell variables',
      html`export FLORIN_URL=<span data-origin>http://127.0.0.1:4020</span>
export FLORIN_KEY=fl_dev_…`,
    ),
  };
}

function authentication(curl: string | undefined): Guide {
  return {
    id: 'authentication',
    title: 'Authentication',
    about: html`<p>Send an API key with every request, as <code>Authorization: Bearer &lt;key&gt;</code>. A key belongs to
one merchant, and all that it reads and writes is that merchant’s.</p>
<p>Keys that start with <code>fl_live_</code> work on mainnet, those with <code>fl_dev_</code> on devnet and in the sandbox.
A key is shown once, when it is made: keep it on your server, never in a browser or an app.</p>
<p>A key holds scopes. An operation names those it needs, and the key must hold all of them; otherwise
the answer is <code>403</code> <a href="#error-INSUFFICIENT_SCOPE"><code>INSUFFICIENT_SCOPE</code></a>. A missing, wrong,
expired or revoked key is <code>401</code> <a href="#error-UNAUTHORIZED"><code>UNAUTHORIZED</code></a>.</p>
<p>Where calls per key are limited, each answer says how far you are: <code>RateLimit-Limit</code>,
<code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code>, the seconds until the limit is whole again. On a 429 it
is the seconds until the next call is accepted, the same as <code>Retry-After</code>.</p>`,
    sample: curl === undefined ? undefined : codeBlock('Whose key is this?', 'Request with an API key', curl),
  };
}

function errors(): Guide {
  const error = {
    code: 'BAD_REQUEST',
    message: 'amountCents is required',
    traceId: '019b76da-a800-7000-8000-000000000001',
  };
  return {
    id: 'errors',
    title: 'Errors',
    about: html`<p>Every error, on every path, has one form. Let programs decide by <code>code</code>, which does not change;
<code>message</code> is for people and names the field first when one field is to blame. <code>traceId</code>
is also in the <code>X-Request-Id</code> header and in the server’s log: quote it when you ask for help.</p>
<p>Try again after <code>429</code> and <code>503</code>, once the seconds in <code>Retry-After</code> have passed, and after a
<code>500</code> or a broken connection with the same <a href="#idempotency">Idempotency-Key</a>. Any other answer stays
the same until the request, or what it asks about, changes.</p>
${errorTable()}`,
    sample: jsonBlock('An error', 'Example of an error', { error }),
  };
}

function errorTable(): Html {
  return html`<table class="fields codes" role="table" aria-label="Every error code">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Code</th><th role="columnheader" scope="col">Status and text</th></tr></thead>
<tbody role="rowgroup">${errorCodes.map(
    (code) => html`<tr role="row" id="error-${code}">
<th role="rowheader" scope="row"><code>${code.split(/(?<=_)/).map((part) => html`${part}<wbr>`)}</code></th>
<td role="cell"><span class="status">${statusOf(code)}</span> ${textOf(code)}</td>
</tr>`,
  )}</tbody>
</table>`;
}

function idempotency(endpoints: readonly Endpoint[]): Guide {
  return {
    id: 'idempotency',
    title: 'Idempotency',
    about: html`<p>A connection can break after the work was done and before the answer arrived. Send an
<code>Idempotency-Key</code> of your own, new for each thing you want done, and you can repeat a request without fear:
the same key with the same body gets the same answer for 7 days, and the effect happens once. A
repeated answer carries <code>Idempotent-Replayed: true</code>.</p>
<ul>
<li>The same key with another body is <code>409</code> <a href="#error-IDEMPOTENCY_CONFLICT"><code>IDEMPOTENCY_CONFLICT</code></a>.</li>
<li>While the first request is still at work, a repeat waits for it; if that takes too long it gets <code>409</code>
<a href="#error-IDEMPOTENCY_IN_PROGRESS"><code>IDEMPOTENCY_IN_PROGRESS</code></a>. Try again shortly.</li>
<li>Errors are not kept: after one, the same key may be used again.</li>
<li>An answer that holds a secret is not kept either, so its repeat is refused with <code>IDEMPOTENCY_CONFLICT</code>.</li>
<li>A key counts for one operation; another operation may use the same one.</li>
</ul>
${operationLinks('Operations that take a key', endpoints)}`,
    sample: codeBlock(
      'A request that can be repeated',
      'Headers with an idempotency key',
      IDEMPOTENT_REQUEST,
    ),
  };
}

const IDEMPOTENT_REQUEST = `KEY=$(uuidgen)   # once for each thing to be done

curl --retry 3 --retry-all-errors \\
  -H "Idempotency-Key: $KEY" \\
  …`;

function lists(endpoints: readonly Endpoint[]): Guide {
  const [first] = endpoints;
  return {
    id: 'lists',
    title: 'Lists and paging',
    about: html`<p>Lists come newest first, a page at a time. <code>limit</code> sets how many items a page holds, 1 to 100 and 20
unless you say so. While <code>hasMore</code> is true, ask again with <code>cursor</code> set to <code>nextCursor</code>, all other
parameters unchanged. What is created meanwhile neither repeats an item nor hides one.</p>
<p><code>createdFrom</code> (that moment included) and <code>createdTo</code> (not included) choose a span of time. A
parameter that may be given several times means any of its values.</p>
<p>With <code>Accept: text/csv</code> the same list comes as CSV: every matching row in one answer, whatever
<code>limit</code> says. Its columns are found by their titles: the fields of the JSON, a date beside each time, dollars beside each
amount in cents, and the customer's name and e-mail address.</p>
${operationLinks('Lists that are paged', endpoints)}`,
    sample:
      first &&
      html`${codeBlock(
        'The next page',
        'Request for the next page',
        `curl -G "$FLORIN_URL${first.path}" \\
  -H "Authorization: Bearer $FLORIN_KEY" \\
  -d limit=20 \\
  -d cursor="$NEXT_CURSOR"`,
      )}
${jsonBlock('A page', 'Example of a page', { data: ['…'], hasMore: true, nextCursor: 'AZt22qgAcACAAAAAAAAAAQ' })}`,
  };
}

function operationLinks(title: string, endpoints: readonly Endpoint[]): Html | undefined {
  if (endpoints.length === 0) return undefined;
  return html`<h3 class="minor">${title}</h3>
<ul class="links">${endpoints.map(({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}</ul>`;
}
