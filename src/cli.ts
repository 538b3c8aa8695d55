import { Command, CommanderError, Option } from 'commander';
import { generateKey } from './access/generate-key.ts';
import { SCOPES, type Scope } from './access/key.ts';
import { presentGeneratedKey, presentKey } from './access/present.ts';
import { findKeyAnywhere, listKeys } from './access/queries.ts';
import { revokeKey } from './access/revoke-key.ts';
import { backupCommand, restoreCommand } from './cli-backup.ts';
import { payCommand, reconcileCommand } from './cli-chain.ts';
import { type CommandContext, CommandFailed, chooseMerchant, withStorage } from './cli-context.ts';
import { operatorsLink, setupLinkCommand } from './cli-members.ts';
import { ensureInstallation } from './db/installation.ts';
import { migrate } from './db/migrate.ts';
import { examine } from './doctor.ts';
import { realNow } from './lib/clock.ts';
import { isUuid } from './lib/ids.ts';
import { run } from './main.ts';
import { createMerchant } from './merchants/create-merchant.ts';
import { listMerchants } from './merchants/queries.ts';
import { version } from './version.ts';

const ACTOR = 'operator';

/** Every command of `npx florin`. With --json each prints one JSON object on stdout and nothing else. */
export function program(): Command {
  const florin = new Command('florin')
    .description('Self-hosted payments and billing: USDC on Solana, straight into your own wallet.')
    .version(version)
    .showHelpAfterError('Run with --help to see how it is used.');

  florin
    .command('start')
    .description('start the service')
    .action(() => run(process.env));

  florin
    .command('migrate')
    .description('bring the database schema up to date')
    .addOption(json())
    .action((options) => withStorage(options, { migrated: false }, migrateCommand));

  const merchants = florin.command('merchants').description('the merchants of this installation');
  merchants
    .command('create')
    .description(
      'create a merchant with its first API key and a link for its first owner; all are shown once',
    )
    .requiredOption('--name <name>', 'what customers see')
    .option('--payout-address <address>', 'Solana address where payments arrive')
    .addOption(json())
    .action((options) => withStorage(options, {}, (context) => createMerchantCommand(context, options)));
  merchants
    .command('list')
    .description('list merchants')
    .addOption(json())
    .action((options) => withStorage(options, {}, listMerchantsCommand));

  florin
    .command('setup-link')
    .description('make a link for an owner: the first one, or one who lost access')
    .option('--merchant <id>', 'whose owner; may be left out when there is one merchant')
    .addOption(json())
    .action((options) => withStorage(options, {}, (context) => setupLinkCommand(context, options)));

  const keys = florin.command('keys').description('API keys');
  keys
    .command('create')
    .description('create an API key; it is shown once')
    .option('--merchant <id>', 'whose key; may be left out when there is one merchant')
    .option('--name <name>', 'to recognise it by')
    .option('--scopes <list>', `comma-separated, out of ${SCOPES.join(', ')}`)
    .option('--expires-at <time>', 'ISO 8601')
    .addOption(json())
    .action((options) => withStorage(options, {}, (context) => createKeyCommand(context, options)));
  keys
    .command('list')
    .description('list API keys')
    .option('--merchant <id>', 'whose keys; may be left out when there is one merchant')
    .addOption(json())
    .action((options) => withStorage(options, {}, (context) => listKeysCommand(context, options)));
  keys
    .command('revoke <keyId>')
    .description('end an API key for good')
    .addOption(json())
    .action((keyId, options) => withStorage(options, {}, (context) => revokeKeyCommand(context, keyId)));

  florin
    .command('doctor')
    .description('check settings, database, clock and the invariants of the data')
    .option('--invariants', 'only the invariants')
    .addOption(json())
    .action((options) =>
      withStorage(options, { migrated: false }, (context) => doctorCommand(context, options)),
    );

  florin
    .command('pay <intentId>')
    .description('pay an intent with test money, in the sandbox')
    .option('--amount-cents <cents>', 'default: what is still due')
    .option('--outcome <outcome>', 'pay, fail, wrong_mint or no_reference')
    .addOption(json())
    .action((id, options) => withStorage(options, {}, (context) => payCommand(context, id, options)));
  florin
    .command('reconcile')
    .description('compare every amount in the books with the chain; exit code 1 when anything differs')
    .option('--rpc-url <url>', 'the node to read; default: the first of SOLANA_RPC_URLS')
    .addOption(json())
    .action((options) => withStorage(options, {}, (context) => reconcileCommand(context, options)));

  florin
    .command('backup <file>')
    .description('write a consistent copy of the whole database to a file, while the service runs')
    .addOption(json())
    .action((file, options) => withStorage(options, {}, (context) => backupCommand(context, file)));
  florin
    .command('restore <file>')
    .description('load a backup into an empty database; checked to the last byte, all or nothing')
    .addOption(json())
    .action((file, options) =>
      withStorage(options, { migrated: false }, (context) => restoreCommand(context, file)),
    );

  return florin;
}

function json(): Option {
  return new Option('--json', 'print one JSON object and nothing else');
}

