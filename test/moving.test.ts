import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, onTestFinished, test, vi } from 'vitest';
import { exportMerchantCommand } from '../src/cli/operator/moving.ts';
import { findMoveProblem } from '../src/operations/moving/find-move-problem.ts';
import { decrypted, unlocking } from '../src/operations/table-file/encryption.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { connectionIn } from '../src/platform/db/embedded-postgres.ts';
import { cleanUp } from './support/clean-up.ts';
import { florin, startFlorin, startProcess, temporaryFolder } from './support/process.ts';
import { testService } from './support/service.ts';
import { eventually } from './support/webhooks.ts';

test('from the command line: export, import at another installation, forward, and no way to be open at both by mistake', async () => {
  const folder = await temporaryFolder(cleanUp);
  const at = (name: string) => join(folder, name);
  const here = (...args: string[]) => florin(args, { FLORIN_DATA: at('here') });
  const there = (...args: string[]) => florin(args, { FLORIN_DATA: at('there') });
  const { publicKey } = JSON.parse((await here('backup', 'keygen', at('id.txt'), '--json')).stdout);
  const created = JSON.parse((await here('merchants', 'create', '--name', 'Leaving', '--json')).stdout);
  const { id } = created;

  const plain = await here('merchants', 'export', id, '--out', at('shop'));
  expect([plain.code, plain.stderr]).toEqual([1, expect.stringContaining('always encrypted')]);
  expect((await here('merchants', 'forward', id, '--to', 'https://new.example')).stderr).toContain(
    'the merchant is open here',
  );
  const nowhere = await here('merchants', 'export', id, '--recipient', publicKey, '--out', at('no/shop'));
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('there is no folder')]);
  expect(JSON.parse((await here('merchants', 'list', '--json')).stdout).merchants[0].state).toBe('open');
  const exported = await here('merchants', 'export', id, '--recipient', publicKey, '--out', at('shop'));
  expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining('closed here')]);
  expect(exported.stderr).toContain('  api_keys: 1 rows\n');
  expect((await stat(at('shop'))).mode & 0o777).toBe(0o600);
  expect((await readFile(at('shop'))).toString('latin1')).not.toContain(created.webhookSecret);

  const imported = await there('merchants', 'import', at('shop'), '--identity', at('id.txt'), '--json');
  expect([imported.code, imported.stderr, JSON.parse(imported.stdout)]).toMatchObject([
    0,
    '',
    { merchantId: id, name: 'Leaving', network: 'sandbox' },
  ]);
  expect((await there('keys', 'list')).stdout).toContain('active');
  const checked = await there('doctor', '--invariants', '--json');
  expect([checked.code, JSON.parse(checked.stdout).ok]).toEqual([0, true]);
  expect((await there('merchants', 'import', at('shop'), '--identity', at('id.txt'))).stderr).toContain(
    'is here already',
  );

  expect((await here('merchants', 'forward', id, '--to', 'new.example')).stderr).toContain('PUBLIC_URL');
  // Asked over HTTP: is the merchant there, and open?
  const forward = (to: string, ...more: string[]) => here('merchants', 'forward', id, '--to', to, ...more);
  const elsewhere = await testService();
  expect(await findMoveProblem(elsewhere.url, id)).toContain('the merchant is not at');
  const answering = createServer((_request, response) =>
    response.writeHead(308, { location: 'https://moved.example/' }).end(),
  );
  await new Promise<void>((listening) => answering.listen(0, '127.0.0.1', listening));
  const { port } = answering.address() as AddressInfo;
  const redirected = await findMoveProblem(`http://127.0.0.1:${port}`, id);
  expect(redirected).toContain('redirects to https://moved.example/');
  await new Promise((closed) => answering.close(closed));
  const silent = await forward(`http://127.0.0.1:${port}`);
  expect([silent.code, silent.stderr]).toEqual([1, expect.stringContaining('cannot be reached')]);
  const arrived = await startProcess({ FLORIN_DATA: at('there') });
  const found = await forward(arrived.url);
  expect([found.code, found.stderr]).toEqual([0, '']);
  await arrived.end('SIGTERM');
  const forwarded = await forward('https://new.example', '--force');
  expect([forwarded.code, forwarded.stderr]).toEqual([0, '']);
  expect((await here('merchants', 'list')).stdout).toContain('Leaving  (moved to https://new.example)');
  const again = await here('merchants', 'export', id, '--recipient', publicKey, '--out', at('again'));
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('has moved to https://new.example'),
  ]);
  const reopened = await here('merchants', 'reopen', id);
  expect([reopened.code, reopened.stderr]).toEqual([
    1,
    expect.stringContaining('has moved to https://new.example'),
  ]);
  expect((await here('merchants', 'list')).stdout).toContain('moved to');
});

