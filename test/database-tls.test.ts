import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteConnection } from '../src/operations/doctor/note-connection.ts';
import { readConnectionSecurity } from '../src/platform/db/connection-security.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { urlsOfHosts } from '../src/platform/db/database-hosts.ts';
import { cleanUp } from './support/clean-up.ts';
import { requireTool } from './support/debian.ts';
import { type OwnPostgres, ownPostgres } from './support/own-postgres.ts';
import { florin, startProcess, temporaryFolder } from './support/process.ts';
import { eventually } from './support/webhooks.ts';

const MAIN = '/var/lib/postgresql/15/main';

/** Makes a certificate for the server that nobody else signed. */
async function certify(server: OwnPostgres, name: string, days: number): Promise<void> {
  requireTool('openssl');
  await server.follow(
    `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=127.0.0.1 \\
       -addext subjectAltName=IP:127.0.0.1 -keyout ${MAIN}/${name}.key -out ${MAIN}/${name}.crt 2> /dev/null
     chmod 600 ${MAIN}/${name}.key`,
  );
}

/** Blocks of commands of the guide, in their order: new certificate, second user, end of the old password. */
function commandsOfGuide(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8');
  const guide = page.split('### TLS and passwords of PostgreSQL\n')[1]!.split('\n### ')[0]!;
  return [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
}

async function connectionTo(url: string): Promise<string> {
  const db = openDatabase({ connection: urlsOfHosts(url), poolSize: 1 });
  const said: string[] = [];
  try {
    noteConnection(await readConnectionSecurity(db), (check, ok, detail) =>
      said.push(`${check} ${ok} ${detail}`),
    );
  } catch (error) {
    said.push((error as Error).message);
  } finally {
    await db.close();
  }
  return said.join();
}

test('TLS to PostgreSQL is verified and watched, and certificate and password change while the service serves', async () => {
  const server = await ownPostgres();
  const folder = await temporaryFolder(cleanUp);
  const ca = join(folder, 'database-ca.crt');
  expect(await connectionTo(server.databaseUrl)).toBe(
    'database connection true on this machine, without TLS',
  );
  await certify(server, 'server', 10);
  await server.follow('psql -qc "alter system set ssl = on" -c "select pg_reload_conf()" > /dev/null');
  const trust = async (name: string) => appendFile(ca, await server.follow(`cat ${MAIN}/${name}.crt`));
  await trust('server');
  const verified = `${server.databaseUrl}?sslmode=verify-full&sslrootcert=${ca}`;
  expect(await connectionTo(`${server.databaseUrl}?sslmode=verify-full`)).toContain(
    'self-signed certificate',
  );
  expect(await connectionTo(`${server.databaseUrl}?sslmode=no-verify`)).toMatch(/false TLSv1.3, but anybody/);
  expect(await connectionTo(verified)).toMatch(/false TLSv1.3; its certificate ends on 20/);

  const env = {
    DATABASE_URL: verified,
    FLORIN_SECRET_KEY: randomBytes(32).toString('hex'),
    FLORIN_DATA: folder,
  };
  const first = await startProcess(env);
  cleanUp(async () => void (await first.end('SIGKILL')));
  const [newCertificate, secondUser, oldPassword] = commandsOfGuide();
  await certify(server, 'new', 400);
  await trust('new');
  await server.follow(`cd ${MAIN}\n${newCertificate}`);
  await eventually(async () => /true TLSv1.3, certificate valid until 20/.test(await connectionTo(verified)));
  expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);

  await server.follow(secondUser!);
  const second = await startProcess({
    ...{ ...env, DATABASE_URL: verified.replace('//florin@', '//florin2:new@'), FLORIN_ROLES: 'api' },
    FLORIN_DATA: join(folder, 'second'),
  });
  cleanUp(async () => void (await second.end('SIGKILL')));
  await server.follow(oldPassword!);
  const headers = { authorization: `Bearer ${first.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ amountCents: 100, orderId: 'by the second user' });
  const created = await fetch(`${second.url}/api/merchants/intents`, { method: 'POST', headers, body });
  expect(created.status).toBe(200);
  const doctor = await florin(['doctor', '--json'], { ...env, FLORIN_ROLES: 'api' });
  expect(doctor.stdout).toContain('certificate valid until');
});

test('a way that leaves the machine must be encrypted', () => {
  const said: string[] = [];
  const facts = { isRemote: true, protocol: undefined, isVerified: false, validTo: undefined };
  noteConnection(facts, (check, ok, detail) => said.push(`${check} ${ok} ${detail}`));
  expect(said).toEqual([
    expect.stringMatching(/^database connection false not encrypted: add \?sslmode=verify-full/),
  ]);
});
