import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { SEALED_TABLES } from '../secret-keys/sealed-tables.ts';
import type { ExportHeader } from './export-file.ts';
import { bytesOf, type Mapping, textOfBytes } from './map-columns.ts';
import type { MovedTable } from './moved-tables.ts';

export interface Incoming {
  header: ExportHeader;
  secrets: SecretBox;
  /** Base URL of the merchant's pages from now on. */
  publicUrl: string;
  /** Number added to the number of each event. */
  ordinalsBefore: bigint;
}

/** Columns that count events, and addresses of pages that we made. */
const ORDINALS: Readonly<Record<string, string>> = {
  events: 'ordinal',
  undispatched_events: 'ordinal',
  webhook_deliveries: 'ordinal',
  webhook_endpoints: 'settled_through',
};
const PAGES: Readonly<Record<string, string>> = {
  checkout_sessions: 'checkout_url',
  invoices: 'checkout_url',
};

/**
 * Maps the columns of each table on their way in. Rows of other merchants are already refused here only to fail
 * early: the database checks whose rows they are before any is taken.
 */
export function incomingColumns({ header, secrets, publicUrl, ordinalsBefore }: Incoming) {
  const watched = new Set<string>();
  const own: Mapping = (id) => {
    if (id !== header.merchant.id) throw new Error('the export holds rows of another merchant');
    return id;
  };
  const noteWatched: Mapping = (destination) => {
    watched.add(destination);
    return destination;
  };
  const ownAddress: Mapping = (destination) => {
    if (!watched.has(destination)) throw new Error('the export holds payments of another merchant');
    return destination;
  };
  const lastOrdinal = BigInt(header.lastOrdinal);
  const renumber: Mapping = (ordinal) => {
    if (!/^\d{1,13}$/.test(ordinal)) throw new Error('the export numbers an event with something else');
    const number = BigInt(ordinal);
    if (number > lastOrdinal) throw new Error('the export holds events that it does not count');
    return String(number + ordinalsBefore);
  };
  const pages = pageMapping(header.publicUrl, publicUrl);
  // A merchant that moves in is open here, whatever the file says.
  const nothing: Mapping = () => null;
  // The link of an e-mail that waits is a page too; no other secret looks like one.
  const seal: Mapping = (value) => textOfBytes(secrets.seal(pages(bytesOf(value).toString('utf8'))));

  return ({ name, owner }: MovedTable): Map<string, Mapping> => {
    const mappings = new Map<string, Mapping>([[owner, owner === 'destination' ? ownAddress : own]]);
    if (name === 'merchants') for (const column of ['closed_at', 'moved_to']) mappings.set(column, nothing);
    if (name === 'watched_accounts') mappings.set('destination', noteWatched);
    for (const column of SEALED_TABLES.find((sealed) => sealed.name === name)?.columns ?? [])
      mappings.set(column, seal);
    if (ORDINALS[name]) mappings.set(ORDINALS[name], renumber);
    if (PAGES[name]) mappings.set(PAGES[name], pages);
    if (name === 'emails') mappings.set('facts', linkMapping(header.publicUrl, publicUrl));
    return mappings;
  };
}

function pageMapping(from: string, to: string): (url: string) => string {
  return (url) => (url.startsWith(`${from}/`) ? to + url.slice(from.length) : url);
}

/**
 * Replaces links in JSON as PostgreSQL writes it. No customer text can look like one: quotes inside a text are
 * escaped.
 */
function linkMapping(from: string, to: string): Mapping {
  return (facts) =>
    facts
      .replaceAll(`"payUrl": "${from}/`, () => `"payUrl": "${to}/`)
      .replaceAll(`"claimUrl": "${from}/`, () => `"claimUrl": "${to}/`);
}
