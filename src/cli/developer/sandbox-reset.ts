import { createInterface } from 'node:readline/promises';
import { connect } from './connection.ts';
import { runCommand } from './explain.ts';
import type { Given } from './flag-values.ts';
import { type Io, Refusal, UsageError } from './io.ts';
import type { Extension } from './resources.ts';
import { askSandbox } from './sandbox-commands.ts';

/** `florin sandbox reset`: says what goes, and asks. */
export function resetExtension(io: Io): Extension {
  return (command, usual) =>
    command.option('--yes', 'do not ask for confirmation').action(async (options: Given) => {
      await runCommand(io, Boolean(options.json), async () => {
        const confirmMerchantId = options.confirmMerchantId ?? (await confirm(io, options));
        const { yes: _, ...rest } = options;
        await usual({ ...rest, confirmMerchantId });
      });
    });
}

/** Exit code that shells use for an interrupted command. */
const INTERRUPTED = 130;

/** The id of the merchant whose data goes, once a person has said so. */
async function confirm(io: Io, options: Given): Promise<string> {
  const client = connect(io, options);
  // Asked first: a server that is none must not ask whether to delete.
  await askSandbox(client, { method: 'GET', path: '/api/v2/sandbox/clock' });
  const { body } = await client.ask({ method: 'GET', path: '/api/b2b/merchants/me' });
  if (options.yes) return body.id;
  if (!io.stdin.isTTY)
    throw new UsageError(
      'cannot ask for confirmation without a terminal; add --yes to delete all data of this sandbox',
    );
  const catalog =
    String(options.keepCatalog) === 'true' ? '' : ', products, prices, payment links and terminals';
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  lines.once('SIGINT', () => process.exit(INTERRUPTED));
  const name = body.name ?? body.id;
  const answer = await lines.question(
    `Delete all payments, customers, invoices, subscriptions, events${catalog} of ${name} at ${client.url}? Type reset to confirm: `,
  );
  lines.close();
  if (answer.trim() !== 'reset') throw new Refusal('nothing was deleted');
  return body.id;
}
