import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { cleanUp } from '../support/clean-up.ts';
import { type DeveloperCli, developerCli } from '../support/cli.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { png } from '../support/images.ts';
import { signed } from '../support/payments.ts';
import { type Running, startProcess } from '../support/process.ts';
import { call, newAddress } from '../support/service.ts';

let service: Running;
let cli: DeveloperCli;
let key: string;

beforeAll(async () => {
  service = await startProcess({ FLORIN_DATA: await newDataFolder(), LOG_LEVEL: 'error' });
  cleanUp(() => service.end('SIGTERM'));
  key = service.apiKey!;
  cli = await developerCli();
  const login = await cli.run(['login', '--url', `${service.url}/`], { input: `${key}\n` });
  expect(login).toMatchObject({ code: 0, stderr: '' });
  expect(login.stdout).toContain(`Logged in to ${service.url} as Demo shop`);
  expect(login.stdout).not.toContain(key);
});

describe('logging in', () => {
  const stored = (at = cli) => join(at.home, '.config/florin/config.json');

  test('what is stored is for its owner alone; whoami shows whose it is, and no key', async () => {
    expect(statSync(stored()).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(stored(), 'utf8')).profiles.default).toMatchObject({
      url: service.url,
      apiKey: key,
    });
    const shown = await cli.out('whoami');
    expect(shown).toMatch(/^merchant +Demo shop$/m);
    expect(shown).toContain(service.url);
    expect(shown + (await cli.out('merchant', 'retrieve'))).not.toMatch(/fl_dev_|whsec_\w/);
  });

  test('a key that does not work is not stored; one on the command line is warned about', async () => {
    const other = await developerCli();
    const wrong = await other.run(['login', '--url', service.url], { input: `${key}x` });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/UNAUTHORIZED[\s\S]*trace: [0-9a-f-]{36}[\s\S]*hint: .*florin login/);
    expect((await other.run(['login', '--url', service.url], { input: 'hello' })).stderr).toContain(
      'not an API key',
    );
    expect((await other.run(['login', '--url', 'nonsense'], { input: key })).stderr).toContain('not the URL');
    expect(() => statSync(stored(other))).toThrow('ENOENT');
    const typed = await other.run(['login', '--url', service.url, '--api-key', key]);
    expect([typed.code, typed.stderr]).toEqual([0, expect.stringContaining('history')]);
    expect(typed.stdout + typed.stderr).not.toContain(key);
  });

  test('profiles by name; the environment wins over the nameless one; logout forgets', async () => {
    const other = await developerCli();
    expect((await other.run(['whoami'])).stderr).toContain('not logged in');
    await other.run(['login', '--url', service.url, '--profile', 'shop'], { input: key });
    expect(await other.out('whoami', '--profile', 'shop')).toContain('profile "shop"');
    const missing = await other.run(['whoami', '--profile', 'sho']);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is shop.')]);
    const env = { FLORIN_API_KEY: key, FLORIN_URL: service.url };
    expect((await other.run(['whoami'], { env })).stdout).toContain('FLORIN_API_KEY');
    const elsewhere = { FLORIN_API_KEY: key, FLORIN_URL: 'http://127.0.0.1:9' };
    expect((await cli.run(['whoami'], { env: elsewhere })).stderr).toContain('http://127.0.0.1:9');
    expect((await other.run(['logout'])).code).toBe(1);
    expect(await other.out('logout', '--profile', 'shop')).toContain('Forgot shop');
    expect((await other.run(['whoami', '--profile', 'shop'])).code).toBe(1);
    expect(readFileSync(stored(other), 'utf8')).not.toContain(key);
  });
});

