import type { Database } from '../../platform/db/database.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { plainUsd } from '../../platform/lib/format.ts';
import { offsetMs } from '../../platform/lib/local-days.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { BooksPeriod, Fact } from './fact.ts';
import { describe } from './journal-lines.ts';
import { type Booked, OF_WALLET, readJournal } from './read-journal.ts';

interface Movement {
  fact: Fact;
  cents: Cents;
}

/**
 * The wallet as a bank would report it, in OFX 2.1.1: one transaction for each transfer. Its FITID never changes, so
 * reading the same days twice imports nothing twice.
 */
export async function* writeBankStatement(
  db: Database,
  period: BooksPeriod,
  now: Date,
): AsyncGenerator<string, void> {
  let balance = 0n;
  const before = { ...period, from: new Date(0), to: period.from };
  for await (const booked of readJournal(db, before, OF_WALLET)) balance += sumOf(booked);
  let head = headOf(period, now);
  let last: Movement | undefined;
  for await (const booked of readJournal(db, period, OF_WALLET)) {
    balance += sumOf(booked);
    let text = head;
    head = '';
    for (const { fact, cents } of booked.map(movementOf)) {
      if (last?.fact.id === fact.id) last = { fact: last.fact, cents: last.cents + cents };
      else {
        text += transactionOf(last, period);
        last = { fact, cents };
      }
    }
    yield text;
  }
  yield `${transactionOf(last, period)}${tailOf(balance, momentOf(endOf(period, now), period))}`;
}

function movementOf({ fact, lines }: Booked): Movement {
  const ofWallet = lines.filter(({ account }) => account === 'wallet');
  const cents = ofWallet.reduce((sum, { debitCents, creditCents }) => sum + debitCents - creditCents, 0n);
  return { fact, cents };
}

function sumOf(booked: readonly Booked[]): Cents {
  return booked.reduce((sum, each) => sum + movementOf(each).cents, 0n);
}

/** Nothing is known of the future: accounting programs refuse a balance of a day that has not come. */
function endOf({ from, to }: BooksPeriod, now: Date): Date {
  if (to <= now) return to;
  return now < from ? from : now;
}

function headOf(period: BooksPeriod, now: Date): string {
  const { merchantId, projectId, from } = period;
  const status = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>';
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX>
<SIGNONMSGSRSV1><SONRS>${status}<DTSERVER>${momentOf(now, period)}</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID>${status}<STMTRS><CURDEF>USD</CURDEF>
<BANKACCTFROM><BANKID>FLORIN</BANKID><ACCTID>${accountOf(projectId ?? merchantId)}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>
<BANKTRANLIST><DTSTART>${momentOf(from, period)}</DTSTART><DTEND>${momentOf(endOf(period, now), period)}</DTEND>
`;
}

function transactionOf(movement: Movement | undefined, period: BooksPeriod): string {
  if (!movement || movement.cents === 0n) return '';
  const { fact, cents } = movement;
  const type = cents > 0n ? 'CREDIT' : 'DEBIT';
  const memo = [describe(fact), fact.document, fact.signature].filter(Boolean).join(', ');
  const name = fact.customerName ?? fact.customerEmail ?? describe(fact);
  return `<STMTTRN><TRNTYPE>${type}</TRNTYPE><DTPOSTED>${momentOf(fact.at, period)}</DTPOSTED><TRNAMT>${plainUsd(cents)}</TRNAMT><FITID>${escaped(fact.id, 255)}</FITID><NAME>${escaped(name, 32)}</NAME><MEMO>${escaped(memo, 255)}</MEMO></STMTTRN>\n`;
}

function tailOf(balance: Cents, asOf: string): string {
  return `</BANKTRANLIST>
<LEDGERBAL><BALAMT>${plainUsd(balance)}</BALAMT><DTASOF>${asOf}</DTASOF></LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
`;
}

/** `20260301235959.999[0:GMT]`, `20260302054459.999[+5.75]`: as clocks show it there, because programs take the day from it. */
function momentOf(date: Date, { timeZone }: BooksPeriod): string {
  const aheadMs = offsetMs(date.getTime(), timeZone);
  const shown = new Date(date.getTime() + aheadMs).toISOString().replace(/[-:TZ]/g, '');
  const hours = aheadMs / HOUR_MS;
  return `${shown}[${hours === 0 ? '0:GMT' : `${hours > 0 ? '+' : ''}${hours}`}]`;
}

/** An account number has at most 22 characters: exactly the bytes of an id. */
function accountOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Escapes a text and cuts it to the format's maximum, without characters that XML cannot hold. */
function escaped(text: string, max: number): string {
  const allowed = [...text.replace(NOT_XML, ' ').toWellFormed()].slice(0, max).join('');
  return allowed.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Characters that XML 1.0 forbids. */
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
