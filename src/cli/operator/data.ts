import { listClosed } from '../../accounts/merchants/closing-queries.ts';
import { createMerchant } from '../../accounts/merchants/create-merchant.ts';
import { parseVerificationStatus, VERIFICATION_STATUSES } from '../../accounts/merchants/merchant.ts';
import { moveStateOf } from '../../accounts/merchants/move-state.ts';
import { listMerchants } from '../../accounts/merchants/queries.ts';
import { setVerificationStatus } from '../../accounts/merchants/verification.ts';
import { inspectAddress } from '../../accounts/payouts/inspect-address.ts';
import { createRpc } from '../../chain/solana/rpc.ts';
import { COMMAND } from '../../config/command-name.ts';
import { type Config, markFileOf } from '../../config/config.ts';
import { examine } from '../../operations/doctor/doctor.ts';
import { generateKey } from '../../platform/access/generate-key.ts';
import { SCOPES, type Scope } from '../../platform/access/key.ts';
import { presentGeneratedKey, presentKey } from '../../platform/access/present.ts';
import { findKeyAnywhere, listKeys } from '../../platform/access/queries.ts';
import { revokeKey } from '../../platform/access/revoke-key.ts';
import { readWentBack, startLineage } from '../../platform/db/high-water-mark.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { type CommandContext, CommandFailed, chooseMerchant } from './context.ts';
import { operatorsLink } from './members.ts';
import { watchHealth } from './watch-health.ts';

const ACTOR = 'operator';

/** Recorded data counts as it is from now on: processes compare nothing with what they saw before. */
export async function acceptDatabaseCommand({ db, config, print }: CommandContext): Promise<void> {
  const wentBack = await readWentBack(db, markFileOf(config));
  await startLineage(db, markFileOf(config));
  print(
    { accepted: true, wentBack: wentBack ?? null },
    wentBack === undefined
      ? 'Nothing was wrong with the database. It counts as it is.'
      : `The database counts as it is. Every process is ready again within seconds.\nInvoices get the numbers after those that “${COMMAND} numbers” lists.`,
  );
}

export interface CreateMerchantOptions {
  name: string;
  payoutAddress?: string;
}

export async function createMerchantCommand(
  { db, config, secrets, print }: CommandContext,
  options: CreateMerchantOptions,
): Promise<void> {
  const { environment } = config;
  const payoutAddress = options.payoutAddress ?? null;
  if (payoutAddress !== null) {
    await inspectAddress(createRpc({ urls: config.SOLANA_RPC_URLS }), payoutAddress);
  }
  const input = { name: options.name, payoutAddress, environment, now: realNow() };
  const { merchant, key, webhookSecret, setup } = await db.transaction(async (tx) => {
    const created = await createMerchant(tx, secrets, input);
    return { ...created, setup: await operatorsLink(tx, { config }, created.merchant.id) };
  });
  const { id, name } = merchant;
  print(
    { id, merchantId: id, name, payoutAddress, apiKey: key.raw, webhookSecret, setupUrl: setup.url },
    [
      `Merchant        ${id}`,
      `API key         ${key.raw}`,
      `Webhook secret  ${webhookSecret}`,
      `Dashboard       ${setup.url}`,
      '',
      'The API key is shown only once. The link sets up the first owner; it works once and expires in 24 hours.',
    ].join('\n'),
  );
}

const OPEN = { closedAt: null, movedTo: null };

export async function listMerchantsCommand({ db, print }: CommandContext): Promise<void> {
  const closed = new Map((await listClosed(db)).map((closing) => [closing.merchantId, closing]));
  const merchants = (await listMerchants(db)).map(
    ({ id, name, payoutAddress, verificationStatus, createdAt }) => ({
      ...{ id, name, payoutAddress, verificationStatus, createdAt },
      state: moveStateOf(closed.get(id) ?? OPEN),
      movedTo: closed.get(id)?.movedTo ?? null,
    }),
  );
  const lines = merchants.map(
    ({ id, name, payoutAddress, verificationStatus, state, movedTo }) =>
      `${id}  ${VERIFICATION_STATUSES[verificationStatus]}  ${payoutAddress ?? '(no payout address)'}  ${name}${state === 'open' ? '' : `  (${state}${movedTo ? ` to ${movedTo}` : ''})`}`,
  );
  print(
    { merchants },
    lines.join('\n') ||
      `There are no merchants yet. Create one: ${COMMAND} merchants create --name "My shop"`,
  );
}

