import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../src/platform/db/database.ts';
import { connectionIn, startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { cleanUp } from './support/clean-up.ts';
import { newDataFolder } from './support/data-folder.ts';
import { florin, postgresPid, type Running, startProcess, temporaryFolder } from './support/process.ts';
import { call } from './support/service.ts';

const root = join(import.meta.dirname, '..');

/** The database as it was some writes ago, as a restored disk has it. */
async function goBack(dataFolder: string): Promise<void> {
  const db = openDatabase({ connection: connectionIn(dataFolder) });
  await db.query('update installation set beat = beat - 2');
  await db.close();
}

describe('npm start', () => {
  test('first start: demo merchant, secrets shown once, curl lines that work; second start keeps everything; a database that went back is only read', async () => {
    const FLORIN_DATA = await temporaryFolder(cleanUp);
    const first = await startProcess({ FLORIN_DATA });
    const output = first.output();
    expect(output).toMatch(/ready in \d+\.\d\d s \(database .* s, HTTP server .* s\)/);
    expect(output).toMatch(/^ {2}Webhook secret +whsec_\w{40}$/m);
    const ids = await intentsWithSubmitted(first, 2);
    expect(new Set(ids).size).toBe(2);
    const headers = { authorization: `Bearer ${first.apiKey}` };
    const intent = (id: string, { url } = first) =>
      call(`${url}/api/merchants/intents/${id}`, 'GET', undefined, headers);
    for (const id of ids) await expect.poll(async () => (await intent(id)).body.status).toBe('succeeded');
    const made = await intent(ids[0]!);
    const setupUrl = /^ {4}(\S+\/dashboard\/setup\/join_00\w{43})$/m.exec(output)![1]!;
    expect(setupUrl.startsWith(first.url)).toBe(true);
    const owner = { email: 'Ada@shop.example', name: 'Ada', password: 'correct horse battery' };
    const use = (url: string) =>
      call(`${first.url}/api/dashboard/links/use`, 'POST', { ...owner, token: url.split('/').pop() });
    const joined = await use(setupUrl);
    expect([joined.status, joined.body.member?.role]).toEqual([200, 'owner']);
    const lost = await florin(['setup-link', '--json'], {
      FLORIN_DATA,
      PUBLIC_URL: 'https://pay.example.com',
    });
    const { setupUrl: fresh } = JSON.parse(lost.stdout);
    expect(fresh).toMatch(/^https:\/\/pay\.example\.com\/dashboard\/setup\/join_00\w{43}$/);
    expect((await use(fresh)).body.member).toMatchObject({ id: joined.body.member.id, role: 'owner' });
    expect(await first.end('SIGTERM')).toBe(0);

    const second = await startProcess({ FLORIN_DATA });
    expect(second.output()).not.toMatch(/fl_dev_|join_/);
    const read = await intent(made.body.id, second);
    expect(read.text).toBe(made.text);

    await goBack(FLORIN_DATA);
    const change = () =>
      call(
        `${second.url}/api/merchants/intents`,
        'POST',
        { amountCents: 100, orderId: randomUUID() },
        headers,
      );
    await expect.poll(async () => (await change()).status).toBe(503);
    expect((await change()).headers.get('retry-after')).toBe('30');
    expect((await intent(ids[0]!, second)).status).toBe(200);
    expect((await florin(['accept-database'], { FLORIN_DATA })).stdout).toContain('ready again');
    await expect.poll(async () => (await change()).status).toBe(200);
    const pid = await postgresPid(FLORIN_DATA);
    expect(await second.end('SIGINT')).toBe(0);
    await expect(
      readFile(`/proc/${pid}/cmdline`, 'utf8').then((text) => text || Promise.reject(new Error('gone'))),
    ).rejects.toThrow();
    expect((await readdir(FLORIN_DATA)).sort()).toEqual(expect.arrayContaining(['postgres', 'secret.key']));
    expect(await readdir(FLORIN_DATA)).not.toContain('florin.lock');
  });

  test.each([
    ['npm start', ['npm', 'start']],
    ['sh -c', ['sh', '-c', 'npm start']],
    ['npx florin start', ['npx', 'florin', 'start']],
    ['florin start with the Node of the machine', [join(root, 'bin/florin.js'), 'start']],
  ] as [string, [string, ...string[]]][])(
    'SIGTERM to %s ends the service and its PostgreSQL; no process stays behind',
    async (_name, command) => {
      const FLORIN_DATA = await newDataFolder();
      const machine = process.env.PATH!.split(':').filter((folder) => !folder.includes('node_modules'));
      const running = await startProcess(
        { FLORIN_DATA, PATH: machine.join(':'), HOME: FLORIN_DATA },
        command,
      );
      const server = await postgresPid(FLORIN_DATA);
      await running.end('SIGTERM');
      await expect.poll(() => isAlive(server)).toBe(false);
      await expect.poll(() => readdir(FLORIN_DATA)).not.toContain('florin.lock');
      await expect(fetch(running.url)).rejects.toThrow();
    },
  );

  test('SIGTERM during the start ends it with 143, for process 1 of a container would not notice it otherwise', async () => {
    // A database that accepts connections and says nothing.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const starting = spawn(process.execPath, [join(root, 'src/main.ts')], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: `postgres://florin@127.0.0.1:${port}/florin`,
        FLORIN_SECRET_KEY: randomBytes(32).toString('hex'),
      },
      stdio: 'ignore',
    });
    const ended = once(starting, 'exit');
    await once(silent, 'connection');
    starting.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    silent.close();
  });

  test('refuses bad settings, a second service on the folder, another network, another secret key, and a port that is taken', async () => {
    const FLORIN_DATA = await newDataFolder();
    const failure = (env: Record<string, string>) =>
      startProcess(env).then(
        () => 'started',
        (error: Error) => error.message,
      );
    expect(await failure({ FLORIN_DATA, PORT: 'x', FLORIN_NETWORK: 'moon' })).toMatch(
      /PORT: must be[\s\S]*FLORIN_NETWORK: must be/,
    );
    const running = await startProcess({ FLORIN_DATA });
    expect(await failure({ FLORIN_DATA })).toMatch(/already runs on the data folder .* \(process \d+\)/);
    await running.end('SIGTERM');
    expect(
      await failure({ FLORIN_DATA, FLORIN_NETWORK: 'devnet', SOLANA_RPC_URLS: 'http://127.0.0.1:1' }),
    ).toContain('belongs to the network "sandbox"');
    expect(await failure({ FLORIN_DATA, FLORIN_SECRET_KEY: randomBytes(32).toString('hex') })).toContain(
      'FLORIN_SECRET_KEY',
    );
    const again = await startProcess({ FLORIN_DATA });
    const taken = new URL(again.url).port;
    const told = await failure({ FLORIN_DATA: await newDataFolder(), PORT: taken });
    expect(told).toContain(
      `port ${taken} of 127.0.0.1 is in use: stop the program that has it, or set PORT to another port`,
    );
    // The reason and nothing else: without a database everything stops.
    expect(told).not.toContain('"level":"warn"');
    await again.end('SIGTERM');
  });

  test.each([
    ['with a first secret key', {}, 'secret.key cannot be written: EFBIG'],
    [
      'with a secret key',
      { FLORIN_SECRET_KEY: randomBytes(32).toString('hex') },
      'cannot be written to: EFBIG',
    ],
  ])('a start %s on a disk that takes nothing says so, and leaves nothing behind', async (_, env, reason) => {
    const FLORIN_DATA = await temporaryFolder(cleanUp);
    // Refused like on a full disk: the file is created, and its first byte is one too many.
    const limited = ['sh', '-c', 'ulimit -f 0; exec "$0" src/main.ts', process.execPath] as const;
    await expect(startProcess({ FLORIN_DATA, ...env }, limited)).rejects.toThrow(reason);
    expect(await readdir(FLORIN_DATA)).toEqual([]);
  });

  test('what was compiled is kept by a process that is killed, so that the next one starts sooner', async () => {
    const NODE_COMPILE_CACHE = await temporaryFolder(cleanUp);
    const FLORIN_DATA = await newDataFolder();
    const service = await startProcess({ FLORIN_DATA, NODE_COMPILE_CACHE });
    const kept = async () => (await readdir(NODE_COMPILE_CACHE, { recursive: true })).length;
    await vi.waitFor(async () => expect(await kept()).toBeGreaterThan(1_000), { timeout: 20_000 });
    await service.end('SIGKILL');
    expect(await kept()).toBeGreaterThan(1_000);
  });

  test('drains: requests under way are answered, new ones are refused, then it ends with 0', async () => {
    const FLORIN_DATA = await newDataFolder();
    const service = await startProcess({ FLORIN_DATA });
    const authorization = `Bearer ${service.apiKey}`;
    const calls = Array.from({ length: 200 }, (_, i) =>
      call(
        `${service.url}/api/merchants/intents`,
        'POST',
        { amountCents: 1, orderId: `d${i}` },
        { authorization },
      ).then(
        (answer) => answer.status,
        () => 'refused',
      ),
    );
    const slow = await halfAsked(service.url, authorization);
    await calls[0];
    const ended = service.end('SIGTERM');
    const isThere = () =>
      fetch(`${service.url}/health/live`).then(
        () => true,
        () => false,
      );
    await expect.poll(isThere).toBe(false);
    expect(service.child.exitCode).toBeNull();
    expect(await slow.askTheRest()).toMatch(/^HTTP\/1\.1 200 .*"orderId":"slow"/s);
    expect(await ended).toBe(0);
    const results = await Promise.all(calls);
    expect(results.filter((result) => result !== 200 && result !== 'refused' && result !== 503)).toEqual([]);
    const again = await startProcess({ FLORIN_DATA });
    const stats = await call(`${again.url}/api/b2b/merchants/stats`, 'GET', undefined, { authorization });
    expect(stats.body.totalTransactions).toBeGreaterThanOrEqual(
      results.filter((result) => result === 200).length + 1,
    );
    await again.end('SIGTERM');
  });
});

