import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, newPage, takeProblems } from '../support/browser.ts';
import { cleanUp } from '../support/clean-up.ts';

/** Pages with faults, each at the address of its name. */
const FAULTY: Record<string, string> = {
  good: '<main><h1>Good</h1></main>',
  inline: '<main><h1>Inline</h1></main><script>document.title = "ran"</script>',
  style: '<main><h1 style="color: red">Style</h1></main>',
  foreign: '<main><h1>Foreign</h1><img alt="" src="http://elsewhere.example/x.png"></main>',
  missing: '<main><h1>Missing</h1><img alt="" src="/not-there.png"></main>',
  unnamed: '<main><h1>Unnamed</h1><button></button></main>',
  broad:
    '<main><h1>Broad</h1><img alt="" width="5000" height="5" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></main>',
};

let url: string;

beforeAll(async () => {
  const server = createServer((request, response) => {
    const body = FAULTY[request.url!.slice(1)];
    response.writeHead(body ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'self'; img-src * data:",
    });
    response.end(
      `<!doctype html><html lang="en"><head><title>t</title><link rel="icon" href="data:,"></head><body>${body ?? ''}</body></html>`,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanUp(async () => server.close());
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

test('a page without fault passes, with scripts and without, and so does one that is not there', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await newPage({ javaScriptEnabled });
    await page.goto(`${url}/good`);
    await expectFits(page);
    if (javaScriptEnabled) await expectAccessible(page);
    expect((await page.goto(`${url}/nothing`))!.status()).toBe(404);
  }
});

test.each([
  ['inline', 'Content Security Policy'],
  ['style', 'Content Security Policy'],
  ['foreign', 'elsewhere.example'],
  ['missing', '404'],
])('a page that is %s is noticed', async (name, problem) => {
  const page = await newPage();
  await page.goto(`${url}/${name}`);
  const seen: string[] = [];
  await expect
    .poll(() => {
      seen.push(...takeProblems());
      return seen.join('\n');
    })
    .toContain(problem);
});

test('what is not accessible or too broad is noticed', async () => {
  const page = await newPage();
  await page.goto(`${url}/unnamed`);
  await expect(expectAccessible(page)).rejects.toThrow('button-name');
  await page.goto(`${url}/broad`);
  await expect(expectFits(page)).rejects.toThrow('too broad');
});
