import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { settings } from '../src/config/settings.ts';
import { bodyValidator } from '../src/platform/http/validate.ts';
import { realNow } from '../src/platform/lib/clock.ts';
import { errorCodes } from '../src/platform/lib/errors.ts';
import { webhooks } from '../src/service/webhook-list.ts';
import { standardHeaders } from '../src/webhooks/sign.ts';
import { cleanUp } from './support/clean-up.ts';
import { newDataFolder } from './support/data-folder.ts';
import { requireTool } from './support/debian.ts';
import {
  type Block,
  blocksOf,
  type Command,
  codeWords,
  commandsOf,
  docPages,
  envOf,
  nginxObjection,
  unitOf,
} from './support/doc-blocks.ts';
import { tryGuide } from './support/guide.ts';
import { florin, startProcess, temporaryFolder } from './support/process.ts';
import { testService } from './support/service.ts';

const root = join(import.meta.dirname, '..');
const pages = docPages();
const blocks = pages.flatMap((page) => page.blocks);
const { db, app } = await testService();

/** Pages whose blocks other tests run from the first to the last. */
const isGuide = (page: string) => pages.find(({ name }) => name === page)!.text.includes('fl_dev_…');

/** The checker of each kind of block; a block of no kind has none. */
const checks: { name: string; takes(block: Block): boolean; check(block: Block): void | Promise<void> }[] = [
  { name: 'followed by test/guides.test.ts', takes: ({ page }) => isGuide(page), check: () => {} },
  {
    name: 'run by sdk/test',
    takes: ({ page, language }) => page === 'sdk.md' && ['ts', 'text', 'json'].includes(language),
    check: () => {},
  },
  {
    name: 'run by test/docs.test.ts',
    takes: ({ page, language, text }) =>
      page === 'webhooks.md' && ['js', 'python'].includes(language) && isFirst(page, language, text),
    check: () => {},
  },
  {
    name: 'compared by test/failover/settings.test.ts',
    takes: ({ page }) => page === 'failover.md',
    check: () => {},
  },
  {
    name: 'run by test/point-in-time.test.ts and test/database-tls.test.ts',
    takes: ({ page, text }) => page === 'operating.md' && text.includes('sudo -u postgres '),
    check: () => {},
  },
  {
    name: 'run by test/interop/mpp.test.ts',
    takes: ({ page, language }) => page === 'mpp.md' && language === 'js',
    check: () => {},
  },
  {
    name: 'a library of Standard Webhooks',
    takes: ({ page, language }) => page === 'webhooks.md' && language === 'ts',
    check: checkLibrary,
  },
  { name: 'an event', takes: ({ language }) => language === 'json', check: checkEvent },
  { name: 'settings', takes: ({ language }) => language === 'env', check: checkSettings },
  { name: 'a scrape', takes: ({ language }) => language === 'yaml', check: checkScrape },
  { name: 'SQL', takes: ({ language }) => language === 'sql', check: checkSql },
  { name: 'commands of an operator', takes: ({ language }) => language === 'sh', check: checkCommands },
];

/** True for the first block of a language on a page. Tests take only the first, so a second one would go unread. */
function isFirst(page: string, language: string, text: string): boolean {
  return blocks.find((block) => block.page === page && block.language === language)?.text === text;
}

test.for(blocks)('docs/$page:$line ($language) is checked', async (block) => {
  const checker = checks.find(({ takes }) => takes(block));
  expect(checker, 'nothing checks this block').toBeDefined();
  await checker!.check(block);
});

/** Run unchanged, on a webhook that is signed as ours are. */
function checkLibrary({ text }: Block): void {
  const secret = 'whsec_M8PRn51IWcD9FojbJEtEEmo0s7IXmnWxutq3VWAZ';
  const rawBody = Buffer.from('{"event":"invoice.paid"}');
  const pairs = standardHeaders([secret], 'event-1', realNow(), rawBody);
  const headers = Object.fromEntries([0, 2, 4].map((at) => [pairs[at], pairs[at + 1]]));
  const program = text.replace(/^import .*\n/, '');
  const run = new Function('Webhook', 'process', 'rawBody', 'request', `${program}; return event;`);
  const event = run(Webhook, { env: { FLORIN_WEBHOOK_SECRET: secret } }, rawBody.toString(), { headers });
  expect(event).toEqual({ event: 'invoice.paid' });
}

