import type { Command } from 'commander';
import { ApiFailure, type Client, type Question } from './client.ts';
import { offer } from './completion.ts';
import { type ConnectionOptions, connect } from './connection.ts';
import { parseDuration } from './durations.ts';
import { runCommand } from './explain.ts';
import { formatValue } from './format-value.ts';
import { type Io, Refusal, say, UsageError } from './io.ts';
import { nearest } from './nearest.ts';
import { eventNames } from './operations.ts';
import { connectionOptions } from './options.ts';

type Options = ConnectionOptions & { json?: boolean };

/** Sample events and the movable clock: what only a sandbox has. */
export function sandboxCommands(florin: Command, io: Io): void {
  const run = async (options: Options, command: () => Promise<void>) => {
    await runCommand(io, Boolean(options.json), command);
  };

  const trigger = florin
    .command('trigger <event>')
    .description('send a sample event to florin listen and your webhook URL')
    .addHelpText(
      'after',
      `\nEvents:\n${eventNames()
        .map((name) => `  ${name}`)
        .join('\n')}\n\nExample:\n  $ florin trigger invoice.paid`,
    );
  offer(trigger.registeredArguments[0]!, eventNames());
  connectionOptions(trigger).action((event: string, options: Options) =>
    run(options, () => triggerEvent(io, event, options)),
  );

  const clock = florin
    .command('clock')
    .description('show the sandbox clock; advance moves it')
    .addHelpText(
      'after',
      '\nExamples:\n  $ florin clock\n  $ florin clock advance 30d\n  $ florin clock set 2027-01-31T12:00:00Z',
    );
  connectionOptions(clock).action((options: Options) => run(options, () => readClock(io, options)));
  const advance = clock
    .command('advance <duration>')
    .description('move forward: 90s, 30m, 2h, 30d, 1w; runs everything that becomes due');
  connectionOptions(advance).action((duration: string, _: Options, command: Command) =>
    run(command.optsWithGlobals(), () =>
      moveClock(io, { advanceSeconds: secondsOf(duration) }, command.optsWithGlobals()),
    ),
  );
  const set = clock.command('set <time>').description('move forward to a time: 2027-01-31T12:00:00Z');
  connectionOptions(set).action((time: string, _: Options, command: Command) =>
    run(command.optsWithGlobals(), () => moveClock(io, { to: timeOf(time) }, command.optsWithGlobals())),
  );
}

async function triggerEvent(io: Io, event: string, options: Options): Promise<void> {
  const names = eventNames();
  if (!names.includes(event))
    throw new UsageError(
      `there is no event "${event}"${nearest(event, names)}\nThere are:\n${names.map((name) => `  ${name}`).join('\n')}`,
    );
  // florin listen pulls, so it must not need a webhook URL too.
  const body = JSON.stringify({ event, requireUrl: false });
  const answer = await askSandbox(connect(io, options), {
    method: 'POST',
    path: '/api/v2/sandbox/events',
    body,
  });
  say(io, options.json ? answer.text : `Triggered ${event}, event ${answer.body.eventId}`);
}

async function readClock(io: Io, options: Options): Promise<void> {
  const answer = await askSandbox(connect(io, options), { method: 'GET', path: '/api/v2/sandbox/clock' });
  say(io, options.json ? answer.text : formatValue('now', answer.body.now, false));
}

async function moveClock(io: Io, move: object, options: Options): Promise<void> {
  const body = JSON.stringify(move);
  const answer = await askSandbox(connect(io, options), {
    method: 'POST',
    path: '/api/v2/sandbox/clock',
    body,
  });
  say(io, options.json ? answer.text : `It is now ${formatValue('now', answer.body.now, false)}.`);
}

function secondsOf(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined) throw new UsageError(`a duration is 90s, 30m, 2h, 30d or 1w, not "${text}"`);
  return seconds;
}

function timeOf(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new UsageError(`a time is 2027-01-31T12:00:00Z, not "${text}"`);
  return new Date(text).toISOString();
}

/** Elsewhere these paths do not exist, and a plain 404 would not say why. */
export async function askSandbox(client: Client, question: Question) {
  try {
    return await client.ask(question);
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404 && error.code === 'NOT_FOUND')
      throw new Refusal(
        `${client.url} is not a sandbox`,
        'Only a server with FLORIN_NETWORK=sandbox has this.',
      );
    throw error;
  }
}
