import { createInterface } from 'node:readline/promises';
import { COMMAND } from '../../config/command-name.ts';
import { type GivenUp, giveUpMissingKeys } from '../../operations/secret-keys/give-up.ts';
import { countServing, listMerchantsWithUnopened } from '../../operations/secret-keys/queries.ts';
import { missingKeyIds, readSealed, type SealedColumn } from '../../operations/secret-keys/read-sealed.ts';
import { withRotationLock } from '../../operations/secret-keys/rotation-lock.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { type CommandContext, CommandFailed } from './context.ts';

const BATCH_SIZE = 100;

interface GiveUpOptions {
  new?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Says what is lost with a key that nobody has; with `--new`, once a person has said so, replaces it. */
export async function giveUpSecretKeyCommand(context: CommandContext, options: GiveUpOptions): Promise<void> {
  const { db, secrets } = context;
  const known = secrets.keyIds();
  const sealed = await readSealed(db);
  const keyIds = missingKeyIds(sealed, known);
  if (keyIds.length === 0)
    throw new CommandFailed(`no key is lost: ${known.join(', ')} opens everything. Nothing was changed.`);
  const lost = sealed.filter(({ keyId }) => keyId !== null && keyIds.includes(keyId));
  const said = describeLost(lost, keyIds, known[0]!);
  if (!options.new)
    return context.print(
      { lostKeyIds: keyIds, currentKeyId: known[0], lost },
      `${said}\n\nNothing was changed. If the key is in a backup of the machine, a password manager or another server, use it ` +
        `(FLORIN_SECRET_KEYS_OLD, or a line of secret.key). If nobody has it: ${COMMAND} secret-key give-up --new`,
    );
  await refuseServed(context);
  context.say(said);
  await confirm(options, keyIds);
  await withRotationLock(db, async () => report(context, keyIds, await giveUp(context)));
}

const MEANS: Readonly<Record<string, string>> = {
  'installation.sealed_check': 'the mark by which a service knows its key: sealed again',
  'merchants.webhook_secret':
    'webhook secrets: replaced, and receivers refuse events until they know the new ones',
  'merchants.previous_webhook_secret': 'webhook secrets that were replaced less than a day ago: forgotten',
  'webhook_endpoints.secret':
    'secrets of further webhook endpoints: replaced; addresses of notifications: removed, to be added again',
  'webhook_endpoints.previous_secret': 'endpoint secrets that were replaced less than a day ago: forgotten',
  'emails.sealed_link': 'e-mails with a link that were still to be sent: not sent',
};

function describeLost(lost: readonly SealedColumn[], keyIds: readonly string[], current: string): string {
  const lines = lost.map(
    ({ column, values }) => `  ${String(values).padStart(6)}  ${MEANS[column] ?? column}`,
  );
  return [
    `The current key is ${current}. Nobody can open what ${keyIds.join(', ')} sealed:`,
    ...lines,
    'Also no longer valid: credit tokens (the next payment brings a new one), links of free trials in e-mails, offers to',
    'programs and previews of plan changes that were given out. API keys, passwords, passkeys, sessions, links of the portal,',
    'money and books do not depend on the key.',
  ].join('\n');
}

/** A service that is running has the key: then nothing is lost. */
async function refuseServed({ db }: CommandContext): Promise<void> {
  const count = await countServing(db);
  if (count === 0) return;
  throw new CommandFailed(
    `a service is connected to this database (${count} connections), and may have the key: stop every process of it first. Nothing was changed.`,
  );
}

async function confirm({ yes, json }: GiveUpOptions, keyIds: readonly string[]): Promise<void> {
  if (yes) return;
  const [id] = keyIds;
  if (json || !process.stdin.isTTY)
    throw new CommandFailed(
      'cannot ask for confirmation without a terminal: add --yes. Nothing was changed.',
    );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`This cannot be undone. Type ${id} to give it up: `);
    if (answer.trim() !== id) throw new CommandFailed('nothing was changed');
  } finally {
    lines.close();
  }
}

async function giveUp({ db, secrets, config, say }: CommandContext): Promise<GivenUp> {
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // Other commands write no e-mails, but here somebody else must act.
  db.queuesEmails = config.SMTP_URL !== undefined;
  return giveUpMissingKeys(db, secrets, {
    ...{ now: realNow(), batchSize: BATCH_SIZE },
    isStopped: () => isStopped,
    onProgress: (merchants) => void (merchants % BATCH_SIZE === 0 && say(`  ${merchants} merchants`)),
  });
}

async function report(context: CommandContext, keyIds: readonly string[], done: GivenUp): Promise<void> {
  const left = (await listMerchantsWithUnopened(context.db, context.secrets.keyIds(), BATCH_SIZE)).length;
  const isDone = left === 0;
  if (!isDone) process.exitCode = 1;
  context.print(
    { givenUpKeyIds: keyIds, currentKeyId: context.secrets.keyIds()[0], isDone, ...done },
    [
      `${done.merchants} merchants: ${done.webhookSecrets} webhook secrets replaced, ${done.notifications} notifications removed, ${done.emails} e-mails not sent.`,
      isDone
        ? 'Start the service. Each owner generates a new secret in the dashboard for every webhook, and gives it to the server that receives it.'
        : 'It was stopped. Run the same command to continue.',
    ].join('\n'),
  );
}
