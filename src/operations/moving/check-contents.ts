import { SellerBody } from '../../accounts/parties/party-schema.ts';
import { KNOWN_ADDRESSES } from '../../accounts/payouts/payout-address.ts';
import { ProjectView } from '../../accounts/projects/present.ts';
import { completeSettings } from '../../accounts/projects/project.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { parseRange } from '../../platform/access/allowed-addresses.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { checkInvariants, type Invariant } from '../../platform/db/invariant.ts';
import { bodyValidator } from '../../platform/http/validate.ts';
import { isSignature, isSolanaAddress } from '../../platform/lib/base58.ts';
import { type Json, parseJson } from '../../platform/lib/json.ts';
import { isTimeZone } from '../../platform/lib/time-zone.ts';
import { type Contents, checkIds, checkValues, oddValue } from './check-values.ts';
import {
  createOwnTables,
  dropOwnTables,
  findForeignReference,
  isMiscounted,
  listLookedFor,
  listPendingSignatures,
  listRanges,
  listSellers,
  listSettings,
  listTimeZones,
  listUrls,
  listWatchedOf,
} from './content-queries.ts';
import { STAYING_TABLES } from './moved-tables.ts';
import { findLastOrdinal } from './queries.ts';

/** Looks at rows that have just been loaded, before anybody can see them. */
export type CheckContents = (tx: Queryable, contents: Contents) => Promise<void>;

/**
 * Refuses values that no service writes and that code which all merchants share would stumble over, and books that are
 * not sound: `invariants` are asked of the merchant's rows alone.
 */
export function contentCheck(invariants: readonly Invariant[]): CheckContents {
  return async (tx, contents) => {
    await checkIds(tx, contents);
    await checkValues(tx, contents);
    await checkWatched(tx, contents);
    await checkCounter(tx, contents);
    await checkNames(tx, contents);
    await checkSound(tx, contents, invariants);
  };
}

async function checkWatched(tx: Queryable, { merchantId, mint }: Contents): Promise<void> {
  for (const { destination, account, cursorSignature } of await listWatchedOf(tx, merchantId)) {
    if (!isSolanaAddress(destination)) throw oddValue('watched_accounts', 'destination', 'no address');
    if ((await associatedAccount(destination, mint)) !== account)
      throw oddValue('watched_accounts', 'account', 'not the account of its address');
    if (cursorSignature !== null && !isSignature(cursorSignature))
      throw oddValue('watched_accounts', 'cursor_signature', 'no signature');
  }
  for (const reference of await listLookedFor(tx, merchantId))
    if (!isSolanaAddress(reference))
      throw oddValue('payment_intents or refunds', 'reference_address', 'no address');
  if ((await findForeignReference(tx, merchantId, [mint, ...KNOWN_ADDRESSES])) !== undefined)
    throw oddValue('payment_intents or refunds', 'reference_address', 'the address of somebody or something');
  for (const signature of await listPendingSignatures(tx, merchantId))
    if (!isSignature(signature)) throw oddValue('incoming_transfers', 'signature', 'no signature');
}

/** Events of all merchants are numbered together. */
async function checkCounter(tx: Queryable, { merchantId }: Contents): Promise<void> {
  if (await isMiscounted(tx, merchantId, await findLastOrdinal(tx)))
    throw new Error('the export does not count the merchant’s events as they are: nothing was imported');
}

async function checkNames(tx: Queryable, { merchantId }: Contents): Promise<void> {
  for (const zone of await listTimeZones(tx, merchantId))
    if (!isTimeZone(zone))
      throw oddValue('merchants or webhook_endpoints', 'time zone', 'none that is known');
  for (const url of await listUrls(tx, merchantId))
    if (!URL.canParse(url)) throw oddValue('merchants or webhook_endpoints', 'url', 'no URL');
  for (const settings of await listSettings(tx, merchantId))
    if (!areSettings(settings)) throw oddValue('projects', 'settings', 'none that a project has');
  for (const seller of await listSellers(tx, merchantId))
    if (!isSeller(seller)) throw oddValue('projects', 'seller', 'none that a project has');
  for (const range of await listRanges(tx, merchantId))
    if (!parseRange(range)) throw oddValue('api_keys', 'allowed_addresses', 'no IP address');
}

const validateSeller = bodyValidator(SellerBody);

function isSeller(stored: string): boolean {
  try {
    validateSeller(parseJson(stored));
    return true;
  } catch {
    return false;
  }
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
