import { Command, CommanderError } from 'commander';
import { developerCommands } from './cli/developer/developer-commands.ts';
import type { Io } from './cli/developer/io.ts';
import { operatorCommands, payOnThisMachine } from './cli/operator/operator-commands.ts';
import { version } from './config/version.ts';

/** Every command of `npx florin`. With --json each prints JSON on stdout and nothing else. */
export function program(io: Io): Command {
  const florin = new Command('florin')
    .description('Self-hosted payments and billing: USDC on Solana, straight into your own wallet.')
    .version(version)
    // Before any command is added: each takes it over from here.
    .exitOverride()
    .showHelpAfterError('Run with --help to see how it is used.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ florin login\n  $ florin listen --forward-to http://localhost:3000/webhooks\n  $ florin customers list --limit 5',
    );
  developerCommands(florin, io, payOnThisMachine);
  operatorCommands(florin, async () => (await import('./main.ts')).run(process.env));
  return florin;
}

const USAGE = 2;

const { env, stdin, stdout, stderr } = process;
// The reader may close the pipe early: florin events list | head
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
try {
  await program({ env, stdin, stdout, stderr }).parseAsync(process.argv);
} catch (error) {
  // Commander has printed its own message already.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : USAGE;
}
