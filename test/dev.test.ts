import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isIgnored } from '../scripts/dev/watch-files.ts';
import { cleanUp } from './support/clean-up.ts';
import { appPage } from './support/dashboard.ts';
import { newDataFolder } from './support/data-folder.ts';
import { PASSWORD } from './support/members.ts';
import { freePort, postgresPid } from './support/process.ts';

const root = join(import.meta.dirname, '..');

/** Saving a file without changing it: the watcher cannot tell the difference, and the checkout stays as it is. */
const save = (file: string) => utimes(join(root, file), new Date(), new Date());

async function startDev() {
  const FLORIN_DATA = await newDataFolder();
  const port = await freePort();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: FLORIN_DATA, FLORIN_DATA, PORT: String(port) };
  // A process group of its own, so that a test can do what a terminal does on Ctrl-C.
  const child = spawn('npm', ['run', '-s', 'dev'], { cwd: root, env, detached: true });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const exited = once(child, 'exit');
  cleanUp(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await expect.poll(() => output, { timeout: 200_000 }).toContain('Ctrl-C stops everything.');
  return { FLORIN_DATA, url: `http://localhost:${port}`, child, exited, output: () => output };
}

test('npm run dev: one origin for service and dashboard, restarts, hot updates, and nothing left after Ctrl-C', async () => {
  const dev = await startDev();
  const servicePort = /on port (\d+)/.exec(dev.output())![1];
  for (const origin of [dev.url, `http://127.0.0.1:${servicePort}`])
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
  expect((await fetch(`${dev.url}/dashboard`)).url).toBe(`${dev.url}/dashboard/`);

  const page = await appPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(new RegExp(`${dev.url}/dashboard/setup/\\S+`).exec(dev.output())![0]);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@shop.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await page.getByRole('link', { name: 'Settings' }).waitFor();

  // A change of a source file replaces the service; a request made meanwhile waits, and the cookie is still good.
  const first = await postgresPid(dev.FLORIN_DATA);
  await save('src/config/version.ts');
  await expect.poll(dev.output).toContain('src/config/version.ts changed; restarting');
  expect((await fetch(`${dev.url}/health/ready`)).status).toBe(200);
  expect(await postgresPid(dev.FLORIN_DATA)).not.toBe(first);

  // Adding a passkey needs the cookie, the CSRF token, the right origin, and the host name that passkeys belong to.
  await usePasskeys(page);
  await page.goto(`${dev.url}/dashboard/settings/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await page.getByRole('cell', { name: 'Laptop' }).waitFor();

  await save('web/src/settings/passkeys.tsx');
  await expect.poll(() => said.join('\n')).toMatch(/\[vite\] hot updated: .*passkeys\.tsx/);

  const server = await postgresPid(dev.FLORIN_DATA);
  process.kill(-dev.child.pid!, 'SIGINT');
  await dev.exited;
  await expect.poll(() => isAlive(server)).toBe(false);
  await expect.poll(() => readdir(dev.FLORIN_DATA)).not.toContain('florin.lock');
  for (const origin of [dev.url, `http://127.0.0.1:${servicePort}`])
    await expect(fetch(`${origin}/health/ready`)).rejects.toThrow();
});

test('a killed npm run dev takes the service with it', async () => {
  const dev = await startDev();
  const server = await postgresPid(dev.FLORIN_DATA);
  process.kill(-dev.child.pid!, 'SIGKILL');
  await expect.poll(() => isAlive(server)).toBe(false);
  await expect.poll(() => readdir(dev.FLORIN_DATA)).not.toContain('florin.lock');
});

test('tests and the files of editors restart nothing', () => {
  const names = [
    'lib/money.ts',
    'pages/styles/page.css',
    'lib/money.test.ts',
    'lib/.money.ts.swp',
    'lib/money.ts~',
    '4913',
  ];
  expect(names.filter((name) => !isIgnored(name))).toEqual(['lib/money.ts', 'pages/styles/page.css']);
});

/** An authenticator of the browser itself, which says yes to everything. */
async function usePasskeys(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function isAlive(pid: number): Promise<boolean> {
  return readFile(`/proc/${pid}/stat`, 'utf8').then(
    (text) => !/\) Z /.test(text),
    () => false,
  );
}
