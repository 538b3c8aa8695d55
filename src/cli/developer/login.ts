import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { randomBase62 } from '../../platform/lib/ids.ts';
import { type Client, createClient } from './client.ts';
import { type ConnectionOptions, cleanUrl, connect, DEFAULT_URL, findConnection } from './connection.ts';
import { runCommand } from './explain.ts';
import { type Io, painter, Refusal, say, warn } from './io.ts';
import { connectionOptions } from './options.ts';
import { DEFAULT_PROFILE, profilesPath, readProfiles, writeProfiles } from './profiles.ts';
import { showRecord } from './show.ts';

interface LoginOptions {
  apiKey?: string;
  url?: string;
  profile?: string;
}

export function loginCommands(florin: Command, io: Io): void {
  florin
    .command('login')
    .description('store an API key and its server’s URL for all other commands')
    .option('--url <url>', `where the server is; default: FLORIN_URL, or ${DEFAULT_URL}`)
    .option(
      '--api-key <key>',
      'better to be prompted or to pipe it in: what you type here stays in the shell’s history',
    )
    .option('--profile <name>', 'a name for this login, to keep several')
    .addHelpText(
      'after',
      '\nExamples:\n  $ florin login\n  $ florin login --url https://pay.example.com --profile live < key.txt',
    )
    .action(async (options: LoginOptions) => {
      await runCommand(io, false, () => login(io, options));
    });
  florin
    .command('logout')
    .description('forget the key of a login; the key itself stays valid')
    .option('--profile <name>', 'which login; default: the one without a name')
    .option('--all', 'every login')
    .action(async (options: { profile?: string; all?: boolean }) => {
      await runCommand(io, false, () => logout(io, options));
    });
  const whoami = florin.command('whoami').description('show whose key is used, and on which server');
  connectionOptions(whoami).action(async (options: { json?: boolean }) => {
    await runCommand(io, Boolean(options.json), () => showMerchant(io, options));
  });
}

/** Asks the server first: what is stored is known to work. */
async function login(io: Io, options: LoginOptions): Promise<void> {
  const profiles = readProfiles(io);
  const name = options.profile ?? DEFAULT_PROFILE;
  const usual = profiles[name]?.url ?? DEFAULT_URL;
  const url = cleanUrl(options.url ?? (io.env.FLORIN_URL || (await askUrl(io, usual))));
  const apiKey = await requireKey(io, options);
  const { body } = await profileOf(createClient({ url, apiKey }));
  // Keeps the `florin listen` secret, so that receivers need not be reconfigured.
  const listenSecret = profiles[name]?.listenSecret ?? `whsec_${randomBase62(40)}`;
  writeProfiles(io, { ...profiles, [name]: { url, apiKey, listenSecret } });
  const paint = painter(io, io.stdout);
  say(
    io,
    `${paint('green', 'Logged in')} to ${url} as ${body.name ?? 'a merchant without a name'} (${body.id}).`,
  );
  say(io, paint('dim', `Stored in ${profilesPath(io)}, readable only by you.`));
  if (io.env.FLORIN_API_KEY)
    warn(io, 'FLORIN_API_KEY is set and overrides this login; unset it to use the key you just stored.');
}

const profileOf = (client: Client) => client.ask({ method: 'GET', path: '/api/b2b/merchants/me' });

/** Exit code that shells use for an interrupted command. */
const INTERRUPTED = 130;

async function askUrl(io: Io, usual: string): Promise<string> {
  if (!io.stdin.isTTY) return usual;
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  lines.once('SIGINT', () => process.exit(INTERRUPTED));
  const answer = await lines.question(`Server (${usual}): `);
  lines.close();
  return answer.trim() || usual;
}

async function requireKey(io: Io, { apiKey }: LoginOptions): Promise<string> {
  if (apiKey !== undefined && apiKey !== '-')
    warn(
      io,
      'Your shell may keep this key in its history. Next time, run florin login alone: it prompts for the key.',
    );
  const key = (apiKey === undefined || apiKey === '-' ? await readKey(io) : apiKey).trim();
  if (!/^fl_(live|dev)_[0-9A-Za-z]+$/.test(key))
    throw new Refusal(
      key === '' ? 'no API key was given' : 'this is not an API key; keys start with fl_live_ or fl_dev_',
      'A server prints its first key when it starts for the first time. Pipe it in, or run florin login in a terminal.',
    );
  return key;
}

async function readKey(io: Io): Promise<string> {
  if (!io.stdin.isTTY) {
    const chunks: Buffer[] = [];
    for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8').split('\n')[0]!;
  }
  io.stderr.write('API key (not shown): ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: io.stdin, output: nowhere, terminal: true });
  lines.once('SIGINT', () => process.exit(INTERRUPTED));
  const key = await lines.question('');
  lines.close();
  io.stderr.write('\n');
  return key;
}

async function logout(io: Io, options: { profile?: string; all?: boolean }): Promise<void> {
  const profiles = readProfiles(io);
  const names = options.all ? Object.keys(profiles) : [options.profile ?? DEFAULT_PROFILE];
  const known = names.filter((name) => profiles[name]);
  if (known.length === 0)
    throw new Refusal(`there is no login ${names.map((name) => `"${name}"`).join(', ')}`);
  const kept = Object.entries(profiles).filter(([name]) => !known.includes(name));
  writeProfiles(io, Object.fromEntries(kept));
  say(io, `Forgot ${known.join(', ')}. The key still works; revoke it with: florin api-keys revoke <keyId>`);
}

async function showMerchant(io: Io, options: ConnectionOptions & { json?: boolean }): Promise<void> {
  const { url, source, apiKey } = findConnection(io, options);
  const { text, body } = await profileOf(connect(io, options));
  if (options.json) return say(io, text);
  const environment = apiKey!.startsWith('fl_live_') ? 'live' : 'test';
  const { name, id, payoutAddress, webhookUrl } = body;
  showRecord(io, {
    merchant: name,
    merchantId: id,
    server: url,
    key: `${source}, ${environment}`,
    payoutAddress,
    webhookUrl,
  });
}
