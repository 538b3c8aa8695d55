import type { Command } from 'commander';
import { VERIFICATION_STATUSES } from './accounts/merchants/merchant.ts';
import {
  changing,
  collect,
  configured,
  json,
  plain,
  port,
  seconds,
  stored,
  unlockable,
} from './command-options.ts';
import { SCOPES } from './platform/access/key.ts';

/** Whose code is read only when it runs: the rest of `florin` starts without a database driver. */
const data = () => import('./cli-data.ts');
const migrations = () => import('./cli-migrate.ts');
const pay = () => import('./cli-pay.ts');
const reconciling = () => import('./cli-reconcile.ts');
const backups = () => import('./cli-backup.ts');
const secretKeys = () => import('./cli-secret-key.ts');
const members = () => import('./cli-members.ts');
const audits = () => import('./cli-audit.ts');
const moving = () => import('./cli-moving.ts');
const sandboxChains = () => import('./cli-sandbox-chain.ts');
const numbers = () => import('./cli-numbers.ts');

/** What an operator does on the machine of a service: on its database, whether it is running or not. */
export function operatorCommands(florin: Command, start: () => Promise<void>): void {
  florin.commandsGroup('Operating a server, on its own machine:');
  florin.command('start').description('start the service').action(start);
  sandboxChainCommands(florin);

  florin
    .command('migrate')
    .description('bring the database schema up to date, or see beforehand what that locks')
    .option('--check', 'change nothing: list the pending migrations and what each locks')
    .option('--on <url>', 'with --check: apply them to this copy of the database, and measure')
    .addOption(json())
    .action((options) =>
      stored(options, async (context) => (await migrations()).migrateCommand(context, options), false),
    );

  merchantCommands(florin);
  florin
    .command('setup-link')
    .description('create a link for an owner: the first one, or one who lost access')
    .option('--merchant <id>', 'whose owner; optional if there is only one merchant')
    .addOption(json())
    .action((options) =>
      changing(options, async (context) => (await members()).setupLinkCommand(context, options)),
    );
  keyCommands(florin);

  florin
    .command('doctor')
    .description('check settings, database, clock, mail server, nodes and the invariants of the data')
    .option('--invariants', 'only the invariants')
    .option(
      '--watch [seconds]',
      'check again and again, all but the invariants, and print what changes',
      seconds,
    )
    .addOption(json())
    .action((options) =>
      options.watch
        ? configured(options, async (config) => (await data()).watchDoctorCommand(config, options))
        : stored(options, async (context) => (await data()).doctorCommand(context, options), false),
    );
  afterLossCommands(florin);

  auditCommands(florin);
  secretKeyCommands(florin);

  backupCommands(florin);
}

function sandboxChainCommands(florin: Command): void {
  florin
    .command('sandbox-chain')
    .description('run the chain of a sandbox alone, for a service of several processes')
    .option('--port <number>', 'where it listens; 0: any free port', port, 8899)
    .option(
      '--host <address>',
      'which address it listens on; whoever reaches it can give test money away',
      '127.0.0.1',
    )
    .option('--state <folder>', 'where it keeps its ledger; default: chain in FLORIN_DATA')
    .addOption(json())
    .action((options) =>
      configured(options, async (config, output) =>
        (await sandboxChains()).sandboxChainCommand(output, config, options),
      ),
    );
}

/** Pays an intent of the service on this machine, without an API key. */
export async function payOnThisMachine(
  intentId: string,
  options: { amountCents?: string; outcome?: string; json?: boolean },
): Promise<void> {
  await stored(options, async (context) => (await pay()).payCommand(context, intentId, options));
}

function merchantCommands(florin: Command): void {
  const merchants = florin.command('merchants').description('the merchants of this installation');
  merchants
    .command('create')
    .description(
      'create a merchant with its first API key and a link for its first owner; both are shown once',
    )
    .requiredOption('--name <name>', 'what customers see')
    .option('--payout-address <address>', 'Solana address where payments arrive')
    .addOption(json())
    .action((options) =>
      changing(options, async (context) => (await data()).createMerchantCommand(context, options)),
    );
  merchants
    .command('require-passkeys <on|off>')
    .description('whether owners with a passkey must use it instead of their password')
    .option('--merchant <id>', 'whose owners; optional if there is only one merchant')
    .addOption(json())
    .action((value, options) =>
      changing(options, async (context) => (await members()).requirePasskeysCommand(context, value, options)),
    );
  merchants
    .command('verify <merchantId>')
    .description(
      'set whether a merchant is verified; on mainnet only verified merchants can request payments through payment links',
    )
    .requiredOption('--status <status>', VERIFICATION_STATUSES.join(', '))
    .addOption(json())
    .action((merchantId, options) =>
      changing(options, async (context) =>
        (await data()).verifyMerchantCommand(context, merchantId, options),
      ),
    );
  movingCommands(merchants);
  merchants
    .command('list')
    .description('list merchants')
    .addOption(json())
    .action((options) => stored(options, async (context) => (await data()).listMerchantsCommand(context)));
}

