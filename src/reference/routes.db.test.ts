import { describe, expect, test } from 'vitest';
import { call, testService } from '../../test/support/service.ts';
import { bodyValidator } from '../http/validate.ts';
import { errorCodes } from '../lib/errors.ts';
import { stringifyJson } from '../lib/json.ts';
import { exampleOf, type JsonSchema } from './schema-example.ts';

const { app, url } = await testService();
const page = await call(`${url}/docs`, 'GET');
const styles = await call(`${url}/docs/reference.css`, 'GET');
const script = await call(`${url}/docs/reference.js`, 'GET');
const document = await call(`${url}/openapi.json`, 'GET');

describe('GET /docs', () => {
  test('200 as HTML, under a policy that lets nothing inline or from elsewhere run', () => {
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-cache');
  });

  test('every operation, webhook and error code has its place', () => {
    for (const { id, path } of app.routeDescriptions) {
      expect(page.text).toContain(`id="${id}"`);
      for (const part of path.split('/')) expect(page.text).toContain(part);
    }
    for (const event of Object.keys(document.body.webhooks)) expect(page.text).toContain(`id="${event}"`);
    for (const code of errorCodes) expect(page.text).toContain(`id="error-${code}"`);
  });

  test('no address leads elsewhere', () => {
    const addresses = [...page.text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map((match) => match[1]!);
    expect(addresses.length).toBeGreaterThan(50);
    expect(addresses.filter((address) => /^(https?:)?\/\//i.test(address))).toEqual([]);
    expect(addresses.filter((address) => /https?:\/\//i.test(address))).toEqual([]);
    expect(styles.text).not.toMatch(/@import|url\(|https?:/i);
    expect(script.text).not.toMatch(/https?:|fetch\(|innerHTML/i);
  });

  test('nothing is inline that the policy would block', () => {
    expect(page.text.match(/<script\b[^>]*>[^<]*/g)).toEqual(['<script src="docs/reference.js" defer>']);
    expect(page.text).not.toMatch(/<style\b/);
    expect(page.text).not.toMatch(/<[^>]*\s(style|on\w+)=/);
  });

  test('every link inside the page lands, and every id is there once', () => {
    const ids = [...page.text.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]!);
    const links = [...page.text.matchAll(/\shref="#([^"]*)"/g)].map((match) => match[1]!);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });
});

describe('the files of the page', () => {
  test('200 each with its type', () => {
    expect(styles.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(document.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(document.body.openapi).toBe('3.1.0');
  });

  test('200 for the icon, kept for a day, to any origin; the page uses it', async () => {
    const icon = await call(`${url}/icon.svg`, 'GET');
    expect(icon.status).toBe(200);
    expect(icon.headers.get('content-type')).toBe('image/svg+xml');
    expect(icon.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(icon.headers.get('access-control-allow-origin')).toBe('*');
    expect(icon.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(icon.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    expect(page.text).toContain('<link rel="icon" href="icon.svg" type="image/svg+xml">');
  });

  test('304 without a body to who has it already, 200 to HEAD', async () => {
    for (const path of ['/docs', '/docs/reference.css', '/docs/reference.js', '/openapi.json', '/icon.svg']) {
      const head = await fetch(url + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const etag = head.headers.get('etag')!;
      const again = await fetch(url + path, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const other = await fetch(url + path, { headers: { 'if-none-match': '"other"' } });
      expect([other.status, await other.text()]).toEqual([200, expect.stringMatching(/./)]);
    }
  });
});

describe('the examples', () => {
  // The schemas of the routes are whole; openapi.json only cuts them into components.
  const withBody = app.routeDescriptions.filter(({ body }) => body);
  const withAnswer = app.routeDescriptions.filter(({ success }) => success.schema);

  test.for(withBody)('$id takes the request that is shown', ({ body }) => {
    const example = exampleOf(body as JsonSchema, { purpose: 'request' });
    expect(() => bodyValidator(body!)(JSON.parse(stringifyJson(example)))).not.toThrow();
  });

  test.for(withAnswer)('$id could give the answer that is shown', ({ success: { schema } }) => {
    const example = exampleOf(schema as JsonSchema);
    expect(() => bodyValidator(schema!)(JSON.parse(stringifyJson(example)))).not.toThrow();
  });
});
