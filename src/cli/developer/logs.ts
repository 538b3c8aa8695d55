import { type Command, Option } from 'commander';
import type { Client } from './client.ts';
import { type ConnectionOptions, connect } from './connection.ts';
import { runCommand } from './explain.ts';
import { pause, reportLoss, untilAnswered, untilInterrupted } from './follow-events.ts';
import { formatValue } from './format-value.ts';
import { type Io, type Paint, painter, say } from './io.ts';
import { connectionOptions } from './options.ts';
import { paintStatus } from './show.ts';
import { plainText } from './text-width.ts';

interface LogOptions extends ConnectionOptions {
  status?: string;
  event?: string;
  limit?: string;
  follow?: boolean;
  json?: boolean;
}

interface Delivery {
  id: string;
  event: string;
  status: string;
  url: string;
  createdAt: string;
  nextAttemptAt: string | null;
  attempts: Attempt[];
}

interface Attempt {
  number: number;
  startedAt: string;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
}

export function logCommands(florin: Command, io: Io): void {
  const logs = florin
    .command('logs')
    .description('webhook deliveries, each with its attempts and your server’s responses')
    .addOption(
      new Option('--status <status>', 'only those').choices(['pending', 'succeeded', 'retrying', 'failed']),
    )
    .option('--event <name>', 'only deliveries of this event')
    .option('--limit <n>', 'how many deliveries, 1 to 100')
    .option('--follow', 'keep showing new attempts until Ctrl-C')
    .addHelpText('after', '\nExamples:\n  $ florin logs --status failed\n  $ florin logs --follow');
  connectionOptions(logs).action(async (options: LogOptions) => {
    await runCommand(io, Boolean(options.json), () =>
      options.follow ? followLogs(io, options) : showLogs(io, options),
    );
  });

  const resend = florin
    .command('resend <deliveryId>')
    .description('send a webhook delivery again: the same event, the same bytes')
    .addHelpText('after', '\nExample:\n  $ florin resend 01a1de0a-0d9d-7000-85d0-bcee01680a2b');
  connectionOptions(resend).action(async (id: string, options: LogOptions) => {
    await runCommand(io, Boolean(options.json), () => resendDelivery(io, id, options));
  });
}

async function showLogs(io: Io, options: LogOptions): Promise<void> {
  const answer = await ask(connect(io, options), options);
  if (options.json) return say(io, answer.text);
  const deliveries: Delivery[] = answer.body.data;
  if (deliveries.length === 0) say(io, 'No deliveries found.');
  const paint = painter(io, io.stdout);
  for (const delivery of deliveries.toReversed()) {
    const { id, event, status, url, createdAt, nextAttemptAt } = delivery;
    const next = nextAttemptAt ? `  next ${formatValue('', nextAttemptAt, false)}` : '';
    const time = paint('dim', formatValue('', createdAt, false));
    say(io, `${time}  ${id}  ${event}  ${paintStatus(paint, status)}  ${plainText(url)}${next}`);
    for (const attempt of delivery.attempts) say(io, `  ${attemptLine(attempt, paint)}`);
  }
}

const ask = (client: Client, { status, event, limit = '20' }: LogOptions) =>
  client.ask({
    method: 'GET',
    path: '/api/v2/webhook-deliveries',
    query: [
      ['limit', limit],
      ...(status === undefined ? [] : [['status', status] as const]),
      ...(event === undefined ? [] : [['event', event] as const]),
    ],
  });

function attemptLine({ number, startedAt, durationMs, httpStatus, error }: Attempt, paint: Paint): string {
  const time = paint('dim', formatValue('', startedAt, false));
  const answer = error === null ? paint('green', String(httpStatus)) : paint('red', plainText(error));
  return `#${number}  ${time}  ${answer} in ${durationMs} ms`;
}

const POLL_MS = 500;
const WATCHED = '100';

/** Attempts made from now on. Of older deliveries, those that are still being retried are watched too. */
async function followLogs(io: Io, options: LogOptions): Promise<void> {
  const client = connect(io, options);
  const signal = untilInterrupted();
  const paint = painter(io, io.stdout);
  const shown = new Map<string, number>();
  const read = async (): Promise<Delivery[]> => {
    const wanted = { ...options, limit: WATCHED };
    const pages = await Promise.all([ask(client, wanted), ask(client, { ...wanted, status: 'retrying' })]);
    const deliveries = pages.flatMap((page) => page.body.data as Delivery[]);
    return [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()].filter(
      ({ status }) => options.status === undefined || status === options.status,
    );
  };
  for (const { id, attempts } of await read()) shown.set(id, attempts.length);
  if (!options.json) say(io, paint('dim', `Attempts of ${client.url}, live. Press Ctrl-C to stop.`));
  while (!signal.aborted) {
    const deliveries = await untilAnswered({ signal, ...reportLoss(io, client) }, read);
    for (const delivery of deliveries?.toReversed() ?? []) {
      for (const attempt of delivery.attempts.slice(shown.get(delivery.id) ?? 0)) {
        const { id, event, url } = delivery;
        const line = `${event}  ${id}  ${attemptLine(attempt, paint)}  ${plainText(url)}`;
        say(io, options.json ? JSON.stringify({ deliveryId: id, event, url, ...attempt }) : line);
      }
      shown.set(delivery.id, delivery.attempts.length);
    }
    await pause(POLL_MS, signal);
  }
}

async function resendDelivery(io: Io, id: string, options: LogOptions): Promise<void> {
  const path = `/api/v2/webhook-deliveries/${encodeURIComponent(id)}/resend`;
  const { text, body } = await connect(io, options).ask({ method: 'POST', path });
  say(io, options.json ? text : `Resent: ${body.event}, delivery ${body.id}`);
}