export async function verifyMerchantCommand(
  context: CommandContext,
  given: string,
  options: { status: string },
): Promise<void> {
  const verificationStatus = parseVerificationStatus(options.status);
  const merchantId = await chooseMerchant(context, given);
  const change = { merchantId, actor: ACTOR, now: realNow() };
  await context.db.transaction((tx) => setVerificationStatus(tx, change, verificationStatus));
  const status = VERIFICATION_STATUSES[verificationStatus]!;
  context.print({ merchantId, verificationStatus, status }, `The merchant is ${status}.`);
}

export interface CreateKeyOptions {
  merchant?: string;
  name?: string;
  scopes?: string;
  allowedAddresses?: string;
  expiresAt?: string;
}

export async function createKeyCommand(context: CommandContext, options: CreateKeyOptions): Promise<void> {
  const { db, config, print } = context;
  const merchantId = await chooseMerchant(context, options.merchant);
  const scopes = options.scopes?.split(',').map((scope) => scope.trim() as Scope);
  const unknown = scopes?.find((scope) => !SCOPES.includes(scope));
  if (unknown !== undefined)
    throw new CommandFailed(`there is no scope "${unknown}"; there are ${SCOPES.join(', ')}`);
  const expiresAt = options.expiresAt ? new Date(options.expiresAt) : null;
  if (expiresAt && Number.isNaN(expiresAt.getTime()))
    throw new CommandFailed('--expires-at must be an ISO 8601 time, such as 2026-01-31T12:00:00Z');
  const key = await db.transaction((tx) =>
    generateKey(tx, {
      merchantId,
      actor: ACTOR,
      environment: config.environment,
      name: options.name,
      scopes,
      allowedAddresses: options.allowedAddresses?.split(',').map((text) => text.trim()),
      expiresAt,
      ceiling: { scopes: SCOPES, expiresAt: null },
      now: realNow(),
    }),
  );
  print(presentGeneratedKey(key, config.environment), `API key  ${key.raw}\n\nIt is shown only once.`);
}

export async function listKeysCommand(
  context: CommandContext,
  options: { merchant?: string },
): Promise<void> {
  const merchantId = await chooseMerchant(context, options.merchant);
  const keys = (await listKeys(context.db, merchantId)).map((key) =>
    presentKey(key, context.config.environment),
  );
  const lines = keys.map(
    (key) =>
      `${key.id}  ${key.prefix}…  ${key.revokedAt ? 'revoked' : 'active '}  ${key.scopes.join(',')}  ${key.allowedAddresses?.join(',') ?? 'anywhere'}  ${key.name ?? ''}`,
  );
  context.print({ keys }, lines.join('\n') || 'There are no keys.');
}

export async function revokeKeyCommand({ db, print }: CommandContext, keyId: string): Promise<void> {
  const key = isUuid(keyId) ? await findKeyAnywhere(db, keyId) : undefined;
  if (!key) throw new CommandFailed(`there is no API key ${keyId}`);
  await db.transaction((tx) =>
    revokeKey(tx, { merchantId: key.merchantId, keyId: key.id, actor: ACTOR, now: realNow() }),
  );
  print({ id: key.id, revoked: true }, `Revoked ${key.prefix}…`);
}

export async function doctorCommand(
  context: CommandContext,
  options: { invariants?: boolean },
): Promise<void> {
  const { config, db, secrets, print, say } = context;
  const findings = await examine({
    config,
    db,
    secrets,
    onlyInvariants: options.invariants ?? false,
    onFinding: ({ ok, check, detail }) => say(`${ok ? '✓' : '✗'} ${check}: ${detail}`),
  });
  const ok = findings.every((finding) => finding.ok);
  print({ ok, findings }, ok ? 'All checks passed.' : 'Some checks failed.');
  if (!ok) process.exitCode = 1;
}

export interface WatchDoctorOptions {
  /** Seconds. */
  watch: number | true;
  invariants?: boolean;
  json?: boolean;
}

export async function watchDoctorCommand(config: Config, options: WatchDoctorOptions): Promise<void> {
  const seconds = options.watch === true ? DEFAULT_WATCH_SECONDS : options.watch;
  const ok = await watchHealth(config, {
    everyMs: seconds * 1000,
    onlyInvariants: options.invariants ?? false,
    json: options.json ?? false,
  });
  if (!ok) process.exitCode = 1;
}

const DEFAULT_WATCH_SECONDS = 60;
