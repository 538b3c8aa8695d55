import type { Command } from 'commander';
import {
  changing,
  collect,
  configured,
  json,
  moment,
  plain,
  port,
  seconds,
  stored,
  unlockable,
  withAnyKey,
} from './command-options.ts';
import { keyCommands, merchantCommands } from './merchants-commands.ts';

/** Imports the code only when a command runs: the rest of `florin` starts without a database driver. */
const data = () => import('./data.ts');
const migrations = () => import('./migrate.ts');
const pay = () => import('./pay.ts');
const probing = () => import('./probe.ts');
const reconciling = () => import('./reconcile.ts');
const backups = () => import('./backup.ts');
const secretKeys = () => import('./secret-key.ts');
const missingKeys = () => import('./give-up-key.ts');
const members = () => import('./members.ts');
const audits = () => import('./audit.ts');
const sandboxChains = () => import('./sandbox-chain.ts');
const numbers = () => import('./numbers.ts');

/** Commands for operators, on the machine of a service: they work on its database, whether it is running or not. */
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
    .option(
      '--probe [url]',
      'measure what the Solana nodes and their plans allow, or a node that is not configured yet',
    )
    .addOption(json())
    .action((options) => {
      if (options.probe)
        return configured(options, async (config, output) =>
          (await probing()).probeCommand(config, output, options.probe),
        );
      return options.watch
        ? configured(options, async (config) => (await data()).watchDoctorCommand(config, options))
        : stored(options, async (context) => (await data()).doctorCommand(context, options), false);
    });
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
      'which address it listens on; anyone who reaches it can give test money away',
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

/** Commands for operators when the database may lack something. */
function afterLossCommands(florin: Command): void {
  florin
    .command('reconcile')
    .description('compare every recorded amount with the chain; exit code 1 if anything differs')
    .option('--rpc-url <url>', 'the node to read; default: every node of SOLANA_RPC_URLS')
    .option('--since <time>', 'only blocks from then on, such as 2026-01-31 or 2026-01-31T12:00:00Z', moment)
    .option('--every-transaction', 'fetch each one, also where balances prove the books: a call each')
    .option('--progress <file>', 'note what was compared, and continue an interrupted run of this file')
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
  secretKey
    .command('give-up')
    .description('list what is lost with a secret key that nobody has anymore')
    .option(
      '--new',
      'replace it, webhook secrets above all; what cannot be replaced is removed, and owners get an e-mail',
    )
    .option('--yes', 'do not ask for confirmation')
    .addOption(json())
    .action((options) =>
      withAnyKey(options, async (context) => (await missingKeys()).giveUpSecretKeyCommand(context, options)),
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
    .description(
      'read a whole backup and verify every checksum; with --restore, prove that it can be restored',
    )
    .option('--restore', 'restore it to a database that is made for the moment, and compare every row')
    .action((file, _, command) => {
      const options = command.optsWithGlobals();
      return options.restore
        ? configured(options, async (config, output) =>
            (await backups()).proveBackupCommand(config, output, file, options),
          )
        : plain(command, async (output) => (await backups()).verifyBackupCommand(output, file, options));
    });
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
