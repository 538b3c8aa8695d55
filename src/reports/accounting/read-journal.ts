import type { Database, Queryable } from '../../platform/db/database.ts';
import { fetchRows, streamRows } from '../../platform/db/stream-rows.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Account } from './account.ts';
import { type EarnedPart, earnedParts } from './earned-parts.ts';
import { listNotesOfIntents } from './earned-queries.ts';
import type { BooksPeriod, Fact, FactKind } from './fact.ts';
import { type JournalLine, journalLines } from './journal-lines.ts';
import { factValues, listFactsText } from './queries.ts';

export interface Booked {
  fact: Fact;
  lines: JournalLine[];
}

const EVERYTHING: readonly FactKind[] = [
  'receipt',
  'invoice',
  'sale',
  'credit',
  'refund',
  'credit_note',
  'decision',
];
/** Facts that move money in or out of the wallet. */
export const OF_WALLET: readonly FactKind[] = ['receipt', 'refund', 'decision'];

/** The journal of a period, oldest first, some of it at a time. All of it is of one moment, so the whole balances. */
export async function* readJournal(
  db: Database,
  period: BooksPeriod,
  kinds: readonly FactKind[] = EVERYTHING,
): AsyncGenerator<Booked[], void> {
  for await (const { rows, also } of streamRows<Fact>(db, listFactsText(kinds), factValues(period)))
    yield book(also, period, rows);
}

/** Sums the movements of a period on each account, in the state that a snapshot shows. */
export async function sumAccounts(
  snapshot: Queryable,
  period: BooksPeriod,
): Promise<Map<Account, { debitCents: Cents; creditCents: Cents }>> {
  const sums = new Map<Account, { debitCents: Cents; creditCents: Cents }>();
  for await (const rows of fetchRows<Fact>(snapshot, listFactsText(EVERYTHING), factValues(period)))
    for (const { lines } of await book(snapshot, period, rows))
      for (const { account, debitCents, creditCents } of lines) {
        const sum = sums.get(account) ?? { debitCents: 0n, creditCents: 0n };
        sums.set(account, {
          debitCents: sum.debitCents + debitCents,
          creditCents: sum.creditCents + creditCents,
        });
      }
  return sums;
}

async function book(db: Queryable, { merchantId }: BooksPeriod, facts: Fact[]): Promise<Booked[]> {
  const earned = await readEarned(db, merchantId, facts);
  return facts.map((fact) => ({ fact, lines: journalLines(fact, earned.get(noteOf(fact))) }));
}

async function readEarned(
  db: Queryable,
  merchantId: string,
  facts: readonly Fact[],
): Promise<Map<string, EarnedPart>> {
  const intentIds = facts.flatMap((fact) =>
    fact.kind === 'credit_note' ? (fact.amounts.intentId ?? []) : [],
  );
  if (intentIds.length === 0) return new Map();
  return earnedParts(await listNotesOfIntents(db, merchantId, [...new Set(intentIds)]));
}

function noteOf({ id }: Fact): string {
  return id.replace(/^credit_note:/, '');
}