/** A request that the service has started to read, and whose body is sent on demand. */
async function halfAsked(url: string, authorization: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const body = '{"amountCents":1,"orderId":"slow"}';
  const headers = [
    'POST /api/merchants/intents HTTP/1.1',
    ...['Host: x', `Authorization: ${authorization}`, 'Content-Type: application/json'],
    ...[`Content-Length: ${body.length}`, 'Expect: 100-continue'],
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  const [begun] = await once(socket, 'data');
  expect(String(begun)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  return {
    async askTheRest(): Promise<string> {
      socket.write(body);
      return text(socket);
    },
  };
}

const metricsOf = async ({ url }: Running): Promise<string[]> => {
  const { text } = await call(`${url}/metrics`, 'GET');
  return [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!).sort();
};

describe('several processes on one DATABASE_URL', () => {
  test('two API processes and a worker share keys, merchants and work', async () => {
    const folder = await newDataFolder();
    const server = await startEmbeddedPostgres({ dataFolder: folder, purpose: 'service' });
    const DATABASE_URL = `postgres://florin@localhost/florin?host=${encodeURIComponent(join(folder, 'postgres'))}`;
    const env = {
      DATABASE_URL,
      FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
      FLORIN_DATA: join(folder, 'unused'),
    };
    const [one, two, worker] = await Promise.all([
      startProcess({ ...env, FLORIN_ROLES: 'api' }),
      startProcess({ ...env, FLORIN_ROLES: 'api' }),
      startProcess({ ...env, FLORIN_ROLES: 'worker,watcher' }),
    ]);
    expect(worker.output()).not.toContain('Dashboard');
    expect((await call(`${worker.url}/health/ready`, 'GET')).status).toBe(200);
    const page = await readFile(join(root, 'docs/operating.md'), 'utf8');
    const documented = (of: RegExp) =>
      [...page.matchAll(/^\| `(florin_\w+)` \| (\w+) \|/gm)].flatMap(([, name, who]) =>
        of.test(who!) ? [name!] : [],
      );
    await expect.poll(() => metricsOf(one)).toEqual(documented(/^(all|api)$/).sort());
    await expect.poll(() => metricsOf(worker)).toEqual(documented(/^(?!(api|supervisor)$)/).sort());
    expect((await call(`${worker.url}/api/merchants/intents`, 'GET')).status).toBe(404);
    const keys = [one, two, worker].map((running) => running.apiKey).filter(Boolean);
    expect(keys).toHaveLength(1);
    const authorization = `Bearer ${keys[0]}`;
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        call(
          `${(i % 2 ? one : two).url}/api/merchants/intents`,
          'POST',
          { amountCents: 1, orderId: 'both' },
          { authorization, 'idempotency-key': key },
        ),
      ),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    const db = openDatabase({ connection: server.connection });
    expect(await db.query(`select from payment_intents where order_id = 'both'`)).toHaveLength(1);
    await db.query(
      `update payment_intents set created_at = now() - interval '2 h', expires_at = now() - interval '1 h'`,
    );
    for (let status = 'pending'; status === 'pending'; ) {
      status = (
        await call(`${one.url}/api/merchants/intents/${answers[0]!.body.id}`, 'GET', undefined, {
          authorization,
        })
      ).body.status;
      if (status !== 'pending') expect(status).toBe('expired');
    }
    await db.query(
      `insert into schema_migrations (number, name, checksum) values (9999, 'not_for_them', '')`,
    );
    const leftBehind = await call(`${one.url}/health/ready`, 'GET');
    expect([leftBehind.status, leftBehind.text]).toEqual([
      503,
      expect.stringContaining('start a newer release'),
    ]);
    await db.query('delete from schema_migrations where number = 9999');
    await db.query('alter database florin set default_transaction_read_only = on');
    await db.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    // A connection that was just ended is no answer yet.
    for (let text = ''; !text.includes('takes no writes'); )
      ({ text } = await call(`${one.url}/health/ready`, 'GET'));
    await Promise.all([one.end('SIGTERM'), two.end('SIGTERM'), worker.end('SIGTERM')]);
    await db.close();
    await server.stop();
  });
});

describe('paying', () => {
  test('an intent is paid on the sandbox chain by the printed lines; reconcile finds no difference; a restart keeps the chain', async () => {
    const FLORIN_DATA = await newDataFolder();
    const env = { FLORIN_DATA, SANDBOX_SLOT_MS: '10', WATCH_FINALITY_MS: '20' };
    const first = await startProcess(env);
    const headers = { authorization: `Bearer ${first.apiKey}` };
    const [printed] = await intentsWithSubmitted(first, 1);
    for (let status = ''; status !== 'succeeded'; )
      status = (await call(`${first.url}/api/merchants/intents/${printed}`, 'GET', undefined, headers)).body
        .status;

    const other = await call(
      `${first.url}/api/merchants/intents`,
      'POST',
      { amountCents: 5, orderId: 'cli' },
      headers,
    );
    const port = new URL(first.url).port;
    const paid = await florin(['pay', other.body.id, '--json'], { FLORIN_DATA, PORT: port });
    expect(JSON.parse(paid.stdout).signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/);
    const path = `/api/merchants/intents/${other.body.id}`;
    for (let status = ''; status !== 'succeeded'; )
      status = (await call(first.url + path, 'GET', undefined, headers)).body.status;

    const rpcUrl = /^ {2}Chain +(\S+)/m.exec(first.output())![1]!;
    const named = await florin(['reconcile', '--rpc-url', rpcUrl, '--json'], env);
    const good = await florin(['reconcile', '--json'], env);
    expect(JSON.parse(good.stdout)).toEqual(JSON.parse(named.stdout));
    expect([good.code, JSON.parse(good.stdout).differences]).toEqual([0, []]);
    expect(JSON.parse(good.stdout).transactions).toBeGreaterThanOrEqual(2);
    expect((await florin(['doctor', '--json'], env)).code).toBe(0);
    await first.end('SIGKILL');

    const stopped = await florin(['reconcile', '--json'], env);
    expect([stopped.code, JSON.parse(stopped.stdout).differences]).toEqual([0, []]);
    expect(JSON.parse(stopped.stdout).transactions).toBe(JSON.parse(good.stdout).transactions);
    const second = await startProcess(env);
    const again = await florin(['reconcile', '--json'], env);
    expect([again.code, JSON.parse(again.stdout).differences]).toEqual([0, []]);
    const third = await call(
      `${second.url}/api/merchants/intents`,
      'POST',
      { amountCents: 7, orderId: 'after' },
      headers,
    );
    await call(`${second.url}/api/v2/sandbox/payments`, 'POST', { paymentIntentId: third.body.id }, headers);
    const moved = await call(
      `${second.url}/api/v2/sandbox/clock`,
      'POST',
      { advanceSeconds: 86_400 },
      headers,
    );
    expect(moved.status).toBe(200);
    const read = await call(
      `${second.url}/api/merchants/intents/${third.body.id}`,
      'GET',
      undefined,
      headers,
    );
    expect(read.body.status).toBe('succeeded');

    const asMerchant = { ...env, FLORIN_URL: second.url, FLORIN_API_KEY: first.apiKey! };
    const unasked = await florin(['sandbox', 'reset'], asMerchant);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await call(second.url + path, 'GET', undefined, headers)).status).toBe(200);
    const reset = await florin(['sandbox', 'reset', '--yes', '--json'], asMerchant);
    expect([reset.code, JSON.parse(reset.stdout).deleted.paymentIntents]).toEqual([0, 3]);
    expect((await call(second.url + path, 'GET', undefined, headers)).status).toBe(404);
    const order = { amountCents: 9, orderId: 'cli' };
    const fresh = (await call(`${second.url}/api/merchants/intents`, 'POST', order, headers)).body;
    await call(`${second.url}/api/v2/sandbox/payments`, 'POST', { paymentIntentId: fresh.id }, headers);
    for (let status = ''; status !== 'succeeded'; )
      status = (await call(`${second.url}/api/merchants/intents/${fresh.id}`, 'GET', undefined, headers)).body
        .status;
    for (const check of ['reconcile', 'doctor', 'audit verify'])
      expect([check, (await florin([...check.split(' '), '--json'], env)).code]).toEqual([check, 0]);
    await second.end('SIGTERM');
  });
});

