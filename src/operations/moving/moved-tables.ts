import type { Table } from '../table-file/list-tables.ts';

/** Columns by which a merchant's rows are found in tables that do not name the merchant. */
const FOUND_BY: Readonly<Record<string, 'id' | 'destination'>> = {
  merchants: 'id',
  incoming_transfers: 'destination',
  unreadable_transactions: 'destination',
};

/**
 * Tables that stay behind, each with its reason. Every other table is moved; one that cannot be is refused, so that
 * none is forgotten.
 */
export const STAYING_TABLES: Readonly<Record<string, string>> = {
  account_sweep: 'how far a job of the installation has come',
  installation: 'of the installation itself',
  node_disagreements: 'of the nodes the installation asks',
  passkey_challenges: 'valid for minutes, and only at the address that asked',
  set_aside_work: 'what jobs of this installation try again later',
  sign_in_attempts: 'of addresses, whichever merchant they tried',
  sponsor_days: 'fees that the installation has paid',
  sponsor_low: 'of the installation’s fee payer',
  sponsored_transactions:
    'fees that the installation has paid: it follows them to their end itself; what may land goes along in submitted_signatures',
};

export interface MovedTable extends Table {
  /** The column that says whose a row is: the merchant's id, or an address that is watched for the merchant. */
  owner: 'merchant_id' | 'id' | 'destination';
}

/** Returns those of `tables` that are moved with a merchant, in the same order. */
export function listMovedTables(tables: readonly Table[]): MovedTable[] {
  return tables
    .filter(({ name }) => !(name in STAYING_TABLES))
    .map((table) => {
      const owner = FOUND_BY[table.name] ?? 'merchant_id';
      if (!table.columns.includes(owner))
        throw new Error(`nothing says whose the rows of ${table.name} are: list it in moved-tables.ts`);
      return { ...table, owner };
    });
}
