import { memberInvariants } from '../../accounts/members/invariants.ts';
import { payoutInvariants } from '../../accounts/payouts/invariants.ts';
import { projectInvariants } from '../../accounts/projects/invariants.ts';
import { sessionInvariants } from '../../billing/checkout-sessions/invariants.ts';
import { discountInvariants } from '../../billing/discounts/invariants.ts';
import { invoiceInvariants } from '../../billing/invoices/invariants.ts';
import { ledgerInvariants } from '../../billing/ledger/invariants.ts';
import { linkInvariants } from '../../billing/payment-links/invariants.ts';
import { subscriptionInvariants } from '../../billing/subscriptions/invariants.ts';
import { usageInvariants } from '../../billing/usage/invariants.ts';
import { createRpc } from '../../chain/solana/rpc.ts';
import { COMMAND } from '../../config/command-name.ts';
import { type Config, markFileOf, mintOf } from '../../config/config.ts';
import { tillInvariants } from '../../counter/sales/invariants.ts';
import { mailInvariants } from '../../email/invariants.ts';
import { intentInvariants } from '../../intents/invariants.ts';
import { refundInvariants } from '../../payments/refunds/invariants.ts';
import { reservationInvariants } from '../../payments/reserved-amounts/invariants.ts';
import { sponsorInvariants } from '../../payments/sponsor/invariants.ts';
import { settlementInvariants } from '../../payments/transfers/invariants.ts';
import { auditInvariants } from '../../platform/audit/invariants.ts';
import { readConnectionSecurity } from '../../platform/db/connection-security.ts';
import type { Database } from '../../platform/db/database.ts';
import { readWentBack } from '../../platform/db/high-water-mark.ts';
import { checkInstallation } from '../../platform/db/installation.ts';
import { checkInvariants, type Invariant, schemaInvariants } from '../../platform/db/invariant.ts';
import { readSchemaState, type SchemaState } from '../../platform/db/schema-state.ts';
import { idempotencyInvariants } from '../../platform/idempotency/invariants.ts';
import { machineMs } from '../../platform/lib/clock.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { revenueInvariants } from '../../reports/overview/invariants.ts';
import { webhookInvariants } from '../../webhooks/invariants.ts';
import { countOthers, describeSealed, missingKeyIds, readSealed } from '../secret-keys/read-sealed.ts';
import {
  examineAccounts,
  examineDueWork,
  examineErasures,
  examineMoves,
  examinePayoutChanges,
  examineRenewals,
  examineSweeps,
} from './examine-accounts.ts';
import { examineDisagreements, examineNodes, examineSponsor } from './examine-nodes.ts';
import { examinePayoutWallets } from './examine-payout-wallets.ts';
import { examineProcesses } from './examine-processes.ts';
import {
  examineBackups,
  examineCollector,
  examineDurability,
  examineLeftProofs,
  examineMail,
  examineProxy,
  examinePublicUrl,
} from './examine-settings.ts';
import { noteConnection } from './note-connection.ts';

export interface Finding {
  check: string;
  ok: boolean;
  detail: string;
}

export interface DoctorParts {
  config: Config;
  db: Database;
  secrets: SecretBox;
  onlyInvariants: boolean;
  /** They read every table, which is too much for a look every minute. */
  withoutInvariants?: boolean;
  onFinding(finding: Finding): void;
}

/** Every invariant of the database, of all folders. */
export const invariants: readonly Invariant[] = [
  ...schemaInvariants,
  ...idempotencyInvariants,
  ...auditInvariants,
  ...intentInvariants,
  ...tillInvariants,
  ...payoutInvariants,
  ...projectInvariants,
  ...ledgerInvariants,
  ...invoiceInvariants,
  ...discountInvariants,
  ...subscriptionInvariants,
  ...sessionInvariants,
  ...linkInvariants,
  ...usageInvariants,
  ...settlementInvariants,
  ...reservationInvariants,
  ...refundInvariants,
  ...revenueInvariants,
  ...sponsorInvariants,
  ...webhookInvariants,
  ...mailInvariants,
  ...memberInvariants,
];