/** Starts `florin doctor --watch` and collects its results for each check, line by line. */
function watchDoctor(env: Record<string, string>) {
  const args = [join(root, 'bin/florin.js'), 'doctor', '--watch', '1', '--json'];
  const child = spawn(process.execPath, args, { cwd: root, env: { PATH: process.env.PATH, ...env } });
  cleanUp(async () => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return {
    of: (check: string): boolean[] =>
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
        .filter((line) => line.check === check)
        .map(({ ok }) => ok),
    async interrupt(): Promise<number | null> {
      child.kill('SIGINT');
      const [code] = await once(child, 'close');
      return code;
    },
  };
}

describe('npx florin', () => {
  test('merchants and keys, while the service runs and while it does not', async () => {
    const FLORIN_DATA = await temporaryFolder(cleanUp);
    const env = { FLORIN_DATA };
    const created = await florin(
      [
        'merchants',
        'create',
        '--name',
        'Shop',
        '--payout-address',
        '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7',
        '--json',
      ],
      env,
    );
    expect([created.code, created.stderr]).toEqual([0, '']);
    const merchant = JSON.parse(created.stdout);
    expect(merchant).toMatchObject({
      name: 'Shop',
      apiKey: expect.stringMatching(/^fl_dev_/),
      webhookSecret: expect.stringMatching(/^whsec_/),
      setupUrl: expect.stringMatching(/\/dashboard\/setup\/join_00\w{43}$/),
    });

    const service = await startProcess(env);
    expect(service.apiKey).toBeUndefined();
    const me = (key: string) =>
      call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, { authorization: `Bearer ${key}` });
    expect((await me(merchant.apiKey)).body).toMatchObject({
      id: merchant.merchantId,
      webhookSecret: merchant.webhookSecret,
    });
    const made = JSON.parse(
      (await florin(['keys', 'create', '--name', 'ci', '--scopes', 'payments:read', '--json'], env)).stdout,
    );
    expect((await me(made.apiKey)).status).toBe(200);
    const listed = JSON.parse((await florin(['keys', 'list', '--json'], env)).stdout);
    expect(listed.keys.map((key: { name: string }) => key.name)).toEqual(['ci', 'First key']);
    expect(JSON.stringify(listed)).not.toContain(made.apiKey);
    expect((await florin(['keys', 'revoke', made.id], env)).code).toBe(0);
    expect(JSON.parse((await florin(['merchants', 'list', '--json'], env)).stdout).merchants).toMatchObject([
      { id: merchant.merchantId, name: 'Shop' },
    ]);

    const verify = (...args: string[]) => florin(['merchants', 'verify', merchant.merchantId, ...args], env);
    const verified = await verify('--status', 'rejected', '--json');
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([
      0,
      { merchantId: merchant.merchantId, verificationStatus: 3, status: 'rejected' },
    ]);
    expect((await me(merchant.apiKey)).body.verificationStatus).toBe(3);
    expect((await florin(['merchants', 'list'], env)).stdout).toMatch(/ {2}rejected {2}.*Shop/);
    expect((await verify('--status', '2')).stdout).toContain('verified');
    expect((await florin(['audit', 'verify'], env)).code).toBe(0);

    const doctor = await florin(['doctor', '--json'], env);
    expect([doctor.code, JSON.parse(doctor.stdout).ok]).toEqual([0, true]);
    const people = await florin(['doctor'], env);
    expect(people.stdout).toContain('✓ durability: acknowledged writes are on disk');
    const watching = watchDoctor(env);
    await expect.poll(() => watching.of('installation')).toEqual([true]);
    await service.end('SIGTERM');
    await expect.poll(() => watching.of('database')).toEqual([true, false]);
    expect(await watching.interrupt()).toBe(1);
    expect(watching.of('installation')).toEqual([true]);
    expect((await florin(['doctor', '--invariants'], env)).stdout).toContain('All checks passed.');
  });

  test('errors go to stderr with exit code 1, misuse with 2, and stdout stays empty', async () => {
    const FLORIN_DATA = await newDataFolder();
    const env = { FLORIN_DATA };
    const cases: [string[], RegExp, code?: number][] = [
      [
        ['merchants', 'create', '--name', 'x', '--payout-address', 'nonsense', '--json'],
        /payoutAddress must be a Solana address/,
      ],
      [
        [
          'merchants',
          'create',
          '--name',
          'x',
          '--payout-address',
          'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        ],
        /payoutAddress is the mint of USDC/,
      ],
      [['merchants', 'create', '--json'], /--name/, 2],
      [['merchants', 'verify', randomUUID(), '--status', 'verified'], /there is no merchant/],
      [['merchants', 'verify', 'nonsense', '--status', 'verified'], /there is no merchant nonsense/],
      [
        ['merchants', 'verify', randomUUID(), '--status', 'maybe'],
        /no status "maybe".*unverified, pending, verified/,
      ],
      [['merchants', 'verify', randomUUID()], /--status/, 2],
      [['keys', 'create', '--merchant', 'nonsense'], /there is no merchant nonsense/],
      [['keys', 'create'], /--merchant/],
      [['keys', 'revoke', randomUUID()], /there is no API key/],
      [['dance'], /unknown command/, 2],
      [['restore', '/does/not/exist'], /^there is no file \/does\/not\/exist$/m],
      [['restore', FLORIN_DATA], /is a folder, not a file/],
      [['backup', 'verify', '/does/not/exist'], /^there is no file \/does\/not\/exist$/m],
      [['merchants', 'import', '/does/not/exist'], /^there is no file \/does\/not\/exist$/m],
      [['backup', 'verify', root, '--identity', '/does/not/exist'], /^there is no file \/does\/not\/exist$/m],
    ];
    for (const [args, message, code = 1] of cases) {
      const result = await florin(args, env);
      expect([args, result.code, result.stdout]).toEqual([args, code, '']);
      expect(result.stderr).toMatch(message);
    }
    const bad = await florin(['doctor'], { FLORIN_DATA, PORT: 'x' });
    expect([bad.code, bad.stdout]).toEqual([1, '']);
    expect(bad.stderr).toContain('PORT: must be');
  });

  test('backup while the service runs, restore into an empty folder, everything is there', async () => {
    const FLORIN_DATA = await newDataFolder();
    const target = await temporaryFolder(cleanUp);
    const file = join(target, 'florin.backup');
    const service = await startProcess({ FLORIN_DATA });
    const authorization = `Bearer ${service.apiKey}`;
    const made = await call(
      `${service.url}/api/merchants/intents`,
      'POST',
      '{"amountCents": 9223372036854775807, "orderId": "größe"}',
      { authorization },
    );
    const backup = await florin(['backup', file, '--json'], { FLORIN_DATA });
    expect([backup.code, backup.stderr]).toEqual([0, '']);
    await service.end('SIGTERM');

    const FLORIN_SECRET_KEY = (await readFile(join(FLORIN_DATA, 'secret.key'), 'utf8')).trim();
    const env = { FLORIN_DATA: join(target, 'data'), FLORIN_SECRET_KEY };
    const restored = await florin(['restore', file], env);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect((await florin(['restore', file], env)).code).toBe(1);
    const copy = await startProcess(env);
    expect(
      (await call(`${copy.url}/api/merchants/intents/${made.body.id}`, 'GET', undefined, { authorization }))
        .text,
    ).toBe(made.text);
    const profile = await call(`${copy.url}/api/b2b/merchants/me`, 'GET', undefined, { authorization });
    expect(profile.body.webhookSecret).toMatch(/^whsec_/);
    await copy.end('SIGTERM');
  });
});

test('secrets: none in the log, whatever is asked, and none in the database in the clear', async () => {
  const FLORIN_DATA = await newDataFolder();
  const service = await startProcess({ FLORIN_DATA, LOG_LEVEL: 'trace', LOG_SAMPLE_EVERY: '1' });
  const shown = service.output();
  const apiKey = service.apiKey!;
  const webhookSecret = /whsec_\w+/.exec(shown)![0];
  const headers = { authorization: `Bearer ${apiKey}` };
  const generated = (
    await call(`${service.url}/api/b2b/merchants/generate-key`, 'POST', { name: apiKey }, headers)
  ).body.apiKey;
  const asks: [string, string, unknown?][] = [
    ['GET', `/api/b2b/merchants/me?key=${apiKey}`],
    ['GET', `/${apiKey}`],
    ['GET', `/api/merchants/intents/${apiKey}`],
    ['GET', `/api/merchants/intents?orderId=${webhookSecret}`],
    ['POST', '/api/merchants/intents', { amountCents: 'x', orderId: apiKey }],
    ['POST', '/api/merchants/intents', `{"${apiKey}": 1, "${apiKey}": 2}`],
    ['POST', '/api/merchants/intents', apiKey],
    ['PATCH', '/api/b2b/merchants/webhook', { webhookUrl: `https://x:${generated}@example.com` }],
    ['POST', '/api/b2b/merchants/generate-webhook-secret'],
  ];
  const secrets = [apiKey, webhookSecret, generated];
  for (const [method, path, body] of asks) {
    const answer = await call(service.url + path, method, body, headers);
    if (answer.status >= 400 && !path.includes(apiKey))
      for (const secret of [webhookSecret, generated]) expect(answer.text).not.toContain(secret);
  }
  const stranger = await call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, {
    authorization: `Bearer ${generated}x`,
  });
  expect(stranger.text).not.toContain(generated);
  await service.end('SIGTERM');
  const log = service.output().slice(shown.length);
  expect(log.length).toBeGreaterThan(1_000);
  for (const secret of secrets) expect(log).not.toContain(secret);

  const server = await startEmbeddedPostgres({ dataFolder: FLORIN_DATA, purpose: 'command' });
  const db = openDatabase({ connection: server.connection });
  // The name given to a key is the caller's own text; everything else is looked through.
  const dump = await db.query(
    `select m::text from merchants m union all select (to_jsonb(k) - 'name')::text from api_keys k union all select i::text from idempotency_keys i union all select e::text from events e`,
  );
  const text = JSON.stringify(dump);
  for (const secret of [...secrets, ...secrets.map((item) => Buffer.from(item).toString('hex'))])
    expect(text).not.toContain(secret);
  await db.close();
  await server.stop();
});

/** The intents created and paid by the printed lines, pasted unchanged so many times. */
async function intentsWithSubmitted(running: Running, times: number): Promise<string[]> {
  const lines = running
    .output()
    .split('\n')
    .filter((line) => /^ {4}(INTENT=|curl | {2}-d )/.test(line));
  const ids: string[] = [];
  for (let time = 0; time < times; time++) {
    const script = `${lines.join('\n')}\necho " $INTENT"`;
    const { stdout } = await promisify(execFile)('bash', ['-ec', script]);
    expect(stdout).toMatch(/"signature":"\w+"/);
    ids.push(/\s([0-9a-f-]{36})\s*$/.exec(stdout)![1]!);
  }
  return ids;
}

/** A process that has ended and was not waited for yet is gone too. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'gone) Z');
  return !/\) Z/.test(stat);
}
