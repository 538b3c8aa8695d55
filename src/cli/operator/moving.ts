import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { awaitQuiet } from '../../accounts/merchants/await-quiet.ts';
import {
  type Closed,
  closeMerchant,
  forwardMerchant,
  requireStillClosed,
  tryBetweenExports,
} from '../../accounts/merchants/close-merchant.ts';
import { listClosed } from '../../accounts/merchants/closing-queries.ts';
import { COMMAND } from '../../config/command-name.ts';
import { mintOf } from '../../config/config.ts';
import { publicUrlOf } from '../../config/public-url.ts';
import { invariants } from '../../operations/doctor/doctor.ts';
import { contentCheck } from '../../operations/moving/check-contents.ts';
import type { MoveSummary } from '../../operations/moving/export-file.ts';
import { exportMerchant } from '../../operations/moving/export-merchant.ts';
import { findMoveProblem } from '../../operations/moving/find-move-problem.ts';
import { FRESH_MS } from '../../operations/moving/forward-callers.ts';
import { importMerchant } from '../../operations/moving/import-merchant.ts';
import { openAfterFailure, openAgain } from '../../operations/moving/open-again.ts';
import type { Progress } from '../../operations/table-file/format.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { writeWholeFile } from '../../platform/lib/write-whole-file.ts';
import { chooseEncryption, type EncryptOptions, openBackup, type UnlockOptions } from './backup.ts';
import { type CommandContext, CommandFailed, chooseMerchant } from './context.ts';
import { untilInterrupted } from './interruption.ts';

const ACTOR = 'operator';

export interface ExportOptions extends EncryptOptions {
  out?: string;
  force?: boolean;
  json?: boolean;
}

/**
 * Closes the merchant here, and writes all of it to a file. If anything fails, what this command closed is open again;
 * a file with the final name is always complete.
 */
export async function exportMerchantCommand(
  context: CommandContext,
  given: string,
  options: ExportOptions,
): Promise<void> {
  const encrypt = await chooseEncryption(options);
  if (!encrypt)
    throw new CommandFailed(
      'an export holds the merchant’s secrets and customers, so it is always encrypted: give --recipient <key> or --passphrase-file <file>',
    );
  const { config, db, secrets } = context;
  const merchantId = await chooseMerchant(context, given);
  const file = options.out ?? `${merchantId}.florin-merchant`;
  if (!options.force && existsSync(file))
    throw new CommandFailed(`${file} already exists; choose another name, or replace it with --force`);
  // Somebody who ends the command has changed their mind, and must not be left with a closed merchant.
  const interruption = untilInterrupted('interrupted');
  const write = async (name: string | null, output: Writable) => {
    // By then every request that a process let in before it knew has begun to write: not every change leaves an
    // event.
    await sleep(2 * FRESH_MS);
    await awaitQuiet(db);
    const { FLORIN_NETWORK: network } = config;
    return exportMerchant(
      {
        ...{ db, secrets, encrypt, network, mint: mintOf(config), publicUrl: publicUrlOf(config) },
        merchant: { id: merchantId, name },
        now: realNow(),
        onProgress: progress(options),
      },
      output,
    );
  };
  const exporting = { file, merchantId, interruption, write, isReplacing: options.force };
  const work = () => closeAndExport(context, exporting);
  await betweenExports(context, merchantId, work).finally(interruption.stop);
}

interface Exporting {
  file: string;
  merchantId: string;
  interruption: ReturnType<typeof untilInterrupted>;
  isReplacing: boolean | undefined;
  write(name: string | null, output: Writable): Promise<MoveSummary>;
}

/** Only what it has closed itself it opens again, where it fails. */
async function closeAndExport(
  { db, print }: CommandContext,
  { file, merchantId, interruption, isReplacing, write }: Exporting,
): Promise<void> {
  const change = () => ({ merchantId, actor: ACTOR, now: realNow() });
  let closed: Closed | undefined;
  let hasName = false;
  const fill = async (output: Writable) => {
    closed = await db.transaction((tx) => closeMerchant(tx, change()));
    return Promise.race([write(closed.merchant.name, output), interruption.whenInterrupted]);
  };
  const naming = (name: () => Promise<void>) =>
    db.transaction(async (tx) => {
      await requireStillClosed(tx, merchantId, closed!.closedAt);
      await name();
      hasName = true;
    });
  try {
    const summary = await writeWholeFile(file, fill, { isReplacing, naming });
    print(
      { file, ...summary },
      `Exported ${summary.rows} rows of ${summary.tables} tables to ${file}.\nThe merchant is closed here. Next: ${COMMAND} merchants import ${file} at its new installation, then here\n${COMMAND} merchants forward ${merchantId} --to <its new address>. To stay instead: ${COMMAND} merchants reopen ${merchantId}`,
    );
  } catch (error) {
    // The export of a merchant that is open again would be one too many.
    if (hasName) await rm(file, { force: true });
    const since = closed?.isNew ? closed.closedAt : undefined;
    const isOpenAgain = since && (await db.transaction((tx) => openAfterFailure(tx, change(), since)));
    if (error !== interruption.signal.reason) throw error;
    const state = isOpenAgain ? 'open' : 'closed';
    throw new CommandFailed(`interrupted: the merchant is ${state} as it was before`);
  }
}