function checkEvent({ text }: Block): void {
  const body = JSON.parse(text);
  const webhook = webhooks.find(({ event }) => event === body.event);
  expect(webhook, `there is no event ${body.event}`).toBeDefined();
  bodyValidator(webhook!.body)(body);
}

function checkSettings({ text }: Pick<Block, 'text'>): void {
  const env = envOf(text);
  expect(Object.keys(env).filter((name) => !(name in settings))).toEqual([]);
  readConfig(env);
}

const HEALTH_CHECK = 'health-check.js';

test('the files of deploy/ name settings, programs and a port that are there', () => {
  const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
  checkSettings({ text: read('florin.env') });
  const unit = unitOf(read('florin.service').replaceAll(/^#.*\n/gm, ''));
  expect(unit.get('Service.ExecStart')!.flatMap(missingFiles)).toEqual([]);
  const given = unit.get('Service.Environment')!.flatMap((line) => line.split(' '));
  const names = given.map((pair) => pair.split('=')[0]!);
  expect(names.filter((name) => !(name in settings))).toEqual(['XDG_CACHE_HOME', ...OF_THE_C_LIBRARY]);
  // The same, however it is started.
  const start = readFileSync(join(root, 'package.json'), 'utf8');
  for (const pair of given.filter((one) => one.startsWith('MALLOC_')))
    for (const text of [start, read('Containerfile')]) expect(text).toContain(pair);
  expect(nginxObjection(read('nginx.conf'))).toBeUndefined();
  const port = `127.0.0.1:${settings.PORT.default}`;
  expect(read('nginx.conf')).toContain(`server ${port};`);
  expect(read('Caddyfile')).toContain(`reverse_proxy ${port}\n`);
  expect(read('compose.yaml')).toContain(`- ${port}:${settings.PORT.default}\n`);
  expect(read('compose.yaml')).toContain(`test: [CMD, node, /opt/florin/deploy/${HEALTH_CHECK}]\n`);
});

test('the health check of the container ends with 0 while the service is ready', async () => {
  let status = 200;
  const service = createServer((request, response) =>
    response.writeHead(request.url === '/health/ready' ? status : 404).end(),
  );
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
  const { port } = service.address() as AddressInfo;
  const check = () =>
    new Promise((ended) => {
      const env = { ...process.env, PORT: String(port) };
      spawn(process.execPath, [join(root, 'deploy', HEALTH_CHECK)], { env }).on('exit', ended);
    });
  expect(await check()).toBe(0);
  status = 503;
  expect(await check()).toBe(1);
  await new Promise((closed) => service.close(closed));
  expect(await check()).toBe(1);
});

/** Returns files that a command expects in an installed release and that no release has. */
function missingFiles(command: string): string[] {
  const named = [...command.matchAll(/\/opt\/florin\/current\/(\S+)/g)].map((match) => match[1]!);
  return named.filter((file) => !existsSync(join(root, file)));
}

async function checkScrape({ text }: Block): Promise<void> {
  requireTool('promtool', 'prometheus');
  const file = join(await temporaryFolder(cleanUp), 'prometheus.yml');
  writeFileSync(file, text);
  execFileSync('promtool', ['check', 'config', '--syntax-only', file], { stdio: 'pipe' });
}

async function checkSql({ text }: Block): Promise<void> {
  for (const statement of text
    .split(/;\s*$/m)
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [, setting] = /^alter system set (\w+) =/.exec(statement) ?? [];
    // A setting of the whole server is looked up, not changed: other tests are running on it.
    const [row] = setting
      ? await db.query('select 1 from pg_settings where name = $1', [setting])
      : await db.query(`explain ${statement}`);
    expect(row, statement).toBeDefined();
  }
}

async function checkCommands({ text }: Block): Promise<void> {
  for (const command of commandsOf(text)) {
    expect(Object.keys(command.env).filter((name) => !(name in settings))).toEqual([]);
    expect(await commandObjection(command)).toBeUndefined();
  }
}

/** Commands that operators type besides our own. */
const PLAIN = [
  'git pull',
  'openssl rand -hex 32',
  'npm ci',
  'npm ci --omit=dev --ignore-scripts',
  'npm install -g ./florin-1.2.3.tgz',
  'npm install http://localhost:4020/sdk.tgz',
  'psql -h $PWD/data/postgres -U florin florin',
];

/** Programs of an operator's machine: of their arguments, only our own files can be wrong. */
const OF_THE_MACHINE = [
  ...['cd', 'cp', 'install', 'ln', 'mkdir', 'mv', 'sh', 'sha256sum', 'tar'],
  ...['journalctl', 'podman', 'systemctl'],
];

async function commandObjection({ words }: Command): Promise<string | undefined> {
  const [program, ...rest] = words.filter((word) => word !== 'sudo' && !word.startsWith('FLORIN_DATA='));
  if (program === 'florin') return florinObjection(rest);
  if (OF_THE_MACHINE.includes(program!)) return missingFiles(words.join(' ')).map((file) => `no ${file}`)[0];
  if (PLAIN.includes([program, ...rest].join(' '))) return undefined;
  if (program === 'npx' && rest[0] === 'florin') return florinObjection(rest.slice(1));
  if (program === 'npm') return scriptObjection(rest);
  return program === 'curl' ? callObjection(rest) : `nothing checks ${words.join(' ')}`;
}

function scriptObjection(words: readonly string[]): string | undefined {
  const script = words[0] === 'run' ? words[1]! : words[0]!;
  const folder = words.includes('-w') ? words[words.indexOf('-w') + 1]! : '.';
  const { scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return script in scripts ? undefined : `there is no script ${script}`;
}

const helpTexts = new Map<string, Promise<string>>();

/** Returns the output of a command's `--help`, which also shows that there is no such command. */
function helpOf(words: readonly string[]): Promise<string> {
  const key = words.join(' ');
  if (!helpTexts.has(key))
    helpTexts.set(
      key,
      florin([...words, '--help'], {}).then(({ stdout }) => stdout),
    );
  return helpTexts.get(key)!;
}

async function florinObjection(words: readonly string[]): Promise<string | undefined> {
  const commands: string[] = [];
  for (const word of words) {
    const help = await helpOf(commands);
    if (!/^Commands:/m.test(help) && !hasCommands(help)) break;
    if (!new RegExp(`^  ${word}( |\\||$)`, 'm').test(help)) break;
    commands.push(word);
  }
  const help = await helpOf(commands);
  const next = words[commands.length];
  if (hasCommands(help) && next !== undefined && !next.startsWith('--'))
    return `there is no command ${words.join(' ')}`;
  const unknown = words.filter((word) => word.startsWith('--') && !new RegExp(`\\s${word}\\b`).test(help));
  return unknown.length === 0 ? undefined : `${commands.join(' ')} has no ${unknown.join(', ')}`;
}

/** True if the next word must be a command; `backup` takes a file in its place. */
const hasCommands = (help: string) => /^Usage: .*\[command\]$/m.test(help);

/** A call with curl: the operation must be there, and take the body. */
function callObjection(words: readonly string[]): string | undefined {
  const after = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
  const path = words
    .find((word) => word.startsWith('$FLORIN_URL'))
    ?.replace('$FLORIN_URL', '')
    .split('?')[0];
  const body = after('-d');
  const method = after('-X') ?? (body === undefined ? 'GET' : 'POST');
  const route = app.routeDescriptions.find((other) => other.method === method && other.path === path);
  if (!route) return `there is no ${method} ${path}`;
  // A gap in an example is an id that the reader has.
  if (body !== undefined)
    bodyValidator(route.body!)(JSON.parse(body.replaceAll('…', '019b76da-a800-7000-8000-000000000001')));
  return undefined;
}

test('a backup is taken, restored and found well, as docs/operating.md types it', async () => {
  const data = await newDataFolder();
  const service = await startProcess({ FLORIN_DATA: data });
  cleanUp(() => service.end('SIGTERM'));
  const page = pages.find(({ name }) => name === 'operating.md')!;
  const typed = page.blocks.filter(({ text }) => /florin (backup|restore) /.test(text));
  const [taken, restored] = typed.map(({ text }) =>
    text.replaceAll('npx florin', `'${process.execPath}' '${join(root, 'bin/florin.js')}'`),
  ) as [string, string];
  // Into which database the first block restores is up to the reader; the second one has its own.
  const steps = [`ln -s '${data}' data\n${taken.replace(/^.* restore .*\n/m, '')}`, restored];
  const guide = steps.map((commands, line) => ({ line, commands, promise: undefined }));
  expect(await tryGuide(guide, await temporaryFolder(cleanUp))).toBeUndefined();
});

const metrics = knownMetrics();

/** Every metric that the code names; a name with a choice in it is two. */
function knownMetrics(): Set<string> {
  const found = new Set<string>();
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const text = readFileSync(join(root, 'src', file), 'utf8');
    const whole = [1, 2].map((choice) =>
      text.replaceAll(/\$\{\w+ \? '(\w+)' : '(\w+)'\}/g, (_, one, other) => (choice === 1 ? one : other)),
    );
    for (const [name] of whole
      .join('\n')
      .matchAll(
        /\bflorin_[a-z0-9_]+_(total|seconds|bytes|waiting|accounts|transactions|counting|lamports|erasures|renewals|work|up|full|use|max|slot|slots|back|failing)\b/g,
      ))
      found.add(name);
  }
  return found;
}

function unknownMetrics(text: string): string[] {
  const named = [...text.matchAll(/\bflorin_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );
  return named.filter((name) => !metrics.has(name) && !/^florin_(portal|dashboard|device)/.test(name));
}

test('every metric is in docs/operating.md, and the docs name no other', () => {
  const page = pages.find(({ name }) => name === 'operating.md')!;
  expect([...metrics].filter((name) => !page.text.includes(`\`${name}\``))).toEqual([]);
  expect(metrics.size).toBeGreaterThan(8);
  expect(pages.flatMap(({ text }) => unknownMetrics(text))).toEqual([]);
});

/** Variables of the guides' own, and of the command line. */
const OF_THE_C_LIBRARY = ['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'];
const OF_GUIDES = ['FLORIN_API_KEY', 'NO_COLOR', 'FLORIN_URL', 'FLORIN_KEY', 'WEBHOOK_SECRET', 'HOOK_PORT'];

test('a word in capitals is a setting, an error code, or a variable of a guide', () => {
  const known = new Set<string>([...Object.keys(settings), ...errorCodes, ...OF_GUIDES, ...OF_THE_C_LIBRARY]);
  const words = pages
    .flatMap(({ text }) => codeWords(text))
    .map((word) => /^([A-Z][A-Z0-9]*_[A-Z0-9_]+)(=|$)/.exec(word)?.[1]);
  expect(words.filter((word) => word !== undefined && !known.has(word))).toEqual([]);
});

test('every command named in a sentence is there', async () => {
  const named = new Set(
    pages.flatMap(({ text }) => codeWords(text)).filter((word) => word.startsWith('npx florin ')),
  );
  expect(named.size).toBeGreaterThan(3);
  for (const text of named)
    for (const command of commandsOf(text)) expect(await commandObjection(command), text).toBeUndefined();
});

test('every path of the API named in a sentence is there', () => {
  const routes = app.routeDescriptions.map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  );
  const named = pages
    .flatMap(({ text }) => codeWords(text))
    .flatMap(
      (word) =>
        /^(GET|POST|PATCH|DELETE) (\/(?:api|health|metrics|docs)[^\s?]*)/.exec(word)?.slice(1, 3).join(' ') ??
        [],
    );
  const lost = named.filter((call) => !routes.includes(call.replaceAll(/\{\w+\}/g, '{}')));
  expect([named.length > 15, lost]).toEqual([true, []]);
});

test('the guards object to what they should', async () => {
  const [block] = blocksOf('a.md', 'Text\n\n1. Item\n\n   ```sh\n   npx florin backup x\n   ```\n');
  expect(block).toEqual({ page: 'a.md', line: 5, language: 'sh', text: 'npx florin backup x\n' });
  const verdict = async (text: string) => commandObjection(commandsOf(text)[0]!);
  expect(await verdict('npx florin backup x')).toBeUndefined();
  expect(await verdict('npx florin bake x')).toContain('no command bake');
  expect(await verdict('npx florin keys rotate')).toContain('no command keys rotate');
  expect(await verdict('npx florin keys create --colour red')).toContain('has no --colour');
  expect(await verdict('npm run nothing')).toContain('no script nothing');
  expect(await verdict('rm -rf /')).toContain('nothing checks');
  expect(await verdict('curl "$FLORIN_URL/api/v2/nothing"')).toContain('no GET /api/v2/nothing');
  await expect(verdict(`curl "$FLORIN_URL/api/v2/projects" -d '{"nam":"x"}'`)).rejects.toThrow('name');
  expect(nginxObjection('server {\n  listen 1\n}')).toContain('does not end');
  expect(nginxObjection('server {')).toContain('nothing closes');
  expect(() => unitOf('[Unit]\nnonsense')).toThrow('nonsense');
  expect(unknownMetrics('florin_http_request_duration_seconds_count florin_nothing_total')).toEqual([
    'florin_nothing_total',
  ]);
  const invented: Block = { page: 'billing.md', line: 1, language: 'rust', text: '' };
  expect(checks.some(({ takes }) => takes(invented))).toBe(false);
});