/** Looks at everything that must be right before and while the service runs. Changes nothing. */
export async function examine(parts: DoctorParts): Promise<Finding[]> {
  const findings: Finding[] = [];
  const note = (check: string, ok: boolean, detail: string) => {
    findings.push({ check, ok, detail });
    parts.onFinding({ check, ok, detail });
  };
  if (!parts.onlyInvariants) await examineSurroundings(parts, note);
  if (parts.withoutInvariants) return findings;
  const { pending, problem } = await readSchemaState(parts.db);
  if (pending > 0 || problem) {
    note(
      'invariants',
      false,
      problem ? 'not checked: the schema does not fit' : 'not checked: the schema is not up to date',
    );
    return findings;
  }
  for (const { name, says, violations } of await checkInvariants(parts.db, invariants)) {
    const ok = violations.length === 0;
    note(`invariant ${name}`, ok, ok ? says : `broken by ${violations.join(', ')}. ${says}`);
  }
  return findings;
}

type Note = (check: string, ok: boolean, detail: string) => void;

async function examineSurroundings({ config, db, secrets }: DoctorParts, note: Note): Promise<void> {
  note(
    'settings',
    config.misnamed.length === 0,
    [`network ${config.FLORIN_NETWORK}, roles ${config.FLORIN_ROLES.join(',')}`, ...config.misnamed].join(
      '; ',
    ),
  );
  examinePublicUrl(config, note);
  examineProxy(config, note);
  const major = Number(process.versions.node.split('.')[0]);
  note('node', major >= 24, `${process.version}, 24 or newer is needed`);
  const [server] = await db.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::integer as number`,
  );
  note('database', server!.number >= 150_000, `PostgreSQL ${server!.version}, 15 or newer is needed`);
  noteConnection(await readConnectionSecurity(db), note);
  await examineProcesses(db, config, note);
  await examineDurability(db, config, note);
  await examineClock(db, note);
  await examineMail(config, note);
  await examineCollector(config, note);
  const schema = await readSchemaState(db);
  note('schema', schema.pending === 0 && !schema.problem, schemaText(schema));
  if (schema.pending > 0 || schema.problem) return;
  await examineInstallation({ config, db, secrets }, note);
  const wentBack = await readWentBack(db, markFileOf(config));
  note('history', wentBack === undefined, wentBack ?? 'the database has kept everything it acknowledged');
  await examineBackups(config, db, note);
  await examineAccounts(db, note);
  await examineSweeps(db, config.WATCH_POLL_MS, note);
  await examinePayoutChanges(db, note);
  await examineErasures(db, note);
  await examineRenewals(db, note);
  await examineLeftProofs(note);
  await examineDueWork(db, note);
  await examineMoves(db, note);
  await examineSecretKeys({ db, secrets }, note);
  await examineNodes(config, note);
  const { SOLANA_RPC_URLS: urls, FLORIN_NETWORK: network } = config;
  // Nobody pays test money with an app that could refuse.
  if (urls.length > 0 && network !== 'sandbox')
    await examinePayoutWallets({ db, rpc: createRpc({ urls }), mint: mintOf(config) }, note);
  await examineSponsor(config, note);
  await examineDisagreements(db, note);
}

function schemaText({ pending, beyond, problem }: SchemaState): string {
  if (problem) return problem;
  if (pending > 0) return `${pending} migrations to apply: ${COMMAND} migrate`;
  return beyond > 0
    ? `newer than this release by ${beyond} migrations, which suit it: upgrade this process too`
    : 'up to date';
}

const MAX_SKEW_MS = 2_000;

async function examineClock(db: Database, note: Note): Promise<void> {
  const before = machineMs();
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now');
  const after = machineMs();
  const skewMs = Math.round(row!.now.getTime() - (before + after) / 2);
  note(
    'clock',
    Math.abs(skewMs) <= MAX_SKEW_MS,
    `this machine and the database differ by ${Math.abs(skewMs)} ms`,
  );
}

async function examineInstallation(
  parts: Pick<DoctorParts, 'config' | 'db' | 'secrets'>,
  note: Note,
): Promise<void> {
  try {
    await checkInstallation(parts.db, parts.config.FLORIN_NETWORK, parts.secrets);
    note('installation', true, 'network and secret key fit the database');
  } catch (error) {
    note('installation', false, (error as Error).message);
  }
}

async function examineSecretKeys({ db, secrets }: Pick<DoctorParts, 'db' | 'secrets'>, note: Note) {
  const sealed = await readSealed(db);
  const known = secrets.keyIds();
  const missing = missingKeyIds(sealed, known);
  const facts = describeSealed(sealed, known);
  if (missing.length > 0) {
    note('secret key', false, `${facts}. Secrets sealed with ${missing.join(', ')} cannot be opened`);
    return;
  }
  const others = countOthers(sealed, known[0]!);
  note('secret key', true, others === 0 ? facts : `${facts}. To end this: ${COMMAND} secret-key rotate`);
}
