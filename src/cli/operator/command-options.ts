import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../../config/config.ts';
import type { UnlockOptions } from './backup.ts';
import type { CommandContext, CommandOutput } from './context.ts';

export interface JsonOption {
  json?: boolean;
}

export function unlockable(command: Command): Command {
  return command
    .option('--identity <file>', 'file with the age identity to decrypt with; can be repeated', collect)
    .option('--passphrase-file <file>', 'file with the passphrase to decrypt with, in its first line')
    .addOption(json());
}

export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

export function json(): Option {
  return new Option('--json', 'print one JSON object and nothing else');
}

/**
 * Runs a command without a database. `backup` has options of the same names, so they are read together with its own.
 */
export async function plain(
  command: Command,
  run: (output: CommandOutput, options: JsonOption & UnlockOptions) => Promise<void>,
): Promise<void> {
  const { withoutStorage } = await import('./context.ts');
  const options = command.optsWithGlobals();
  await withoutStorage(options, (output) => run(output, options));
}

export async function configured(
  options: JsonOption,
  command: (config: Config, output: CommandOutput) => Promise<void>,
): Promise<void> {
  const { withSettings } = await import('./context.ts');
  await withSettings(options, command);
}

export async function stored(
  options: JsonOption,
  command: (context: CommandContext) => Promise<void>,
  migrated = true,
): Promise<void> {
  const { withStorage } = await import('./context.ts');
  await withStorage(options, { migrated }, command);
}

/** A command that changes what is stored: refused on a database that has gone back in time. */
export async function changing(
  options: JsonOption,
  command: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { withStorage } = await import('./context.ts');
  await withStorage(options, { changes: true }, command);
}

/** A command for a database whose secret key is lost: no other can be run on it. */
export async function withAnyKey(
  options: JsonOption,
  command: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { withStorage } = await import('./context.ts');
  await withStorage(options, { anyKey: true }, command);
}

export function seconds(text: string): number {
  const value = Number(text);
  if (value >= 1 && value <= 86_400) return value;
  throw new InvalidArgumentError('It takes 1 to 86400 seconds.');
}

export function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('It takes a port from 0 to 65535.');
}

/** An ISO date, which begins at midnight UTC, or a time with its zone. */
export function moment(text: string): Date {
  const at = new Date(text);
  const isWhole = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  if (isWhole && !Number.isNaN(at.getTime())) return at;
  throw new InvalidArgumentError(
    'It takes a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.',
  );
}
