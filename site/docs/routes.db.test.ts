import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bodyValidator } from '../../src/platform/http/validate.ts';
import { errorCodes } from '../../src/platform/lib/errors.ts';
import { stringifyJson } from '../../src/platform/lib/json.ts';
import { call, testService } from '../../test/support/service.ts';
import { exampleOf, type JsonSchema } from '../reference/schema-example.ts';
import { ENTRIES } from './contents.ts';

const DOCS = join(import.meta.dirname, '../../docs');

const { app, url } = await testService();
const read = (path: string) => call(`${url}${path}`, 'GET');

const reference = await read('/docs/reference');
const document = await read('/openapi.json');
const paths = [
  '/docs',
  ...ENTRIES.map(({ name }) => `/docs/${name}`),
  '/docs/reference',
  '/docs/search?q=key',
];
const pages = await Promise.all(paths.map(async (path) => ({ path, ...(await read(path)) })));
const assets = ['site.css', 'reference.css', 'site.js', 'search.js', 'rank.js', 'reference.js', 'try.js'];

const idsOf = (text: string) => [...text.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]!);
const addressesOf = (text: string) =>
  [...text.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map((match) => match[1]!);

describe('every page', () => {
  test.for(pages)(
    '$path: 200 as HTML, under a policy that lets nothing inline or from elsewhere run',
    (page) => {
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
          "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.text).not.toMatch(/<style\b/);
      expect(page.text).not.toMatch(/<[^>]*\s(style|on\w+)=/);
      for (const script of page.text.match(/<script\b[^>]*>[^<]*/g)!)
        expect(script).toMatch(/^<script src="[a-z/]+\.js" type="module">$/);
    },
  );

  test('no id is there twice, no address leads elsewhere, and every link lands', () => {
    const idsByPath = new Map(pages.map(({ path, text }) => [path.split('?')[0]!, idsOf(text)]));
    for (const [path, ids] of idsByPath)
      expect([path, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([path, []]);
    const elsewhere: string[] = [];
    const lost: string[] = [];
    for (const { path, text } of pages) {
      for (const address of addressesOf(text)) {
        const target = new URL(address.replaceAll('&amp;', '&'), `${url}${path}`);
        if (target.origin !== url || /^(https?:|\/)/.test(address)) elsewhere.push(`${path}: ${address}`);
        const ids = idsByPath.get(target.pathname);
        if (!ids && !isServed(target.pathname)) lost.push(`${path}: ${address}`);
        if (ids && target.hash !== '' && !ids.includes(decodeURIComponent(target.hash.slice(1))))
          lost.push(`${path}: ${address}`);
      }
    }
    expect({ elsewhere, lost }).toEqual({ elsewhere: [], lost: [] });
  });

  /** Images are requested one by one below. */
  function isServed(path: string): boolean {
    return path.startsWith('/docs/images/') || app.hasRoute({ method: 'GET', url: path });
  }
});

describe('the pages of docs/', () => {
  test('each file is in the contents, and each entry of the contents has its file', () => {
    const files = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
    expect(ENTRIES.map(({ name }) => `${name}.md`).sort()).toEqual(files.sort());
    expect(new Set(ENTRIES.map(({ title }) => title)).size).toBe(ENTRIES.length);
  });

  test.for(ENTRIES)(
    '$name: marked in the contents, with its neighbours, and also as Markdown',
    async ({ name }) => {
      const { text } = await read(`/docs/${name}`);
      expect(text.match(/<h1>/g)).toHaveLength(1);
      expect(text).toContain(`<a href="${name}" aria-current="page">`);
      const at = ENTRIES.findIndex((entry) => entry.name === name);
      expect(/href="([^"]*)" rel="prev"/.exec(text)?.[1]).toBe(ENTRIES[at - 1]?.name);
      expect(/href="([^"]*)" rel="next"/.exec(text)?.[1]).toBe(ENTRIES[at + 1]?.name);
      const markdown = await read(`/docs/${name}.md`);
      expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(markdown.text).toBe(readFileSync(join(DOCS, `${name}.md`), 'utf8'));
    },
  );

  test('llms.txt lists them with whole addresses, llms-full.txt holds them', async () => {
    const list = await read('/llms.txt');
    const full = await read('/llms-full.txt');
    expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(list.text).toMatch(/^# Florin\n\n> .+\n/);
    for (const { name, title, about } of ENTRIES) {
      expect(list.text).toContain(`- [${title}](http://127.0.0.1/docs/${name}.md): ${about}\n`);
      expect(full.text).toContain(readFileSync(join(DOCS, `${name}.md`), 'utf8').trim());
    }
  });

  test('308 from /docs/, where relative addresses would lead astray', async () => {
    const answer = await fetch(`${url}/docs/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '../docs']);
  });
});

describe('GET /docs/search', () => {
  const titlesOf = (text: string) =>
    [...text.matchAll(/<li><a href="([^"]*)">[^<]*<\/a> <span>/g)].map((match) => match[1]!);

  test('finds pages, sections and operations, the best first', async () => {
    expect(titlesOf((await read('/docs/search?q=idempotency')).text)[0]).toBe('idempotency');
    expect(titlesOf((await read('/docs/search?q=create+a+checkout+session')).text)[0]).toBe(
      'reference#createCheckoutSession',
    );
    expect(titlesOf((await read('/docs/search?q=Check+the+SIGNATURE')).text)[0]).toBe(
      'webhooks#check-the-signature',
    );
    for (const setting of ['SOLANA_WS_URL', 'REQUEST_LOG_DAYS'])
      expect(titlesOf((await read(`/docs/search?q=${setting}`)).text)).toContain('configuration');
    expect(titlesOf((await read('/docs/search?q=createProjectV1')).text)).toEqual([]);
  });

  test('says so when nothing holds the words, or none were given; what was asked is escaped', async () => {
    expect((await read('/docs/search?q=xyzzy+plugh')).text).toContain('Nothing holds “xyzzy plugh”');
    expect((await read('/docs/search')).text).toContain('What are you looking for?');
    expect((await read('/docs/search?q=a&q=b')).status).toBe(200);
    const hostile = (await read(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)).text;
    expect(hostile).not.toContain('<script>');
    expect(hostile).toContain('&quot;&gt;&lt;script&gt;alert(1)');
  });

  test('the index that the script asks for leads to places that are there', async () => {
    const { body } = await read('/docs/search.json');
    const idsByPath = new Map(pages.map(({ path, text }) => [path, idsOf(text)]));
    const lost = body.filter(({ url }: { url: string }) => {
      const [name, id] = url.split('#') as [string, string?];
      const ids = idsByPath.get(`/docs/${name}`);
      return !ids || (id !== undefined && !ids.includes(id));
    });
    expect([body.length > 200, lost]).toEqual([true, []]);
  });
});

describe('the reference', () => {
  test('every operation, webhook and error code has its place', () => {
    for (const { id, path } of app.routeDescriptions) {
      expect(reference.text).toContain(`id="${id}"`);
      for (const part of path.split('/')) expect(reference.text).toContain(part);
    }
    for (const event of Object.keys(document.body.webhooks))
      expect(reference.text).toContain(`id="${event}"`);
    for (const code of errorCodes) expect(reference.text).toContain(`id="error-${code}"`);
  });

  test('requests can be tried in the sandbox, and nowhere else', async () => {
    expect(reference.text).toContain('<dialog id="site-try"');
    expect(reference.text.match(/class="try"/g)!.length).toBeGreaterThan(50);
    // A field with a name would be part of an address if the form were ever sent.
    const dialog = reference.text.slice(reference.text.indexOf('<dialog'));
    expect(dialog).not.toMatch(/\sname=/);
    for (const network of ['devnet', 'mainnet']) {
      const other = await testService({ FLORIN_NETWORK: network, SOLANA_RPC_URLS: 'http://127.0.0.1:1' });
      const { text } = await call(`${other.url}/docs/reference`, 'GET');
      expect(text).not.toMatch(/class="try"|<dialog|try\.js/);
    }
  });
});

describe('the files of the pages', () => {
  test('200 each with its type, and nothing in them from elsewhere', async () => {
    for (const name of assets) {
      const { status, headers, text } = await read(`/docs/${name}`);
      expect([name, status, headers.get('content-type')]).toEqual([
        name,
        200,
        name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      ]);
      expect(text.replaceAll("'http://127.0.0.1:4020'", '')).not.toMatch(/@import|url\(|https?:|innerHTML/i);
    }
    expect(document.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(document.body.openapi).toBe('3.1.0');
  });

  test('200 for the icon, kept for a day, to any origin; the pages use it', async () => {
    const icon = await read('/icon.svg');
    expect(icon.status).toBe(200);
    expect(icon.headers.get('content-type')).toBe('image/svg+xml');
    expect(icon.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(icon.headers.get('access-control-allow-origin')).toBe('*');
    expect(icon.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(icon.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    expect(reference.text).toContain('<link rel="icon" href="../icon.svg" type="image/svg+xml">');
  });

  test('200 for the pictures of a page, 304 to who has them; 404 for any other file beside them', async () => {
    const page = await read('/docs/dashboard');
    const pictures = [...page.text.matchAll(/<img src="(images\/[^"]+)" alt="[^"]+/g)].map(
      ([, path]) => `/docs/${path}`,
    );
    expect(pictures.length).toBeGreaterThan(1);
    for (const path of pictures) {
      const { status, headers } = await read(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/webp']);
      const etag = headers.get('etag')!;
      expect((await call(`${url}${path}`, 'GET', undefined, { 'if-none-match': etag })).status).toBe(304);
    }
    for (const name of ['checkout-paid-phone-dark.png', '..%2fdashboard.md', 'nothing.webp']) {
      expect([name, (await read(`/docs/images/${name}`)).status]).toEqual([name, 404]);
    }
  });

  test('304 without a body for a cached copy, 200 to HEAD, compressed for clients that accept it', async () => {
    for (const path of [
      '/docs',
      '/docs/reference',
      '/docs/site.css',
      '/docs/quickstart.md',
      '/openapi.json',
      '/icon.svg',
    ]) {
      const head = await fetch(url + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const etag = head.headers.get('etag')!;
      const again = await fetch(url + path, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const other = await fetch(url + path, { headers: { 'if-none-match': '"other"' } });
      const text = await other.text();
      expect([other.status, other.headers.get('content-encoding')]).toEqual([200, 'gzip']);
      const plain = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } });
      expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, text]);
    }
  });
});

describe('the examples', () => {
  // The schemas of the routes are whole; openapi.json only cuts them into components.
  const withBody = app.routeDescriptions.filter(({ body }) => body);
  const withAnswer = app.routeDescriptions.filter(({ success }) => success.schema);

  test.for(withBody)('$id takes the request that is shown, and the one to try', ({ body }) => {
    for (const purpose of ['request', 'least'] as const) {
      const example = exampleOf(body as JsonSchema, { purpose });
      expect(() => bodyValidator(body!)(JSON.parse(stringifyJson(example)))).not.toThrow();
    }
  });

  test.for(withAnswer)('$id could give the answer that is shown', ({ success: { schema } }) => {
    const example = exampleOf(schema as JsonSchema);
    expect(() => bodyValidator(schema!)(JSON.parse(stringifyJson(example)))).not.toThrow();
  });
});
