import { type Command, Option } from 'commander';

/** What every command that asks a server takes. */
export function connectionOptions(command: Command): Command {
  return command
    .addOption(group(new Option('--json', 'print the answer exactly as the API gave it')))
    .addOption(group(new Option('--profile <name>', 'which login to use')))
    .addOption(group(new Option('--url <url>', 'which server to ask')));
}

const group = (option: Option) => option.helpGroup('Everywhere:');
