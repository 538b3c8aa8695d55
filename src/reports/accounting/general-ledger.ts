import type { Database } from '../../platform/db/database.ts';
import { csvCell } from '../../platform/http/csv-cell.ts';
import { plainUsd } from '../../platform/lib/format.ts';
import { dateAt } from '../../platform/lib/local-days.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { ACCOUNTS } from './account.ts';
import type { BooksPeriod, Fact } from './fact.ts';
import { describe, type JournalLine } from './journal-lines.ts';
import { readJournal } from './read-journal.ts';

const TITLES = [
  ...['date', 'time', 'entryId', 'accountCode', 'account', 'debit', 'credit', 'currency', 'description'],
  ...['customerName', 'customerEmail', 'documentNumber', 'txSignature', 'debitCents', 'creditCents'],
  ...['projectId', 'customerId'],
];

/** One row of CSV for each line of the journal. Entries balance, and so does the file. */
export async function* writeGeneralLedger(db: Database, period: BooksPeriod): AsyncGenerator<string, void> {
  let head = `${TITLES.join(',')}\r\n`;
  for await (const booked of readJournal(db, period)) {
    yield head +
      booked.flatMap(({ fact, lines }) => lines.map((line) => rowOf(fact, line, period.timeZone))).join('');
    head = '';
  }
}

function rowOf(fact: Fact, { account, debitCents, creditCents }: JournalLine, timeZone: string): string {
  const { code, name } = ACCOUNTS[account];
  const cells = [
    ...[dateAt(fact.at, timeZone), fact.at, fact.id, code, name].map(csvCell),
    ...[dollars(debitCents), dollars(creditCents), 'USD', csvCell(describe(fact))],
    ...[fact.customerName, fact.customerEmail, fact.document, fact.signature].map(csvCell),
    ...[debitCents, creditCents, fact.projectId, fact.customerId].map(csvCell),
  ];
  return `${cells.join(',')}\r\n`;
}

/** Empty on the side that does not move, as in a ledger. */
function dollars(cents: Cents): string {
  return cents === 0n ? '' : plainUsd(cents);
}
