import { connect } from './connection.ts';
import { runCommand } from './explain.ts';
import type { Given } from './flag-values.ts';
import { followEvents, reportLoss, untilInterrupted } from './follow-events.ts';
import { type Io, painter, say, UsageError } from './io.ts';
import { latestCursor, lineOf } from './listen.ts';
import type { Extension } from './resources.ts';

/** `florin events list --follow`: beyond what the document knows. */
export function eventsExtension(io: Io): Extension {
  return (command, usual) =>
    command.option('--follow', 'keep showing new events until Ctrl-C').action(async (options: Given) => {
      await runCommand(io, Boolean(options.json), () =>
        options.follow ? follow(io, options) : usual(options),
      );
    });
}

async function follow(io: Io, options: Given): Promise<void> {
  for (const flag of ['cursor', 'createdFrom', 'createdTo'])
    if (options[flag] !== undefined)
      throw new UsageError(
        `--follow shows new events; --${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} cannot be combined with it`,
      );
  const client = connect(io, options);
  const paint = painter(io, io.stdout);
  const after = options.after === undefined ? await latestCursor(client) : String(options.after);
  if (!options.json) say(io, paint('dim', `Events of ${client.url}. Press Ctrl-C to stop.`));
  await followEvents({
    client,
    after,
    ...(options.event !== undefined && { event: String(options.event) }),
    signal: untilInterrupted(),
    onEvent: async (event) => say(io, options.json ? event.body : lineOf(event, undefined, paint)),
    ...reportLoss(io, client),
  });
}