async function migrateCommand({ db, config, secrets, print }: CommandContext): Promise<void> {
  const applied = await migrate(db);
  await ensureInstallation(db, config.FLORIN_NETWORK, secrets, realNow());
  print(
    { applied },
    applied.length === 0 ? 'The schema is up to date.' : `Applied migrations ${applied.join(', ')}.`,
  );
}

interface CreateMerchantOptions {
  name: string;
  payoutAddress?: string;
}

async function createMerchantCommand(
  { db, config, secrets, print }: CommandContext,
  options: CreateMerchantOptions,
): Promise<void> {
  const { environment } = config;
  const payoutAddress = options.payoutAddress ?? null;
  const input = { name: options.name, payoutAddress, environment, now: realNow() };
  const { merchant, key, webhookSecret, setup } = await db.transaction(async (tx) => {
    const created = await createMerchant(tx, secrets, input);
    return { ...created, setup: await operatorsLink(tx, { config }, created.merchant.id) };
  });
  const { id, name } = merchant;
  print(
    { id, merchantId: id, name, payoutAddress, apiKey: key.raw, webhookSecret, setupUrl: setup.url },
    [
      `Merchant        ${id}`,
      `API key         ${key.raw}`,
      `Webhook secret  ${webhookSecret}`,
      `Dashboard       ${setup.url}`,
      '',
      'The secrets are shown only now. The link sets up the first owner: once, within 24 hours.',
    ].join('\n'),
  );
}

async function listMerchantsCommand({ db, print }: CommandContext): Promise<void> {
  const merchants = (await listMerchants(db)).map(
    ({ id, name, payoutAddress, verificationStatus, createdAt }) => ({
      id,
      name,
      payoutAddress,
      verificationStatus,
      createdAt,
    }),
  );
  const lines = merchants.map(
    ({ id, name, payoutAddress }) => `${id}  ${payoutAddress ?? '(no payout address)'}  ${name}`,
  );
  print(
    { merchants },
    lines.join('\n') || 'There are no merchants yet: npx florin merchants create --name "My shop"',
  );
}

interface CreateKeyOptions {
  merchant?: string;
  name?: string;
  scopes?: string;
  expiresAt?: string;
}

async function createKeyCommand(context: CommandContext, options: CreateKeyOptions): Promise<void> {
  const { db, config, print } = context;
  const merchantId = await chooseMerchant(context, options.merchant);
  const scopes = options.scopes?.split(',').map((scope) => scope.trim() as Scope);
  const unknown = scopes?.find((scope) => !SCOPES.includes(scope));
  if (unknown !== undefined)
    throw new CommandFailed(`there is no scope "${unknown}"; there are ${SCOPES.join(', ')}`);
  const expiresAt = options.expiresAt ? new Date(options.expiresAt) : null;
  if (expiresAt && Number.isNaN(expiresAt.getTime()))
    throw new CommandFailed('--expires-at must be an ISO 8601 time');
  const key = await db.transaction((tx) =>
    generateKey(tx, {
      merchantId,
      actor: ACTOR,
      environment: config.environment,
      name: options.name,
      scopes,
      expiresAt,
      ceiling: { scopes: SCOPES, expiresAt: null },
      now: realNow(),
    }),
  );
  print(presentGeneratedKey(key, config.environment), `API key  ${key.raw}\n\nIt is shown only now.`);
}

async function listKeysCommand(context: CommandContext, options: { merchant?: string }): Promise<void> {
  const merchantId = await chooseMerchant(context, options.merchant);
  const keys = (await listKeys(context.db, merchantId)).map((key) =>
    presentKey(key, context.config.environment),
  );
  const lines = keys.map(
    (key) =>
      `${key.id}  ${key.prefix}…  ${key.revokedAt ? 'revoked' : 'active '}  ${key.scopes.join(',')}  ${key.name ?? ''}`,
  );
  context.print({ keys }, lines.join('\n') || 'There are no keys.');
}

async function revokeKeyCommand({ db, print }: CommandContext, keyId: string): Promise<void> {
  const key = isUuid(keyId) ? await findKeyAnywhere(db, keyId) : undefined;
  if (!key) throw new CommandFailed(`there is no API key ${keyId}`);
  await db.transaction((tx) =>
    revokeKey(tx, { merchantId: key.merchantId, keyId: key.id, actor: ACTOR, now: realNow() }),
  );
  print({ id: key.id, revoked: true }, `Revoked ${key.prefix}…`);
}

async function doctorCommand(context: CommandContext, options: { invariants?: boolean }): Promise<void> {
  const { config, db, secrets, print, say } = context;
  const findings = await examine({
    config,
    db,
    secrets,
    onlyInvariants: options.invariants ?? false,
    onFinding: ({ ok, check, detail }) => say(`${ok ? '✓' : '✗'} ${check}: ${detail}`),
  });
  const ok = findings.every((finding) => finding.ok);
  print({ ok, findings }, ok ? 'All is well.' : 'Something needs attention.');
  if (!ok) process.exitCode = 1;
}

try {
  await program().exitOverride().parseAsync(process.argv);
} catch (error) {
  // Commander has printed its own message already.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
