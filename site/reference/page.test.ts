import { expect, test } from 'vitest';
import { MAX_INT64 } from '../../src/platform/lib/money.ts';
import type { ApiDocument, Operation } from './document.ts';
import { referenceOf } from './page.ts';

const HOSTILE = `</code><script>alert(1)</script><img src=x onerror=alert(1)> "quoted" 'too'`;

function referencePage(document: ApiDocument): string {
  const { contents, main } = referenceOf(document, true);
  return `${contents}${main}`;
}

function documentWith(operation: Partial<Operation>, schemas: ApiDocument['components']['schemas'] = {}) {
  const whole: Operation = {
    operationId: 'doIt',
    tags: ['Things'],
    summary: 'Do it',
    responses: { 204: { description: 'Done.' } },
    ...operation,
  };
  return {
    info: { title: 'Test', version: '1', description: 'A test.' },
    tags: [{ name: 'Things' }],
    paths: { '/things/{thingId}': { post: whole } },
    webhooks: {},
    components: { schemas },
  } satisfies ApiDocument;
}

test('text of the document is escaped wherever it lands', () => {
  const schema = {
    type: 'object',
    required: [HOSTILE],
    properties: { [HOSTILE]: { type: 'string', description: HOSTILE, enum: [HOSTILE] } },
    examples: [{ [HOSTILE]: HOSTILE }],
  };
  const document = documentWith({
    operationId: HOSTILE,
    tags: [HOSTILE],
    summary: HOSTILE,
    description: `${HOSTILE}\n\n\`${HOSTILE}\``,
    'x-scopes': [HOSTILE],
    security: [{}],
    parameters: [
      { name: HOSTILE, in: 'query', required: true, description: HOSTILE, schema: { type: 'string' } },
    ],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      200: { description: HOSTILE, content: { 'application/json': { schema } } },
      400: { description: HOSTILE },
    },
  });
  const page = referencePage({
    ...document,
    info: { title: HOSTILE, version: HOSTILE, description: HOSTILE },
    tags: [{ name: HOSTILE, description: HOSTILE }],
    paths: { [`/${HOSTILE}`]: document.paths['/things/{thingId}'] },
    webhooks: { [HOSTILE]: { post: document.paths['/things/{thingId}'].post } },
  });
  expect(page).not.toContain('<script');
  expect(page).not.toContain('<img');
  // Inside quotes it is only a value.
  expect(page.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\sonerror/);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('an int64 limit is shown by its type, other limits in words', () => {
  const page = referencePage(
    documentWith({
      requestBody: {
        required: false,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['amountCents'],
              properties: {
                amountCents: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_INT64 },
                name: { type: ['string', 'null'], minLength: 1, maxLength: 128 },
                kinds: {
                  type: 'array',
                  items: { type: 'string', enum: ['a', 'b'] },
                  maxItems: 2,
                  uniqueItems: true,
                },
              },
            },
          },
        },
      },
    }),
  );
  expect(page).toContain('int64 integer · at least 1<');
  expect(page).toContain('string or null · 1 to 128 characters<');
  expect(page).toContain('array of string · at most 2 items · no repeats<');
  expect(page).toContain('may be left out');
  expect(page.match(/class="required"/g)).toHaveLength(1);
});

test('shapes inside shapes are listed below them, one that holds itself only once', () => {
  const schemas = {
    Node: {
      type: 'object',
      properties: {
        label: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    },
  };
  const schema = { type: 'object', properties: { root: { $ref: '#/components/schemas/Node' } } };
  const content = { 'application/json': { schema } };
  const page = referencePage(
    documentWith({ responses: { 200: { description: 'A tree.', content } } }, schemas),
  );
  expect(page).toContain('<span class="parent">root.</span>label');
  expect(page).toContain('array of Node');
  expect(page).not.toContain('root.children[].');
});

test('the shell example is quoted for the shell', () => {
  const schema = { type: 'object', examples: [{ name: "Ada's" }] };
  const page = referencePage(
    documentWith({ security: [{}], requestBody: { content: { 'application/json': { schema } } } }),
  );
  // Ada'\''s, with the apostrophes as HTML writes them.
  expect(page).toContain('Ada&#39;\\&#39;&#39;s');
  expect(page).toMatch(/curl &quot;\$FLORIN_URL\/things\/[0-9a-f-]{36}&quot; \\\n/);
});

test('an operation of the portal is shown with its cookie, and no key', () => {
  const page = referencePage(documentWith({ security: [{ portalCookie: [] }] }));
  expect(page).toContain('the customer’s portal cookie');
  const command = page.slice(page.lastIndexOf('curl '), page.lastIndexOf('X-CSRF-Token'));
  expect(command).toContain('__Host-florin_portal=$PORTAL_COOKIE');
  expect(command).not.toContain('Authorization');
});

test('an operation that version 1 has too is listed once, with both paths', () => {
  const document = documentWith({ operationId: 'doIt' });
  const twin = documentWith({ operationId: 'doItV1' }).paths['/things/{thingId}'];
  const page = referencePage({ ...document, paths: { ...document.paths, '/old/{thingId}': twin } });
  expect(page.match(/<h3>/g)).toHaveLength(1);
  expect(page).toContain('id="doItV1">Also as <code>/old<wbr>/{thingId}<wbr></code>');
});

test('a request to try holds what must be said and no more; the portal’s cannot be tried', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, note: { type: 'string' } },
  };
  const requestBody = { content: { 'application/json': { schema } } };
  const page = referencePage(documentWith({ requestBody, security: [{ apiKey: [] }] }));
  expect(page).toContain('data-body="{\n  &quot;name&quot;: &quot;Main Street&quot;\n}"');
  expect(page).toContain('data-keyed="yes"');
  expect(referencePage(documentWith({ security: [{ portalCookie: [] }] }))).not.toContain('class="try"');
  expect(`${referenceOf(documentWith({}), false).main}`).not.toContain('class="try"');
});
