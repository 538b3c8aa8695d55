import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer, newSession, newProject as newShopProject } from '../../test/support/billing.ts';
import { newPage } from '../../test/support/browser.ts';
import { cleanUp } from '../../test/support/clean-up.ts';
import { newDataFolder } from '../../test/support/data-folder.ts';
import { blockedReason } from '../../test/support/guide.ts';
import { newLinkToken } from '../../test/support/portal.ts';
import { startProcess } from '../../test/support/process.ts';
import { testService } from '../../test/support/service.ts';
import { guideProgram } from './guide-program.ts';
import { newProject, packClient, root, run } from './pack.ts';

/** The client as other people get it: packed, installed without a network, compiled, run and bundled. */
let tarball: string;
let files: string[];

beforeAll(async () => {
  ({ tarball, files } = await packClient());
});

const sample = (name: string) => readFileSync(join(import.meta.dirname, 'samples', name), 'utf8');

test('the package holds what is built, and depends on nothing; React is for those who have it', async () => {
  expect(files).toContain('dist/florin.js');
  expect(files).toContain('dist/florin.d.ts');
  expect(files).toContain('LICENSE');
  expect(
    files.filter((file) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(file)),
  ).toEqual([]);
  expect(files.filter((file) => file.includes('test'))).toEqual([]);
  const folder = await newProject(tarball, {});
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules/@florin/sdk/package.json'), 'utf8'));
  expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual([]);
  // A peer that npm knows of makes it ask a registry, which an installation without a network waits for.
  expect(manifest.peerDependenciesMeta).toEqual({ react: { optional: true } });
  const text = await run('sh', ['-c', 'cat node_modules/@florin/sdk/dist/*.js'], folder);
  expect(text).not.toMatch(/node:|\bBuffer\b|\brequire\(/);
});

const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
const compilers: [string, object, string[]][] = [
  [
    'a browser’s project, through a bundler',
    {
      ...strict,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      module: 'esnext',
      moduleResolution: 'bundler',
    },
    [],
  ],
  [
    'a Node project without DOM',
    {
      ...strict,
      target: 'es2022',
      lib: ['es2022'],
      types: ['node'],
      module: 'nodenext',
      moduleResolution: 'nodenext',
    },
    ['@types/node', 'undici-types'],
  ],
];

test.each(compilers)('%s compiles strictly, declarations included', async (_, compilerOptions, tools) => {
  const config = JSON.stringify({ compilerOptions, files: ['types.ts'] });
  const folder = await newProject(
    tarball,
    { 'tsconfig.json': config, 'types.ts': sample('types.ts') },
    tools,
  );
  expect(await run('tsc', ['-p', '.'], folder)).toBe('');
});

/** The one that runs this, and any other that the machine has and the client is meant for. */
const nodes = [process.execPath, ...otherNodes()];

function otherNodes(): string[] {
  const found = execFileSync('sh', ['-c', 'which -a node || true'], { encoding: 'utf8' }).trim().split('\n');
  const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const seen = new Set([process.version]);
  return found.filter(Boolean).filter((node) => {
    const version = versionOf(node);
    return Number(/\d+/.exec(version)![0]) >= 20 && !seen.has(version) && seen.add(version);
  });
}

test.each(nodes)('plain JavaScript runs on %s', async (node) => {
  const service = await testService();
  const shop = await service.createMerchant();
  const folder = await newProject(tarball, { 'run.mjs': sample('run.mjs') });
  expect(JSON.parse(await run(node, ['run.mjs', service.url, shop.key], folder))).toEqual({
    amount: '9223372036854775807',
    found: true,
    refused: 'BAD_REQUEST',
    event: 'invoice.paid 9223372036854775807',
  });
});

async function bundle(folder: string): Promise<string> {
  const lib = "{ entry: 'page.js', formats: ['es'], fileName: () => 'page.js' }";
  const define = "{ 'process.env.NODE_ENV': JSON.stringify('production') }";
  const config = `export default { define: ${define}, build: { lib: ${lib} } }`;
  await writeFile(join(folder, 'vite.config.js'), config);
  await run('vite', ['build', '--logLevel', 'error'], folder);
  return readFile(join(folder, 'dist/page.js'), 'utf8');
}

test('bundled by Vite it works in a browser, with a cookie instead of a key', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const { id: projectId } = await newShopProject(shop);
  const customer = await newCustomer(shop, projectId);
  const token = await newLinkToken(shop, projectId, customer.id);

  const folder = await newProject(tarball, { 'page.js': sample('page.js') }, ['vite']);
  const url = await serveInFront(service.url, await bundle(folder));

  const page = await newPage({ isApp: true });
  await page.goto(url);
  await page.waitForFunction('globalThis.visit');
  expect(await page.evaluate(`globalThis.visit(${JSON.stringify(token)})`)).toEqual({
    name: 'Ada',
    credits: '0',
    code: 'UNAUTHORIZED',
    event: 'invoice.paid',
  });
});

