import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { names } from '../../sdk/generate/names.ts';
import { developerCommands } from '../../src/cli/developer/developer-commands.ts';
import type { Io } from '../../src/cli/developer/io.ts';
import { listOperations } from '../../src/cli/developer/operations.ts';
import { type DeveloperCli, developerCli } from '../support/cli.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
interface Item {
  operationId: string;
  security?: Record<string, unknown>[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
}
const items = Object.entries(document.paths as Record<string, Record<string, Item>>).flatMap(
  ([path, methods]) => Object.values(methods).map((item) => ({ path, ...item })),
);

let cli: DeveloperCli;
let florin: Command;

beforeAll(async () => {
  cli = await developerCli();
  florin = new Command('florin');
  const { stdin, stdout, stderr } = process;
  developerCommands(florin, { env: {}, stdin, stdout, stderr } as Io, async () => {});
});

const find = (...path: string[]) =>
  path.reduce<Command | undefined>(
    (parent, name) => parent?.commands.find((command) => command.name() === name),
    florin,
  );

describe('every operation of openapi.json', () => {
  const once = items.filter(({ operationId }) => !operationId.endsWith('V1'));
  const byKey = once.filter(({ security }) => security?.some((way) => 'apiKey' in way));
  const commands = listOperations();
  const wanted = once.filter(({ operationId }) => commands.some(({ id }) => id === operationId));

  test('has a command: all that take a key, and those without one that are not a browser’s', () => {
    const ids = commands.map(({ id }) => id);
    expect(byKey.length).toBeGreaterThan(60);
    expect(byKey.map(({ operationId }) => operationId).filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !once.some(({ operationId }) => operationId === id))).toEqual([]);
    for (const id of ['getLiveness', 'getPublicPaymentIntent', 'checkOutPaymentLink'])
      expect(ids).toContain(id);
    for (const id of ['enterPortal', 'getPortalVisit', 'signIn', 'openMemberLink', 'listMembers'])
      expect(ids).not.toContain(id);
    expect(ids).not.toContain('createProjectV1');
    for (const { resource, name } of listOperations()) expect(find(resource, name)).toBeDefined();
    const paths = listOperations().map(({ resource, name }) => `${resource} ${name}`);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test.each(wanted)(
    '$operationId: ids in the order of the path, a flag for every field or --data',
    (item) => {
      const operation = listOperations().find(({ id }) => id === item.operationId)!;
      const command = find(operation.resource, operation.name)!;
      const inPath = [...item.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
      // The subject of a command is an argument like any other id, though the API takes several in the body.
      const ids = item.operationId === 'prepareRefunds' ? ['ids'] : inPath;
      expect(command.registeredArguments.map((argument) => argument.name())).toEqual(ids);
      const flags = new Set(command.options.map((option) => option.attributeName()));
      for (const { name } of item.parameters?.filter((parameter) => parameter.in === 'query') ?? [])
        expect(flags).toContain(name);
      const json = item.requestBody?.content['application/json'];
      if (item.requestBody && !json) expect(flags).toContain('file');
      if (json) {
        const { $ref } = json.schema;
        const { properties } = document.components.schemas[$ref.split('/').at(-1)!];
        expect(flags).toContain('data');
        const nested = operation.nested.map(({ name }) => name);
        for (const name of Object.keys(properties)) expect([...flags, ...nested]).toContain(name);
      }
      // A field named like a flag of every command would be taken for it.
      const all = command.options.map((option) => option.long);
      expect(new Set(all).size).toBe(all.length);
      expect(command.helpInformation()).toContain('--json');
    },
  );

  test('has the words of the TypeScript client; earlier ones that were documented still work', () => {
    const words = (name: string) =>
      name.split('.').map((word) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    for (const { id, resource, name } of commands)
      expect([id, resource, name]).toEqual([id, ...words(names[id]!)]);
    const aliases = (...path: string[]) => find(...path)?.aliases();
    expect(aliases('intents')).toEqual(['payment-intents']);
    expect(aliases('merchant', 'retrieve-payout-address')).toEqual(['payout-address']);
  });

  test('names people would guess', () => {
    for (const path of [
      ['customers', 'create'],
      ['customers', 'retrieve'],
      ['subscriptions', 'preview-change'],
      ['intents', 'cancel'],
      ['api-keys', 'generate'],
      ['webhook-deliveries', 'resend'],
      ['invoices', 'pdf'],
      ['usage', 'record'],
    ])
      expect([path, find(...path)?.name()]).toEqual([path, path[1]]);
  });
});

test('every command has a description, and its help an example', async () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(florin).slice(1))
    expect([command.name(), command.description()]).not.toContain('');
  for (const args of [['--help'], ['listen', '--help'], ['customers', 'create', '--help'], ['pay', '--help']])
    expect(await cli.out(...args)).toMatch(/Examples?:\n {2}\$ florin/);
  expect(await cli.out('customers', '--help')).toContain('list-balance-entries');
  expect(await cli.out('trigger', '--help')).toContain('subscription.past_due');
});

describe('completion', () => {
  const scripts: Record<string, string[]> = { bash: ['-n'], zsh: ['-n'], fish: ['--no-execute'] };

  test.each(Object.entries(scripts))('%s: its own shell can read the script', async (shell, check) => {
    const script = await cli.out('completion', shell);
    expect(script).toContain('list-balance-entries');
    const file = join(cli.home, `completion.${shell}`);
    writeFileSync(file, `${script}\n`);
    const isThere = spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0;
    // The part that bash and zsh share is checked by bash, which every machine has.
    if (isThere || shell === 'bash') execFileSync(shell, [...check, file]);
  });

  test('bash completes commands, resources, flags and choices', async () => {
    const file = join(cli.home, 'florin.bash');
    writeFileSync(file, await cli.out('completion', 'bash'));
    const complete = (...words: string[]) => {
      const typed = ['florin', ...words].map((word) => `'${word}'`).join(' ');
      const script = `source '${file}'; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _florin; echo "\${COMPREPLY[*]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
    };
    expect(complete('li')).toEqual(['listen']);
    expect(complete('sub')).toEqual(['subscriptions']);
    expect(complete('subscriptions', '')).toContain('preview-change');
    expect(complete('customers', 'list', '--pro')).toEqual(['--project-id', '--profile']);
    expect(complete('customers', '--profile', 'list', 'cre')).toEqual(['create']);
    expect(complete('checkout-sessions', 'create', '--mode', 'b')).toEqual(['balance_top_up']);
    expect(complete('clock', 'a')).toEqual(['advance']);
    expect(complete('pay', '01900000', '--out')).toEqual(['--outcome']);
    expect(complete('pay', '--outcome', 'w')).toEqual(['wrong_mint']);
    expect(complete('trigger', 'invoice.p')).toEqual(['invoice.paid']);
    expect(complete('listen', '--events', 'subscription.ren')).toEqual([
      'subscription.renewal_due',
      'subscription.renewed',
    ]);
    expect(complete('doctor', '--inv')).toEqual(['--invariants']);
  });
});
