import { type Command, Option } from 'commander';

/** Adds the options of every command that calls a server. */
export function connectionOptions(command: Command): Command {
  return command
    .addOption(group(new Option('--json', 'print the API’s response unchanged')))
    .addOption(group(new Option('--profile <name>', 'which login to use')))
    .addOption(group(new Option('--url <url>', 'which server to call')));
}

const group = (option: Option) => option.helpGroup('Everywhere:');
