import type { Command } from 'commander';
import { VERIFICATION_STATUSES } from '../../accounts/merchants/merchant.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { changing, collect, json, stored, unlockable } from './command-options.ts';

const data = () => import('./data.ts');
const members = () => import('./members.ts');
const moving = () => import('./moving.ts');

export function merchantCommands(florin: Command): void {
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
    .option('--force', 'also if that address cannot be asked whether the merchant is there')
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

export function keyCommands(florin: Command): void {
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
