import { type Attack, allRefused, expected, held, refused } from './attack.ts';
import { sendRaw } from './call.ts';
import type { Party } from './target.ts';

const INTENTS = '/api/merchants/intents';
const PLAIN = '"amountCents":1,"orderId":"a"';

const posting = (name: string, tries: string, body: unknown, status: number, headers = {}): Attack => ({
  name,
  tries,
  run: async ({ alice }) => refused(await alice.call('POST', INTENTS, body, headers), status),
});

/** Attacks with the parts of a request, bent until it no longer has one meaning. */
export const requestAttacks: readonly Attack[] = [
  posting('body larger than allowed', 'a body of 65 KiB', `{"orderId":"${'a'.repeat(66_560)}"}`, 413),
  posting('duplicate keys', 'an amount twice in one body', `{"amountCents":1,${PLAIN}}`, 400),
  posting('deep nesting', 'ten thousand brackets', `{${PLAIN},"x":${'['.repeat(10_000)}`, 400),
  posting('NUL in text', 'an order id with a null byte', '{"amountCents":1,"orderId":"a\\u0000b"}', 400),
  posting(
    'half a surrogate pair',
    'an order id that is no text',
    '{"amountCents":1,"orderId":"\\ud800"}',
    400,
  ),
  posting('bytes that are no UTF-8', 'a body in Latin-1', Buffer.from('7b22fc223a317d', 'hex'), 400),
  posting(
    'prototype in a body',
    '__proto__ with a status of its own',
    `{${PLAIN},"__proto__":{"status":"succeeded"}}`,
    400,
  ),
  posting(
    'number of 60,000 zeros',
    'a number that used to take half a minute',
    `{"amountCents":9007199254740993.${'0'.repeat(60_000)}1,"orderId":"a"}`,
    400,
  ),
  posting(
    'number of 60,000 digits',
    'an integer that long',
    `{"amountCents":${'9'.repeat(60_000)},"orderId":"a"}`,
    400,
  ),
  posting('compressed body', 'a body said to be gzip', `{${PLAIN}}`, 415, { 'content-encoding': 'gzip' }),
  posting('form instead of JSON', 'the body of a plain HTML form', 'amountCents=1&orderId=a', 415, {
    'content-type': 'application/x-www-form-urlencoded',
  }),
  posting('text instead of JSON', 'JSON under text/plain, as a form can send it', `{${PLAIN}}`, 415, {
    'content-type': 'text/plain',
  }),
  posting('another character set', 'JSON in UTF-16', `{${PLAIN}}`, 415, {
    'content-type': 'application/json; charset=utf-16',
  }),
  posting('idempotency key of 10 KB', 'a key longer than is kept', `{${PLAIN}}`, 400, {
    'idempotency-key': 'k'.repeat(10_000),
  }),
  {
    name: 'query of 16 KB',
    tries: '?a&a&a… as long as a request line may be',
    run: async ({ alice }) => refused(await alice.call('GET', `${INTENTS}?${'a&'.repeat(7_500)}`), 400),
  },
  {
    name: 'query with a key twice',
    tries: 'limit=1&limit=100',
    run: async ({ alice }) => refused(await alice.call('GET', `${INTENTS}?limit=1&limit=100`), 400),
  },
  {
    name: 'path tricks',
    tries: 'dots, double slashes, NUL, encoded slashes and backslashes on the way to an API',
    async run({ alice, stranger }) {
      const paths = [
        '//api/merchants/intents',
        '/api/../metrics',
        '/api/merchants/..%2f..%2fmetrics',
        '/api/merchants/intents/%00',
        '/api\\merchants\\intents',
        '/api/merchants/intents/',
        '/API/merchants/intents',
        '/api/merchants/intents;a=b',
        '/api/merchants/intents/%ff',
        '/api/merchants/intents%20',
      ];
      const answers = await Promise.all(paths.map((path) => alice.call('GET', path)));
      const keyless = await Promise.all(paths.map((path) => stranger({ path })));
      return allRefused([...answers, ...keyless], 400, 401, 404);
    },
  },
  {
    name: 'files through static paths',
    tries: '/etc/passwd and package.json by way of /dashboard, /docs and assets',
    async run({ stranger }) {
      const bases = ['/dashboard/', '/dashboard/assets/', '/docs/', '/docs/images/', '/assets/'];
      const climbs = [
        '../../../../etc/passwd',
        '..%2f..%2f..%2fpackage.json',
        '%2e%2e/%2e%2e/package.json',
        '....//package.json',
        '/etc/passwd',
      ];
      const answers = await Promise.all(
        bases.flatMap((base) => climbs.map((climb) => stranger({ path: base + climb }))),
      );
      const leaks = answers.filter(({ text }) => /root:|"dependencies"/.test(text));
      return held(leaks.length === 0, `${answers.length} paths, no file`);
    },
  },
  {
    name: 'method override',
    tries: 'GET that says X-HTTP-Method-Override: DELETE',
    async run({ alice }) {
      const { body: terminal } = await alice.call('POST', '/api/b2b/merchants/terminals', { name: 'till' });
      const path = `/api/b2b/merchants/terminals/${terminal.id}`;
      const headers = { 'x-http-method-override': 'PATCH', 'x-method-override': 'PATCH' };
      return refused(await alice.call('POST', path, { isActive: false }, headers), 405);
    },
  },
  {
    name: 'methods nobody serves',
    tries: 'TRACE, PUT and PROPFIND on a list',
    run: async ({ alice }) =>
      allRefused(
        await Promise.all(['TRACE', 'PUT', 'PROPFIND'].map((method) => alice.call(method, INTENTS))),
        404,
        405,
      ),
  },
  {
    name: 'two lengths in one request',
    tries: 'Content-Length and Transfer-Encoding, to smuggle a second request',
    async run(target) {
      const head =
        'POST /api/merchants/intents HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n';
      const heard = await sendRaw(target.url, `${head}0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: a\r\n\r\n`);
      return held(/^HTTP\/1.1 400/.test(heard) && !heard.includes('florin_'), 'one answer, 400');
    },
  },
  {
    name: 'line end in a header',
    tries: 'a bare line feed that hides a second header',
    async run(target) {
      const heard = await sendRaw(
        target.url,
        'GET /health/live HTTP/1.1\r\nHost: a\r\nX-A: b\nAuthorization : x\r\n\r\n',
      );
      return held(/^HTTP\/1.1 400/.test(heard), 'answered 400');
    },
  },
  {
    name: 'headers of 100 KB',
    tries: 'a cookie that long',
    async run(target) {
      const head = 'GET /health/live HTTP/1.1\r\nHost: a\r\nCookie: ';
      const heard = await sendRaw(target.url, `${head}${'a'.repeat(100_000)}\r\n\r\n`);
      return held(!heard.startsWith('HTTP/1.1 200'), heard.split('\r\n')[0] || 'hung up');
    },
  },
  {
    name: 'header echoed into the answer',
    tries: 'an X-Request-Id of the caller with a cookie in it',
    async run({ stranger }) {
      const answer = await stranger({ path: '/health/live', headers: { 'x-request-id': 'evil=1' } });
      return held(!JSON.stringify(answer.headers).includes('evil'), 'the answer has an id of its own');
    },
  },
  {
    name: 'another Host',
    tries: 'Host: evil.example, to be named in links that are mailed or printed',
    async run(target) {
      const link = await newLink(target.alice, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
      return held(!link.url.includes('evil'), `the link leads to ${new URL(link.url).host}`);
    },
  },
  {
    name: 'script in names',
    tries: 'a product named <script> on the page of its link',
    async run({ alice, stranger }) {
      const { url } = await newLink(
        alice,
        {},
        { productName: '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>' },
      );
      const { text, headers } = await stranger({ path: new URL(url).pathname });
      const isClean = !text.includes('<script>alert') && !text.includes('<img src=x');
      return held(isClean && 'content-security-policy' in headers, 'escaped, and a policy besides');
    },
  },
  {
    name: 'formula in a CSV',
    tries: 'order ids that a spreadsheet would run, wherever it splits the file',
    async run({ alice }) {
      for (const orderId of ['=1+1', '+1+1', '-1+1', '@SUM(1)', 'a;=1+1', ' =1+1'])
        expected(await alice.call('POST', INTENTS, { amountCents: 100, orderId }), 200, 201);
      const { text } = await alice.call('GET', INTENTS, undefined, { accept: 'text/csv' });
      const cells = text.split(/[,;\t\r\n]/).map((cell) => cell.replace(/^["\s]+/, ''));
      const runs = cells.filter((cell) => /^[=+@-]/.test(cell));
      return held(runs.length === 0 && text.includes('1+1'), 'every one has an apostrophe');
    },
  },
  {
    name: 'foreign page address',
    tries: 'javascript: and data: as the address to return to',
    async run({ alice }) {
      const body = { projectId: alice.projectId, mode: 'one_time', amountCents: 100 };
      const urls = [
        'javascript:alert(1)',
        'data:text/html,x',
        'ftp://a.example',
        '//a.example',
        'https://user:pass@a.example',
        'http://a.example',
      ];
      const answers = urls.map((successUrl) =>
        alice.call('POST', '/api/v2/checkout-sessions', { ...body, successUrl }),
      );
      return allRefused(await Promise.all(answers), 400);
    },
  },
];

export async function newLink(
  { call, projectId }: Party,
  headers: Record<string, string> = {},
  more: object = {},
): Promise<{ id: string; url: string; publicToken: string }> {
  const body = { projectId, productName: 'Tea', billingMode: 'one_time', unitAmountCents: 500, ...more };
  const answer = expected(await call('POST', '/api/v2/payment-links/setup', body, headers), 200, 201);
  return answer.body.paymentLink ?? answer.body;
}