/** One that opened the merchant in the middle of an export would leave a file that is not all of it. */
async function betweenExports({ db }: CommandContext, merchantId: string, work: () => Promise<void>) {
  if (!(await tryBetweenExports(db, merchantId, work)))
    throw new CommandFailed(
      'the merchant is being exported by another command: wait until it is done, or end it first',
    );
}

export async function importMerchantCommand(
  { config, db, secrets, print }: CommandContext,
  file: string,
  options: UnlockOptions & { json?: boolean },
): Promise<void> {
  const { FLORIN_NETWORK: network } = config;
  const place = { network, mint: mintOf(config), publicUrl: publicUrlOf(config) };
  const checkContents = contentCheck(invariants);
  const parts = { db, secrets, ...place, now: realNow(), onProgress: progress(options), checkContents };
  const summary = await importMerchant(parts, await openBackup(file, options));
  print(
    { file, ...summary },
    `Imported ${summary.name ?? summary.merchantId}: ${summary.rows} rows of ${summary.tables} tables. It is open here.\nNext, where it came from: ${COMMAND} merchants forward ${summary.merchantId} --to ${place.publicUrl}`,
  );
}

export async function forwardMerchantCommand(
  context: CommandContext,
  given: string,
  options: { to: string; force?: boolean },
): Promise<void> {
  const merchantId = await chooseMerchant(context, given);
  const movedTo = addressOf(options.to);
  if (isSamePlace(movedTo, publicUrlOf(context.config)))
    throw new CommandFailed(
      `${movedTo} is the address of this installation: it would send everybody to itself`,
    );
  const isClosed = (await listClosed(context.db)).some((closing) => closing.merchantId === merchantId);
  if (isClosed && !options.force) await requireOpenAt(movedTo, merchantId);
  const change = { merchantId, actor: ACTOR, now: realNow() };
  await context.db.transaction((tx) => forwardMerchant(tx, change, movedTo));
  context.print({ merchantId, movedTo }, `Callers of this merchant are sent to ${movedTo} from now on.`);
}

/** Anyone who is sent to a place that the merchant is not at finds it nowhere. */
async function requireOpenAt(address: string, merchantId: string): Promise<void> {
  const problem = await findMoveProblem(address, merchantId);
  if (problem !== undefined)
    throw new CommandFailed(
      `${problem}. Nobody is sent there yet; if you know that the merchant is open there, repeat with --force`,
    );
}

export async function reopenMerchantCommand(
  context: CommandContext,
  given: string,
  { force = false }: { force?: boolean },
): Promise<void> {
  const merchantId = await chooseMerchant(context, given);
  const change = { merchantId, actor: ACTOR, now: realNow() };
  await betweenExports(context, merchantId, () =>
    context.db.transaction((tx) => openAgain(tx, change, force)),
  );
  context.print(
    { merchantId, reopened: true },
    'The merchant is open here again. Delete its export: imported now, it would be open at two places, and both would count its payments.',
  );
}

/** Checks an address as PUBLIC_URL has it: an origin, without a path. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  if (!isOrigin || !/^https?:$/.test(url.protocol))
    throw new CommandFailed(
      '--to must be the new installation’s PUBLIC_URL, such as https://pay.example.com',
    );
  return url.origin;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function isSamePlace(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return (
    a.origin === b.origin || (a.port === b.port && LOOPBACK.test(a.hostname) && LOOPBACK.test(b.hostname))
  );
}

/** Reports progress on stderr, so that stdout holds the result alone. */
function progress({ json }: { json?: boolean }) {
  return ({ table, rows }: Progress) =>
    void (json || rows === 0 || process.stderr.write(`  ${table}: ${rows} rows\n`));
}
