import type { Command } from 'commander';
import { realNow } from '../../platform/lib/clock.ts';
import { ApiFailure, type Client } from './client.ts';
import { offer } from './completion.ts';
import { connect, findConnection } from './connection.ts';
import { parseSince } from './durations.ts';
import { runCommand } from './explain.ts';
import { followEvents, type PulledEvent, pullPage, reportLoss, untilInterrupted } from './follow-events.ts';
import { type Forwarded, forward } from './forward.ts';
import { type Io, type Paint, painter, say, UsageError, warn } from './io.ts';
import { nearest } from './nearest.ts';
import { eventNames } from './operations.ts';
import { connectionOptions } from './options.ts';
import { paintStatus } from './show.ts';

export interface ListenOptions {
  forwardTo?: string;
  events?: string;
  since?: string;
  printSecret?: boolean;
  headerName?: string;
  json?: boolean;
  profile?: string;
  url?: string;
}

export function listenCommand(florin: Command, io: Io): void {
  const command = florin
    .command('listen')
    .description('show events as they happen, and post them, signed, to a server on your machine')
    .option('--forward-to <url>', 'URL of your webhook receiver, such as http://localhost:3000/webhooks')
    .option('--events <list>', 'only these events, comma-separated; * matches anything: invoice.*,*.paid')
    .option('--since <time>', 'start in the past: a time, or 10m, 2h, 1d; default: now')
    .option('--print-secret', 'print the secret that events are signed with, and nothing else')
    .option(
      '--header-name <word>',
      'the word in X-Service-Signature, where the server has another',
      'Service',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ florin listen --forward-to http://localhost:3000/webhooks\n  $ florin listen --events "invoice.*,subscription.*"\n  $ export WEBHOOK_SECRET=$(florin listen --print-secret)',
    );
  offer(command.options.find(({ long }) => long === '--events')!, eventNames());
  connectionOptions(command).action(async (options: ListenOptions) => {
    await runCommand(io, Boolean(options.json), () => listen(io, options));
  });
}

/** Events from now on, each shown once and posted once, until Ctrl-C. */
async function listen(io: Io, options: ListenOptions): Promise<void> {
  const { listenSecret } = findConnection(io, options);
  if (options.printSecret) return say(io, listenSecret);
  const target = options.forwardTo === undefined ? undefined : targetOf(options.forwardTo);
  const isWanted = eventFilter(options.events);
  const client = connect(io, options);
  const paint = painter(io, io.stdout);
  const print = (line: string) => (options.json ? warn(io, line) : say(io, line));
  const signal = untilInterrupted();
  const after = options.since === undefined ? await latestCursor(client) : 'earliest';
  const since = options.since === undefined ? undefined : parseSince(options.since, await serverNow(client));
  print(target ? `Ready: events of ${client.url} go to ${target}` : `Ready: events of ${client.url}`);
  if (target) print(`Signed with ${paint('bold', listenSecret)}`);
  print(paint('dim', 'Press Ctrl-C to stop.'));
  const headerName = options.headerName ?? 'Service';
  let [seen, failed] = [0, 0];
  await followEvents({
    client,
    after,
    signal,
    async onEvent(event) {
      if ((since && new Date(event.createdAt) < since) || !isWanted(event.event)) return;
      const result = target
        ? await forward(event, { url: target, secret: listenSecret, headerName, signal })
        : undefined;
      seen++;
      if (result && !isAccepted(result)) failed++;
      say(io, options.json ? event.body : lineOf(event, result, paint));
    },
    ...reportLoss(io, client),
  });
  print(`\n${seen} events${target ? `, ${seen - failed} accepted, ${failed} not` : ''}.`);
}

function targetOf(text: string): string {
  const withScheme = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme)) throw new UsageError(`--forward-to must be a URL, not "${text}"`);
  return withScheme;
}

/** `invoice.*,*.paid`: true for the names that are meant. A name that cannot come is a mistake worth telling. */
export function eventFilter(list: string | undefined): (event: string) => boolean {
  if (list === undefined) return () => true;
  const patterns = list.split(',').map((text) => {
    const name = text.trim();
    const pattern = new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
    if (!eventNames().some((known) => pattern.test(known)))
      throw new UsageError(`--events: there is no event "${name}"${nearest(name, eventNames())}`);
    return pattern;
  });
  return (event) => patterns.some((pattern) => pattern.test(event));
}

export async function latestCursor(client: Client): Promise<string> {
  return (await pullPage(client, { after: 'latest' })).nextCursor!;
}

/** The sandbox's own time where there is one: events carry it. */
export async function serverNow(client: Client): Promise<Date> {
  try {
    return new Date((await client.ask({ method: 'GET', path: '/api/v2/sandbox/clock' })).body.now);
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return realNow();
    throw error;
  }
}

const isAccepted = ({ httpStatus }: Forwarded) =>
  httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300;

/** Wide enough for the longest name there is. */
const NAME_WIDTH = 32;

export function lineOf(event: PulledEvent, result: Forwarded | undefined, paint: Paint): string {
  const time = event.createdAt.slice(11, 19);
  const start = `${paint('dim', time)}  ${event.event.padEnd(NAME_WIDTH)}  ${event.id}`;
  if (!result) return `${start}  ${paintStatus(paint, event.status)}`;
  const { httpStatus, error, durationMs } = result;
  const answer = httpStatus === undefined ? `not delivered: ${error}` : `${httpStatus} in ${durationMs} ms`;
  return `${start}  → ${paint(isAccepted(result) ? 'green' : 'red', answer)}`;
}
