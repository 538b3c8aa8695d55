import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root, run } from '../../sdk/test/pack.ts';
import { cleanUp } from '../../test/support/clean-up.ts';
import { requireTool } from '../../test/support/debian.ts';
import { type Block, blocksOf, commandsOf } from '../../test/support/doc-blocks.ts';
import { freePort, temporaryFolder } from '../../test/support/process.ts';
import { FAULT_KINDS } from '../src/rpc/fault-plan.ts';
import { ODD_FORMS } from '../src/rpc/odd-answers.ts';
import { rpcMethods } from '../src/rpc/rpc-methods.ts';
import { subscribeMethods } from '../src/rpc/subscription-topics.ts';
import { post, startCommand } from './start-command.ts';

/** The package as other people get it: packed, below node_modules, where Node runs no TypeScript. */
let project: string;
let readme: string;
let blocks: Block[];

const PACKAGE = 'node_modules/@florin/sandbox-chain';
/** Its dependencies, and those of a project in TypeScript. */
const LINKED = [
  ...['@scure/base', '@solana-program/system', '@solana-program/token', '@solana/kit', 'litesvm', 'ws'],
  ...['@types/node', 'undici-types'],
];

beforeAll(async () => {
  project = await temporaryFolder(cleanUp);
  await run('npm', ['run', '-s', 'pack:sandbox-chain', '--', '--output', project], root);
  const [tarball] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await mkdir(join(project, PACKAGE), { recursive: true });
  await run('tar', ['-xzf', tarball!, '-C', PACKAGE, '--strip-components=1'], project);
  for (const name of LINKED) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
  await writeFile(join(project, 'package.json'), '{"name":"shop","private":true,"type":"module"}');
  readme = await readFile(join(project, PACKAGE, 'README.md'), 'utf8');
  blocks = blocksOf('README.md', readme);
});

test('it holds what is compiled, its manifest points there, and every dependency of it is exact', async () => {
  const names = await readdir(join(project, PACKAGE), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.includes('.') || name === 'LICENSE');
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'dist/sandbox-chain.js', 'dist/command.js']));
  expect(
    files.filter((name) => !/^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(name)),
  ).toEqual([]);
  expect(files.filter((name) => name.includes('test'))).toEqual([]);
  const manifest = JSON.parse(await readFile(join(project, PACKAGE, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: '@florin/sandbox-chain',
    bin: { 'florin-sandbox-chain': 'dist/command.js' },
    exports: { '.': { types: './dist/sandbox-chain.d.ts', default: './dist/sandbox-chain.js' } },
  });
  expect(manifest).not.toHaveProperty('private');
  expect(Object.keys(manifest.dependencies).sort()).toEqual(LINKED.slice(0, 6).sort());
});

describe('README.md', () => {
  test('the programs compile strictly and their tests pass', async () => {
    const program = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text);
    expect(program.length).toBe(2);
    await writeFile(join(project, 'payments.test.ts'), program.join('\n'));
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
      ...{ target: 'es2024', module: 'nodenext', moduleResolution: 'nodenext', types: ['node'] },
    };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['payments.test.ts'] }),
    );
    expect(await run('tsc', ['-p', '.'], project)).toBe('');
    const report = await run(process.execPath, ['--test', 'payments.test.ts'], project);
    expect(report).toMatch(/^ℹ pass 3$/m);
  });

  test('the commands do what it says', async () => {
    const [start, ...more] = blocks.filter(({ language }) => language === 'sh');
    const port = String(await freePort());
    const [command] = commandsOf(start!.text.replaceAll('8899', port));
    expect(command!.words.slice(0, 2)).toEqual(['npx', 'florin-sandbox-chain']);
    const args = command!.words.slice(2);
    const chain = await startCommand([process.execPath, join(PACKAGE, 'dist/command.js'), ...args], project);
    const [printed] = blocks.filter(({ language }) => language === 'text');
    expect(chain.printed).toBe(printed!.text.replaceAll('8899', port));

    requireTool('curl');
    const answers: string[] = [];
    for (const { text } of more)
      answers.push(await run('sh', ['-c', text.replaceAll('8899', port)], project));
    const signature = '"[1-9A-HJ-NP-Za-km-z]{64,88}"';
    expect(answers).toEqual([
      expect.stringMatching(
        `^{"jsonrpc":"2.0","result":${signature},"id":1}{"jsonrpc":"2.0","result":${signature},"id":2}$`,
      ),
      '{"jsonrpc":"2.0","result":null,"id":1}',
    ]);
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await post(chain.rpcUrl, 'getHealth')).status);
    expect(statuses).toEqual([429, 429, 429, 200]);
    expect(await chain.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('the tables list every method, fault and odd form, and no other', async () => {
    const cellsOf = (heading: string, column: number) => {
      const [, section] = readme.split(`\n${heading}\n`);
      const rows = section!
        .split(/^##/m)[0]!
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .slice(2);
      return rows.flatMap((row) =>
        [...row.split('|')[column]!.matchAll(/`(\w+)`/g)].map((match) => match[1]!),
      );
    };
    const faucet = { fund: async () => '', mintTo: async () => '' };
    const methods = [...Object.keys(rpcMethods(faucet)), ...Object.keys(subscribeMethods)];
    expect(cellsOf('## What it answers', 2).sort()).toEqual(methods.sort());
    expect(cellsOf('### Odd memos and other surprises', 1)).toEqual([...ODD_FORMS]);
    expect(cellsOf('## Make it fail', 1).sort()).toEqual([...FAULT_KINDS].sort());
  });
});
