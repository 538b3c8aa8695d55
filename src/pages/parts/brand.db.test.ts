import { beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});

const get = (path: string) => fetch(service.url + path);

test('200 with a stylesheet for both colour schemes', async () => {
  const answer = await get('/brand/ffd700.css');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
  const text = await answer.text();
  expect(text).toMatch(/^:root\{--accent:#ffd700;--on-accent:#000000;[^{}]*\}@media .*:root\{[^{}]*\}\}$/);
  expect(await (await get('/brand/FFD700.css')).text()).toBe(text);
});

test.each(['red.css', 'ffd70.css', 'ffd7000.css', 'ffd700', 'ffd700.js', '%23ffd70.css', 'ffd700;}.css'])(
  '404 for %s, which is no colour',
  async (file) => {
    expect((await get(`/brand/${file}`)).status).toBe(404);
  },
);
