import type { Database, Tx } from '../../src/platform/db/database.ts';

/** Transactions that name more than one merchant, by who begins them. */
const OF_SEVERAL = [
  // A signature takes an address from the merchant that had it, and both learn of it at the same moment.
  'accounts/merchants/payout-routes.ts handle',
  'accounts/payout-changes/routes.ts handle',
  // A low balance of the installation's fee payer is noted once, with the e-mails to all whose payers need it.
  'payments/sponsor/email-when-low.ts emailWhenLow',
];

/**
 * Refuses transactions of the service that name two merchants in their statements: those could never commit in one
 * cell. Statements that take lists of rows are not looked into.
 */
export function ofOneMerchant(db: Database, whoBegins = callerOf): Database {
  const { transaction, withPatience } = db;
  db.transaction = (work) => {
    const caller = whoBegins(new Error().stack!);
    return transaction(async (tx) => {
      const named = new Set<unknown>();
      const result = await work(noting(tx, named));
      if (caller && named.size > 1 && !OF_SEVERAL.includes(caller))
        throw new Error(`${caller}: a transaction of ${named.size} merchants (test/support/one-merchant.ts)`);
      return result;
    });
  };
  db.withPatience = (ms) => ofOneMerchant(withPatience(ms), whoBegins);
  return db;
}

/** The file of src/ and its function; undefined where a test began it. */
function callerOf(stack: string): string | undefined {
  const line = stack.split('\n').find((one, i) => i > 0 && !one.includes('one-merchant.ts'));
  const [, name, file] =
    /at (?:async )?(?:(\S+) (?:\[as \w+\] )?\()?.*\/src\/([^:]+\.ts)/.exec(line ?? '') ?? [];
  return file === undefined || file.endsWith('.test.ts') ? undefined : `${file} ${name}`;
}

function noting(tx: Tx, named: Set<unknown>): Tx {
  return {
    ...tx,
    query(text, values = []) {
      for (const place of placesIn(text))
        if (typeof values[place - 1] === 'string') named.add(values[place - 1]);
      return tx.query(text, values);
    },
  };
}

const places = new Map<string, number[]>();

/** Returns the parameters of a statement that are a merchant. */
function placesIn(text: string): number[] {
  const known = places.get(text);
  if (known) return known;
  const found = [
    ...text.matchAll(/\bmerchant_id = \$(\d+)/g),
    ...text.matchAll(/insert into \w+ \(merchant_id\b[^)]*\)\s*values \(\$(\d+)/g),
  ].map(([, place]) => Number(place));
  places.set(text, found);
  return found;
}