test('an export that is interrupted leaves the merchant open, and doctor names one that is closed', async () => {
  const folder = await temporaryFolder(cleanUp);
  const env = { FLORIN_DATA: join(folder, 'data') };
  const service = await startProcess(env);
  cleanUp(async () => void (await service.end('SIGTERM')));
  const db = openDatabase({ connection: connectionIn(env.FLORIN_DATA), poolSize: 1 });
  cleanUp(() => db.close());
  const closed = () => db.query<{ id: string }>('select id from merchants where closed_at is not null');
  const [{ id }] = (await db.query<{ id: string }>('select id from merchants')) as [{ id: string }];
  const [passphrase, file] = [join(folder, 'passphrase'), join(folder, 'shop')];
  const parts = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'));
  await writeFile(passphrase, 'not to be guessed');
  const args = ['merchants', 'export', id, '--passphrase-file', passphrase, '--out', file];
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const exporting = startFlorin(args, env);
    await expect.poll(closed).toEqual([{ id }]);
    exporting.child.kill(signal);
    const { code, stderr } = await exporting.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('interrupted')]);
    expect([await closed(), await parts()]).toEqual([[], []]);
  }
  // Nobody reads the output any more, as with “2>&1 | head -1”.
  const unheard = startFlorin(args, env);
  await expect.poll(closed).toEqual([{ id }]);
  unheard.child.stderr!.destroy();
  expect((await unheard.ended).code).toBe(1);
  expect([await closed(), await parts()]).toEqual([[], []]);

  expect((await florin(args, env)).code).toBe(0);
  // Closed before, it is not opened by the end of another export.
  const other = startFlorin([...args.slice(0, -1), `${file}-2`], env);
  await expect.poll(parts).toHaveLength(1);
  other.child.kill('SIGTERM');
  expect((await other.ended).stderr).toContain('interrupted: the merchant is closed as it was before');
  expect([await closed(), await parts()]).toEqual([[{ id }], []]);
  const doctor = await florin(['doctor', '--json'], env);
  const moves = JSON.parse(doctor.stdout).findings.find(({ check }: { check: string }) => check === 'moves');
  expect([doctor.code, moves]).toMatchObject([1, { ok: false, detail: expect.stringContaining(id) }]);
});

test('every intent that was answered is in the export, also where a process did not know yet that the merchant is closed', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const out = join(await temporaryFolder(cleanUp), 'shop');
  const { config, db, secrets } = service;
  const context = { config, db, secrets, keyFile: undefined, say() {}, print() {} };
  // Asked all the time, the service has looked who is closed less than a second before the merchant is.
  let answered = 0;
  async function sell(): Promise<void> {
    for (;;) {
      const order = { amountCents: 100, orderId: `order-${answered}` };
      const { status } = await shop.call('POST', '/api/merchants/intents', order);
      if (status === 503) return;
      expect(status).toBe(200);
      answered++;
    }
  }
  const identity = await generateX25519Identity();
  const recipient = [await identityToRecipient(identity)];
  const options = { recipient, out, json: true };
  const handle = await open(import.meta.filename);
  const onDisk = vi.spyOn(Object.getPrototypeOf(handle), 'sync');
  onTestFinished(() => onDisk.mockRestore());
  await handle.close();
  const begun = eventually(() => answered > 0);
  await Promise.all([sell(), begun.then(() => exportMerchantCommand(context, shop.id, options))]);
  // The file before it gets its name, and the folder that has the name.
  expect(onDisk).toHaveBeenCalledTimes(2);
  const opened = decrypted(createReadStream(out), unlocking([identity], undefined));
  const plain = gunzipSync(await buffer(opened)).toString('latin1');
  expect(plain).toContain(`{"table":"payment_intents","rows":${answered},`);
});