test('the React component shows a checkout inside a page, and passes on what it reports', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const { id: projectId } = await newShopProject(shop);
  const session = await newSession(shop, projectId);
  const tools = ['vite', 'react', 'react-dom', 'scheduler'];
  const folder = await newProject(tarball, { 'page.js': sample('react-page.js') }, tools);
  const url = await serveInFront(service.url, await bundle(folder));
  await shop.call('PATCH', `/api/v2/projects/${projectId}`, { settings: { embedOrigins: [url] } });

  const page = await newPage({ isApp: true });
  await page.goto(url);
  await page.waitForFunction('globalThis.show');
  const checkoutUrl = service.url + new URL(session.checkoutUrl).pathname;
  await page.evaluate(`globalThis.show(${JSON.stringify(checkoutUrl)})`);
  await expect
    .poll(() => page.evaluate('globalThis.reports'))
    .toEqual([{ status: 'open', sessionId: session.id }]);
  const frame = page.frameLocator('florin-checkout iframe');
  await frame.getByRole('heading', { name: 'Pay with USDC on Solana' }).waitFor();
});

/** A page of the same origin as the service, as a proxy in front of both would make it. */
async function serveInFront(service: string, bundle: string): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      return response.end('<script type="module" src="/page.js"></script>');
    }
    if (request.url === '/page.js') {
      response.setHeader('content-type', 'text/javascript');
      return response.end(bundle);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const names = ['accept', 'authorization', 'content-type', 'cookie', 'x-csrf-token'];
    const headers = names.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : []));
    const body = Buffer.concat(chunks);
    const answer = await fetch(service + request.url, {
      method: request.method!,
      headers: headers as [string, string][],
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, [...answer.headers].flat());
    response.end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** It starts a service, a compiler and a program one after the other: on a busy machine that takes a while. */
const GIVE_UP_MS = 300_000;

test('docs/sdk.md is one program that compiles, runs and prints what it says', {
  timeout: GIVE_UP_MS,
}, async () => {
  const { program, promises } = guideProgram(await readFile(join(root, 'docs/sdk.md'), 'utf8'));
  const compilerOptions = compilers[1]![1];
  const folder = await newProject(
    tarball,
    {
      'guide.ts': program,
      'express.d.ts': EXPRESS,
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['guide.ts', 'express.d.ts'] }),
    },
    ['@types/node', 'undici-types', 'express'],
  );
  expect(await run('tsc', ['-p', '.'], folder)).toBe('');

  const service = await startProcess({ FLORIN_DATA: await newDataFolder() });
  cleanUp(() => service.end('SIGTERM'));
  const variables = {
    FLORIN_URL: service.url,
    FLORIN_KEY: service.apiKey!,
    WEBHOOK_SECRET: /whsec_\w+/.exec(service.output())![0],
  };
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const printed = await run('env', [...settings, process.execPath, 'guide.ts'], folder);
  const outputs = new Map(
    printed.split('\0').map((part) => {
      const [line, ...text] = part.split('\n');
      return [Number(line), text.join('\n')];
    }),
  );
  expect(promises.length).toBeGreaterThan(8);
  for (const { line, text } of promises) {
    const objection = blockedReason(outputs.get(line) ?? '', { language: 'text', text });
    expect([line, objection]).toEqual([line, undefined]);
  }
});

/** The part of Express that the guide uses, which brings no types of its own. */
const EXPRESS = `declare module 'express' {
  import type { Server } from 'node:http';
  interface Request { body: Uint8Array; header(name: string): string | undefined }
  interface Response { sendStatus(status: number): void; status(status: number): this; send(text: string): void }
  type Handler = (request: Request, response: Response) => unknown;
  interface App { post(path: string, ...handlers: Handler[]): void; listen(port: number, host: string): Server }
  const express: { (): App; raw(options: { type: string }): Handler };
  export default express;
}`;