describe('refunds', () => {
  test('are prepared into a file, signed offline, and sent from a file', async () => {
    const headers = { authorization: `Bearer ${key}` };
    const intent = await cli.json('intents', 'create', '--amount-cents', '300', '--order-id', 'back');
    await cli.out('pay', intent.id);
    const asked = ['--payment-intent-id', intent.id, '--reason', 'other', '--address', newAddress()];
    const refunds = [
      await cli.json('refunds', 'create', ...asked, '--amount-cents', '125'),
      await cli.json('refunds', 'create', ...asked),
    ];
    const ids = refunds.map(({ id }) => id);
    const rpcUrl = /^ {2}Chain +(\S+)/m.exec(service.output())![1]!;
    const signer = await generateKeyPairSigner();
    for (const method of ['requestAirdrop', 'sandbox_mintTo'])
      await call(rpcUrl, 'POST', { jsonrpc: '2.0', id: 1, method, params: [signer.address, 1_000_000_000] });

    const file = join(cli.home, 'tx.json');
    const told = await cli.out('refunds', 'prepare', ...ids, '--payer', signer.address, '--out', file);
    expect(told).toContain('RF-000001, 1.25 USDC to');
    const prepared = JSON.parse(readFileSync(file, 'utf8'));
    expect(prepared).toMatchObject({
      payer: signer.address,
      refunds: [
        { id: ids[0], number: 'RF-000001', address: refunds[0].address, usdc: '1.25' },
        { id: ids[1], number: 'RF-000002', address: refunds[1].address, usdc: '1.75' },
      ],
    });
    const bySameName = await cli.json(
      'refunds',
      'prepare',
      '--ids',
      ids.join(','),
      '--payer',
      signer.address,
    );
    expect(bySameName.refunds).toHaveLength(2);

    writeFileSync(
      file,
      JSON.stringify({ ...prepared, transaction: await signed(prepared.transaction, signer) }),
    );
    const sent = await cli.json('refunds', 'send', '--file', file);
    expect(sent.refundIds.sort()).toEqual([...ids].sort());
    for (const id of ids)
      for (let status = ''; status !== 'succeeded'; )
        status = (await call(`${service.url}/api/v2/refunds/${id}`, 'GET', undefined, headers)).body.status;

    for (const [given, why] of [
      [['prepare', '--payer', signer.address, '--out', file], 'which refunds'],
      [['prepare', ids[0], '--out', file], '--payer'],
      [['send', '--file', join(cli.home, 'none.json')], '--file: there is no file'],
      [['send', '--file', file, '--transaction', 'x'], 'give one'],
      [['send'], '--transaction'],
    ] as const) {
      const refused = await cli.run(['refunds', ...given]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
    }
  });
});

describe('resources', () => {
  test('a logo is sent from a file; a file that is missing is a misuse', async () => {
    const { id } = await cli.json('projects', 'create', '--name', 'Shop');
    const file = join(cli.home, 'logo.png');
    writeFileSync(file, png());
    const { logoUrl } = await cli.json('projects', 'set-logo', id, '--file', file);
    expect(Buffer.from(await (await fetch(logoUrl)).arrayBuffer())).toEqual(png());
    expect(await cli.out('projects', 'remove-logo', id)).toContain('Done.');
    for (const [given, told] of [
      [[], '--file is missing'],
      [['--file', join(cli.home, 'none.png')], '--file: there is no file'],
    ] as const) {
      const refused = await cli.run(['projects', 'set-logo', id, ...given]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(told)]);
    }
  });

  test('created, listed, read and changed: by flags, by --data from text, a file and stdin', async () => {
    const project = await cli.json('projects', 'create', '--name', 'Shop');
    const byFlags = await cli.json(
      ...['customers', 'create', '--project-id', project.id, '--email', 'ann@shop.example'],
    );
    expect(byFlags).toMatchObject({ email: 'ann@shop.example', projectId: project.id });
    writeFileSync(
      join(cli.home, 'body.json'),
      JSON.stringify({ projectId: project.id, name: 'From a file' }),
    );
    const byFile = await cli.json('customers', 'create', '--data', '@body.json');
    const named = await cli.json('customers', 'create', '--data', '@body.json', '--name', 'Flag wins');
    expect([byFile.name, named.name]).toEqual(['From a file', 'Flag wins']);
    const input = JSON.stringify({ projectId: project.id, name: 'From stdin' });
    const byStdin = await cli.run(['customers', 'create', '--data', '-', '--json'], { input });
    expect(JSON.parse(byStdin.stdout).name).toBe('From stdin');
    const cleared = await cli.json('customers', 'update', byFlags.id, '--email', 'null', '--name', 'Ann');
    expect(cleared).toMatchObject({ id: byFlags.id, email: null, name: 'Ann' });
    const settings = '{"settings":{"gracePeriodDays":3}}';
    expect((await cli.json('projects', 'update', project.id, '--data', settings)).settings).toMatchObject({
      gracePeriodDays: 3,
    });

    const table = await cli.out('customers', 'list', '--project-id', project.id);
    expect(table).toMatch(/^ID +NAME +/);
    expect(table.trimEnd().split('\n')).toHaveLength(5);
    for (const { id } of [byFlags, byFile, named]) expect(table).toContain(id);
    const first = await cli.out('customers', 'list', '--project-id', project.id, '--limit', '3');
    const [, cursor] = /^More: --cursor (\S+)$/m.exec(first)!;
    const rest = await cli.json('customers', 'list', '--project-id', project.id, '--cursor', cursor!);
    expect(rest).toMatchObject({ data: [{ id: byFlags.id }], hasMore: false });
    expect(await cli.out('customers', 'list', '--csv')).toMatch(/^createdAt,createdDate,/);
    const shown = await cli.out('customers', 'retrieve', byFlags.id);
    expect(shown).toMatch(/^name +Ann$/m);
    expect(shown).toMatch(/^account credit +\$0\.00$/m);
    expect(shown).toMatch(/^created at +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m);
    expect(await cli.out('projects', 'list')).toContain(project.id);
  });

  test('--json is the answer byte for byte, with every digit; people see exact dollars', async () => {
    const created = await cli.out(
      ...['intents', 'create', '--amount-cents', '9007199254740993', '--order-id', 'big', '--json'],
    );
    expect(created).toContain('"expectedAmountCents":9007199254740993,');
    const { id } = JSON.parse(created);
    const headers = { authorization: `Bearer ${key}` };
    const { text } = await call(`${service.url}/api/merchants/intents/${id}`, 'GET', undefined, headers);
    expect(await cli.out('intents', 'retrieve', id, '--json')).toBe(`${text}\n`);
    expect(await cli.out('intents', 'retrieve', id)).toMatch(/^expected amount +\$90,071,992,547,409\.93$/m);
    const data = '{"amountCents":9223372036854775807,"orderId":"edge"}';
    expect(await cli.out('intents', 'create', '--data', data, '--json')).toContain(
      '"expectedAmountCents":9223372036854775807,',
    );
    expect(await cli.out('payment-intents', 'list', '--status', 'pending,processing')).toContain(
      '$92,233,720,368,547,758.07',
    );
  });

  test('--idempotency-key: the effect once', async () => {
    const idempotencyKey = '0b9b5a3e-7d1b-4c7c-9a55-0d2f2b8c1a11';
    const create = (cents: string) =>
      cli.run(
        ['intents', 'create', '--amount-cents', cents, '--order-id', 'once'].concat([
          '--idempotency-key',
          idempotencyKey,
          '--json',
        ]),
      );
    const [first, second] = [await create('500'), await create('500')];
    expect(second.stdout).toBe(first.stdout);
    const other = await create('501');
    expect([other.code, JSON.parse(other.stderr).error.code]).toEqual([1, 'IDEMPOTENCY_CONFLICT']);
  });

  test('what others wrote cannot change how a terminal reads', async () => {
    const project = await cli.json('projects', 'create', '--name', 'Evil');
    // The API takes no control characters, but it takes this one, which turns the reading direction.
    const name = 'shown\u202egnp.exe';
    const data = JSON.stringify({ projectId: project.id, name });
    const { id } = await cli.json('customers', 'create', '--data', data);
    const shown = (await cli.out('customers', 'retrieve', id)) + (await cli.out('customers', 'list'));
    expect(shown).toContain('shown gnp.exe');
    expect(shown).not.toContain('\u202e');
  });

  test('an invoice’s PDF goes to a file; a 204 says it is done', async () => {
    const project = await cli.json('projects', 'create', '--name', 'Files');
    const session = await cli.json(
      ...['checkout-sessions', 'create', '--project-id', project.id],
      ...['--mode', 'one_time', '--amount-cents', '700'],
    );
    expect(await cli.out('invoices', 'pdf', session.invoiceId, '--output', 'i.pdf')).toContain('Wrote i.pdf');
    expect(readFileSync(join(cli.home, 'i.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    const hook = ['merchant', 'update-webhook', '--webhook-url', 'http://127.0.0.1:9/x'];
    expect(await cli.out(...hook)).toBe('Done.\n');
    expect(await cli.out(...hook, '--json')).toBe('');
    expect(await cli.out('billing', 'overview')).toMatch(/^monthly recurring +\$0\.00$/m);
    expect(await cli.out('health', 'metrics')).toContain('# TYPE');
  });
});

describe('when it goes wrong', () => {
  const ID = '01900000-0000-7000-8000-000000000001';

  test.each<[string, string[], number, RegExp]>([
    [
      'a field of the wrong type',
      ['intents', 'create', '--amount-cents', '1.5'],
      2,
      /--amount-cents must be a whole number/,
    ],
    ['no boolean', ['subscriptions', 'cancel', ID, '--at-period-end', 'yes'], 2, /true or false/],
    ['no choice', ['checkout-sessions', 'list', '--mode', 'monthly'], 2, /one of one_time, balance_top_up/],
    ['no id', ['customers', 'list', '--project-id', 'x'], 2, /must be an id/],
    ['a missing field', ['customers', 'create'], 2, /missing: --project-id/],
    ['a missing nested one', ['usage', 'record-batch'], 2, /missing: .*--data '\{"records"/],
    ['--data that is no JSON', ['customers', 'create', '--data', '{'], 2, /--data is not valid JSON/],
    [
      '--data from nowhere',
      ['customers', 'create', '--data', '@nowhere.json'],
      2,
      /--data: there is no file nowhere.json/,
    ],
    ['a missing argument', ['customers', 'retrieve'], 2, /missing required argument 'customerId'/],
    ['an unknown command', ['customers', 'retreive', ID], 2, /Did you mean retrieve/],
    ['an unknown flag', ['customers', 'list', '--projct-id', ID], 2, /Did you mean --project-id/],
    [
      'an unknown event',
      ['trigger', 'invoice.payd'],
      2,
      /did you mean "invoice.paid"\?[\s\S]*customer\.balance_depleted/,
    ],
    ['an unknown filter', ['listen', '--events', 'invoise.*'], 2, /there is no event "invoise/],
    ['no duration', ['clock', 'advance', 'a while'], 2, /30d/],
    ['no URL', ['whoami', '--url', 'nonsense'], 2, /not the URL of a server[\s\S]*hint: It looks like http/],
    ['no amount', ['pay', ID, '--amount', '1.234'], 2, /12\.34/],
    [
      'nothing to pay',
      ['pay', ID],
      1,
      /no payment intent, checkout session, invoice or subscription[\s\S]*hint: .*Searched at/,
    ],
    [
      'nothing found',
      ['customers', 'retrieve', ID],
      1,
      /NOT_FOUND: .*\ntrace: [0-9a-f-]{36}\nhint: .*Searched at/,
    ],
    [
      'what the server refuses',
      ['clock', 'set', '2020-01-01T00:00:00Z'],
      1,
      /BAD_REQUEST: to must not be in the past/,
    ],
    [
      'nobody there',
      ['whoami', '--url', 'http://127.0.0.1:9'],
      1,
      /does not answer[\s\S]*hint: Is Florin running there\?/,
    ],
  ])('%s', async (_, args, code, message) => {
    const ran = await cli.run(args);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect(ran.stderr).toMatch(message);
  });

  test('with --json the error is the envelope', async () => {
    const ran = await cli.run(['customers', 'retrieve', ID, '--json']);
    expect([ran.code, ran.stdout, JSON.parse(ran.stderr)]).toEqual([
      1,
      '',
      { error: { code: 'NOT_FOUND', message: expect.any(String), traceId: expect.any(String) } },
    ]);
  });
});

/** Runs a command in a terminal of 80 columns. */
function inTerminal(args: string, env = ''): string {
  const bin = join(import.meta.dirname, '../../bin/florin.js');
  const command = `stty cols 80; ${env} exec '${process.execPath}' '${bin}' ${args}`;
  return execFileSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: cli.home, TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('in a terminal: colours, unless NO_COLOR; never wider than it; none in a pipe', async () => {
  const coloured = inTerminal('intents list');
  expect(coloured).toContain('\u001b[33mpending\u001b[0m');
  const plain = inTerminal('intents list', 'NO_COLOR=1');
  expect(plain).not.toContain('\u001b');
  expect(plain).toContain('pending');
  for (const line of plain.split(/\r?\n/)) expect(line.length).toBeLessThanOrEqual(80);
  expect(await cli.out('intents', 'list')).not.toContain('\u001b');
});

describe('every exit code of docs/cli.md', () => {
  const guide = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const documented = [...guide.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]));

  const cases: [number, string, () => number | null | Promise<number | null>][] = [
    [0, 'it worked', async () => (await cli.run(['whoami'])).code],
    [
      0,
      'help and version',
      async () => (await cli.run(['--help'])).code! + (await cli.run(['--version'])).code!,
    ],
    [0, 'Ctrl-C ends what follows', () => interrupted(['listen'], 'Ready')],
    [0, 'the reader of a pipe has seen enough', () => intoClosedPipe('customers list --csv')],
    [1, 'the server refused', async () => (await cli.run(['clock', 'set', '2020-01-01T00:00:00Z'])).code],
    [1, 'nobody answers', async () => (await cli.run(['whoami', '--url', 'http://127.0.0.1:9'])).code],
    [1, 'not logged in', async () => (await (await developerCli()).run(['whoami'])).code],
    [2, 'no such command', async () => (await cli.run(['custommers'])).code],
    [2, 'a resource without an operation', async () => (await cli.run(['customers'])).code],
    [2, 'a malformed value', async () => (await cli.run(['customers', 'list', '--limit', 'x'])).code],
    [2, 'a file for a terminal', () => typed('invoices pdf 01900000-0000-7000-8000-000000000001')],
    [130, 'Ctrl-C at a question', () => typed('login --profile other', '\u0003')],
  ];

  test('has a case here', () => {
    expect(documented).toEqual([...new Set(cases.map(([code]) => code))]);
  });

  test.each(cases)('%i: %s', async (code, _, run) => {
    expect(await run()).toBe(code);
  });

  async function interrupted(args: string[], until: string): Promise<number | null> {
    const running = cli.start(...args);
    await vi.waitFor(() => expect(running.stdout() + running.stderr()).toContain(until), { timeout: 60_000 });
    return (await running.end('SIGINT')).code;
  }

  const bin = join(import.meta.dirname, '../../bin/florin.js');
  const env = () => ({ PATH: process.env.PATH, HOME: cli.home, TERM: 'xterm' });

  function intoClosedPipe(args: string): number {
    const script = `set -o pipefail; '${process.execPath}' '${bin}' ${args} | true`;
    return spawnSync('bash', ['-c', script], { env: env() }).status!;
  }

  /** Runs a command at a terminal, where `keys` are pressed once it asks. */
  async function typed(args: string, keys?: string): Promise<number | null> {
    const command = `'${process.execPath}' '${bin}' ${args}`;
    const child = spawn('script', ['-qec', command, '/dev/null'], { env: env() });
    child.stdout.once('data', () => {
      if (keys) child.stdin.write(keys);
    });
    const [code] = await once(child, 'close');
    return code;
  }
});
