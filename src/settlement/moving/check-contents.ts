import { ProjectView } from '../../accounts/projects/present.ts';
import { completeSettings } from '../../accounts/projects/project.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { checkInvariants, type Invariant } from '../../platform/db/invariant.ts';
import { bodyValidator } from '../../platform/http/validate.ts';
import { isSignature, isSolanaAddress } from '../../platform/lib/base58.ts';
import { type Json, parseJson } from '../../platform/lib/json.ts';
import { isTimeZone } from '../../platform/lib/time-zone.ts';
import {
  createOwnTables,
  dropOwnTables,
  findOddDate,
  findOddText,
  listPendingSignatures,
  listSettings,
  listTimeZones,
  listUrls,
  listWatchedOf,
} from './content-queries.ts';
import { type MovedTable, STAYING_TABLES } from './moved-tables.ts';

export interface Contents {
  tables: readonly MovedTable[];
  merchantId: string;
  mint: string;
}

/** Looks at rows that have just been loaded, before anybody can see them. */
export type CheckContents = (tx: Queryable, contents: Contents) => Promise<void>;

/**
 * Refuses values that no service writes and that code which all merchants share would stumble over, and books that are
 * not sound: `invariants` are asked of the merchant's rows alone.
 */
export function contentCheck(invariants: readonly Invariant[]): CheckContents {
  return async (tx, contents) => {
    await checkTexts(tx, contents);
    await checkDates(tx, contents);
    await checkWatched(tx, contents);
    await checkNames(tx, contents);
    await checkSound(tx, contents, invariants);
  };
}

/**
 * Columns that hold addresses and signatures, by their names. A text of exactly 32 or 64 bytes is only checked when
 * it is sent to a node with others.
 */
const ADDRESS =
  /^(destination|destination_address|reference_address|payer_address|payout_address|from_address)$/;
const ADDRESS_TABLES = ['payout_addresses', 'payout_challenges', 'payout_changes', 'refunds'];
const SIGNATURE = /(^|_)signature$/;
const ADDRESS_FORM = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';
const SIGNATURE_FORM = '^[1-9A-HJ-NP-Za-km-z]{64,88}$';

async function checkTexts(tx: Queryable, { tables, merchantId }: Contents): Promise<void> {
  for (const table of tables)
    for (const column of table.columns) {
      const isAddress = ADDRESS.test(column) || (column === 'address' && ADDRESS_TABLES.includes(table.name));
      const form = isAddress ? ADDRESS_FORM : SIGNATURE.test(column) ? SIGNATURE_FORM : undefined;
      if (form && (await findOddText(tx, table, { merchantId, column, form })))
        throw odd(table.name, column, isAddress ? 'no address' : 'no signature');
    }
}

/** Jobs count from dates to now, and from now to dates. */
async function checkDates(tx: Queryable, { tables, merchantId }: Contents): Promise<void> {
  for (const table of tables)
    if (await findOddDate(tx, table, merchantId))
      throw new Error(
        `the export has a date before 2000 or after 2100 in ${table.name}: nothing was imported`,
      );
}

async function checkWatched(tx: Queryable, { merchantId, mint }: Contents): Promise<void> {
  for (const { destination, account, cursorSignature } of await listWatchedOf(tx, merchantId)) {
    if (!isSolanaAddress(destination)) throw odd('watched_accounts', 'destination', 'no address');
    if ((await associatedAccount(destination, mint)) !== account)
      throw odd('watched_accounts', 'account', 'not the account of its address');
    if (cursorSignature !== null && !isSignature(cursorSignature))
      throw odd('watched_accounts', 'cursor_signature', 'no signature');
  }
  for (const signature of await listPendingSignatures(tx, merchantId))
    if (!isSignature(signature)) throw odd('incoming_transfers', 'signature', 'no signature');
}

async function checkNames(tx: Queryable, { merchantId }: Contents): Promise<void> {
  for (const zone of await listTimeZones(tx, merchantId))
    if (!isTimeZone(zone)) throw odd('merchants or webhook_endpoints', 'time zone', 'none that is known');
  for (const url of await listUrls(tx, merchantId))
    if (!URL.canParse(url)) throw odd('merchants or webhook_endpoints', 'url', 'no URL');
  for (const settings of await listSettings(tx, merchantId))
    if (!areSettings(settings)) throw odd('projects', 'settings', 'none that a project has');
}

const validateSettings = bodyValidator(ProjectView.properties.settings);

function areSettings(stored: string): boolean {
  try {
    validateSettings(completeSettings(parseJson(stored) as Record<string, Json>));
    return true;
  } catch {
    return false;
  }
}

function odd(table: string, column: string, what: string): Error {
  return new Error(`the export has a value in ${table} (${column}) that is ${what}: nothing was imported`);
}

/** The invariants name tables without a schema, so they read what comes before those: the merchant's part of each. */
async function checkSound(
  tx: Queryable,
  { tables, merchantId }: Contents,
  invariants: readonly Invariant[],
): Promise<void> {
  const others = Object.keys(STAYING_TABLES).filter((name) => name !== 'installation');
  await createOwnTables(tx, tables, others, merchantId);
  const broken = (await checkInvariants(tx, invariants)).filter(({ violations }) => violations.length > 0);
  await dropOwnTables(tx, [...tables.map(({ name }) => name), ...others]);
  const [first] = broken;
  if (first)
    throw new Error(
      `the merchant’s books are not sound: ${first.says} Broken by ${first.violations.join(', ')} (invariant ${first.name}). Nothing was imported; npx florin doctor --invariants says the same where it came from`,
    );
}
