import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { requireTool } from './support/debian.ts';
import { docTables } from './support/doc-tables.ts';
import { documentPictures, PICTURES } from './support/document-pictures.ts';
import { temporaryFolder } from './support/process.ts';

/** The snippets in docs/webhooks.md, run unchanged; test/doc-blocks.test.ts sees to all other blocks. */
const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8');
const snippet = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)![1]!;

const SECRET = 'whsec_a4iCBnft2F5w0zPvwFoVw1f5Fff3lSup4gZz2V1m';
const BODY = '{"event":"payment_intent.succeeded","data":{"orderId":"größe"}}';
const NOW = 1_700_000_000;
const sign = (secret: string, body = BODY, time = NOW) =>
  createHmac('sha256', secret).update(`${time}${body}`).digest('hex');

const cases: [header: string, body: string, isGood: boolean][] = [
  [`t=${NOW},v1=${sign(SECRET)}`, BODY, true],
  [`t=${NOW},v1=${sign('whsec_new')},v1=${sign(SECRET)}`, BODY, true],
  [`t=${NOW - 299},v1=${sign(SECRET, BODY, NOW - 299)}`, BODY, true],
  [`t=${NOW - 301},v1=${sign(SECRET, BODY, NOW - 301)}`, BODY, false],
  [`t=${NOW},v1=${sign('whsec_other')}`, BODY, false],
  [`t=${NOW},v1=${sign(SECRET)}`, `${BODY} `, false],
  [`t=${NOW}`, BODY, false],
  ['v1=00', BODY, false],
  ['', BODY, false],
];

test('the Node snippet accepts what we sign and nothing else', async () => {
  const file = join(await temporaryFolder(cleanUp), 'verify.mjs');
  writeFileSync(file, snippet('js'));
  const { verify } = (await import(file)) as {
    verify(body: Buffer, header: string, secret: string, now: number): boolean;
  };
  expect(cases.map(([header, body]) => verify(Buffer.from(body), header, SECRET, NOW))).toEqual(
    cases.map(([, , isGood]) => isGood),
  );
});

test('the Python snippet accepts what we sign and nothing else', () => {
  const calls = cases.map(
    ([header, body]) => `verify(${pythonBytes(body)}, ${JSON.stringify(header)}, "${SECRET}", ${NOW})`,
  );
  const script = `${snippet('python')}\nprint([bool(x) for x in [${calls.join(', ')}]])`;
  expect(runPython(script)).toBe(`[${cases.map(([, , isGood]) => (isGood ? 'True' : 'False')).join(', ')}]`);
});

const pythonBytes = (text: string) => `bytes.fromhex("${Buffer.from(text).toString('hex')}")`;

function runPython(script: string): string {
  requireTool('python3');
  return execFileSync('python3', ['-c', script], { encoding: 'utf8' }).trim();
}

const rootFile = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const document = JSON.parse(rootFile('openapi.json'));

test.each(Object.entries(docTables))(
  '%s says what the code says; refresh it with: npm run openapi',
  (path, written) => {
    const page = rootFile(path);
    expect(page).toBe(written(page, document));
    const webhooks = { 'invented.event': { post: { summary: 'Never.' } } };
    const invented = { ...document, webhooks };
    if (path === 'docs/webhooks.md') expect(written(page, invented)).toContain('`invented.event`');
  },
);

test('every link between the pages leads to a page, and every page of docs/ and examples/ is led to', () => {
  const pages = [
    'README.md',
    ...readdirSync(new URL('../docs', import.meta.url))
      .filter(isPage)
      .map(inDocs),
    ...readdirSync(new URL('../examples', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((name) => isPage(name) && !name.includes('node_modules'))
      .map((name) => `examples/${name}`),
  ];
  const links = pages.flatMap((page) =>
    [...rootFile(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((link) => join(dirname(page), link[1]!)),
  );
  expect(links.filter((link) => !existsSync(new URL(`../${link}`, import.meta.url)))).toEqual([]);
  expect(pages.filter((page) => page !== 'README.md' && !links.includes(page))).toEqual([]);
});

test('docs/images has the pictures that documents show, and no others', () => {
  expect(readdirSync(PICTURES).sort()).toEqual([...documentPictures()].sort());
});

test('the pages for contributors name files and scripts that are there', () => {
  const words = [
    'CONTRIBUTING.md',
    'ARCHITECTURE.md',
    'STYLE.md',
    'SECURITY.md',
    'docs/debugging.md',
  ].flatMap((page) =>
    [...rootFile(page).matchAll(/`([^`\n]+)`|\]\((?!https?:)([^)#\s]+)/g)].map(
      ([, word, link]) => word ?? join(dirname(page), link!),
    ),
  );
  const paths = words.filter((word) =>
    /^(\.ci|bench|bin|docs|migrations|scripts|sdk|site|src|test|web)\/[\w./-]*$/.test(word),
  );
  expect(paths.length).toBeGreaterThan(60);
  const missing = paths.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)));
  expect(missing).toEqual([]);
  const { scripts } = JSON.parse(rootFile('package.json'));
  const named = words.flatMap((word) => /^npm (?:run )?([\w:]+)/.exec(word)?.[1] ?? []);
  expect(named.filter((script) => !(script in scripts) && !['ci', 'install'].includes(script))).toEqual([]);
});

test('the changelog says nothing twice, which merging two branches may cause', () => {
  const entries = rootFile('CHANGELOG.md')
    .split(/^(?=- |#)/m)
    .filter((part) => part.startsWith('- '));
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.filter((entry, i) => entries.indexOf(entry) !== i)).toEqual([]);
});

const isPage = (name: string) => name.endsWith('.md');
const inDocs = (name: string) => `docs/${name}`;