function movingCommands(merchants: Command): void {
  merchants
    .command('export <merchantId>')
    .description('close a merchant here, and write all of it to an encrypted file for another installation')
    .option('--out <file>', 'where to; default: a name made of its id')
    .option('--recipient <key>', 'encrypt for this age public key; can be repeated', collect)
    .option('--passphrase-file <file>', 'encrypt with the passphrase in the first line of this file')
    .option('--force', 'replace the file if it exists')
    .addOption(json())
    .action((merchantId, options) =>
      changing(options, async (context) =>
        (await moving()).exportMerchantCommand(context, merchantId, options),
      ),
    );
  unlockable(merchants.command('import <file>'))
    .description(
      'load a merchant that another installation exported: all or nothing, beside those that are here',
    )
    .action((file, options) =>
      changing(options, async (context) => (await moving()).importMerchantCommand(context, file, options)),
    );
  merchants
    .command('forward <merchantId>')
    .description('after the import: send everybody who asks for the merchant here to its new address')
    .requiredOption('--to <url>', 'the PUBLIC_URL of its new installation')
    .addOption(json())
    .action((merchantId, options) =>
      changing(options, async (context) =>
        (await moving()).forwardMerchantCommand(context, merchantId, options),
      ),
    );
  merchants
    .command('reopen <merchantId>')
    .description('open a merchant again whose export was not imported anywhere')
    .option('--force', 'also if callers are already sent to another installation')
    .addOption(json())
    .action((merchantId, options) =>
      changing(options, async (context) =>
        (await moving()).reopenMerchantCommand(context, merchantId, options),
      ),
    );
}

function keyCommands(florin: Command): void {
  const keys = florin.command('keys').description('the API keys of any merchant of this installation');
  keys
    .command('create')
    .description('create an API key; it is shown once')
    .option('--merchant <id>', 'whose key; optional if there is only one merchant')
    .option('--name <name>', 'a name to recognize it by')
    .option('--scopes <list>', `comma-separated, out of ${SCOPES.join(', ')}`)
    .option('--allowed-addresses <list>', 'comma-separated addresses and CIDR ranges it can be used from')
    .option('--expires-at <time>', 'ISO 8601')
    .addOption(json())
    .action((options) =>
      changing(options, async (context) => (await data()).createKeyCommand(context, options)),
    );
  keys
    .command('list')
    .description('list API keys')
    .option('--merchant <id>', 'whose keys; optional if there is only one merchant')
    .addOption(json())
    .action((options) =>
      stored(options, async (context) => (await data()).listKeysCommand(context, options)),
    );
  keys
    .command('revoke <keyId>')
    .description('revoke an API key permanently')
    .addOption(json())
    .action((keyId, options) =>
      changing(options, async (context) => (await data()).revokeKeyCommand(context, keyId)),
    );
}

/** What an operator does when the database may lack something. */
function afterLossCommands(florin: Command): void {
  florin
    .command('reconcile')
    .description('compare every recorded amount with the chain; exit code 1 if anything differs')
    .option('--rpc-url <url>', 'the node to read; default: every node of SOLANA_RPC_URLS')
    .option('--repair', 'credit finalized payments that the books lack, by the ordinary way')
    .addOption(json())
    .action((options) =>
      stored(options, async (context) => (await reconciling()).reconcileCommand(context, options)),
    );

  florin
    .command('numbers')
    .description('list the last invoice and credit note numbers that the database knows of')
    .option('--new-prefixes', 'let the next invoice numbers of every project begin with the day')
    .addOption(json())
    .action((options) =>
      stored(options, async (context) => (await numbers()).numbersCommand(context, options)),
    );
  florin
    .command('accept-database')
    .description('go on with a database that has gone back in time, after deciding what is lost')
    .addOption(json())
    .action((options) => stored(options, async (context) => (await data()).acceptDatabaseCommand(context)));
}

function auditCommands(florin: Command): void {
  const audit = florin.command('audit').description('the record of who changed what');
  audit
    .command('verify')
    .description('check that no audit row was changed, moved, added or removed; exit code 1 if one was')
    .option('--merchant <id>', 'whose rows; default: those of all merchants')
    .option('--expect <merchant:hash>', 'a head printed earlier and kept elsewhere; can be repeated', collect)
    .addOption(json())
    .action((options) =>
      stored(options, async (context) => (await audits()).verifyAuditCommand(context, options)),
    );
}

function secretKeyCommands(florin: Command): void {
  const secretKey = florin.command('secret-key').description('the key that seals secrets in the database');
  secretKey
    .command('rotate')
    .description('seal everything again with a new key, while the service runs; run it again to continue')
    .addOption(json())
    .action((options) =>
      changing(options, async (context) => (await secretKeys()).rotateSecretKeyCommand(context)),
    );
  secretKey
    .command('retire')
    .description('retire the old key, if nothing is sealed with it anymore')
    .addOption(json())
    .action((options) =>
      changing(options, async (context) => (await secretKeys()).retireSecretKeyCommand(context)),
    );
}

function backupCommands(florin: Command): void {
  const backup = florin
    .command('backup')
    .argument('<file>')
    .description('write a consistent copy of the whole database to a file, while the service runs')
    .option('--recipient <key>', 'encrypt for this age public key; can be repeated', collect)
    .option('--passphrase-file <file>', 'encrypt with the passphrase in the first line of this file')
    .option('--force', 'replace the file if it exists')
    .addOption(json())
    .action((file, options) =>
      stored(options, async (context) => (await backups()).backupCommand(context, file, options)),
    );
  unlockable(backup.command('verify <file>'))
    .description('read a whole backup and verify every checksum, without restoring it')
    .action((file, _, command) =>
      plain(command, async (output, options) => (await backups()).verifyBackupCommand(output, file, options)),
    );
  backup
    .command('keygen <file>')
    .description('create a key pair: writes the identity to the file, prints the public key')
    .addOption(json())
    .action((file, _, command) =>
      plain(command, async (output) => (await backups()).backupKeygenCommand(output, file)),
    );
  unlockable(florin.command('restore <file>'))
    .description('load a backup into an empty database: verified to the last byte, all or nothing')
    .action((file, options) =>
      stored(options, async (context) => (await backups()).restoreCommand(context, file, options), false),
    );
}
