import type { Language } from '../../platform/lib/language.ts';
import { localeOf } from '../../platform/lib/language.ts';
import type { InvoiceText, Row } from './describe-invoice.ts';
import type { Table } from './lay-out-lines.ts';
import { reportMessages } from './messages/report-languages.ts';
import type { ReportMessages } from './messages/report-messages.ts';
import { clean, type Paper, paperIn } from './paper.ts';
import type { ReportDocument } from './report-document.ts';

export interface ReportText extends Pick<InvoiceText, 'title' | 'issuer' | 'brandColor' | 'badges'> {
  language: Language;
  facts: Row[];
  headline: string;
  sections: { title: string; table: Table; note: string }[];
  notes: string[];
}

type Line = Table['lines'][number];
interface Writer {
  words: ReportMessages;
  paper: Paper;
}

/** Puts a month into words and tables. Texts from outside are cleaned here. */
export function describeReport(document: ReportDocument): ReportText {
  const { language, network, isOver } = document;
  const writer = { words: reportMessages[language], paper: paperIn(language) };
  const { words, paper } = writer;
  const badges: ReportText['badges'] = [];
  if (!isOver) badges.push({ text: words.badges.provisional, tone: 'plain' });
  if (network !== 'mainnet') badges.push({ text: words.badges.test, tone: 'plain' });
  return {
    language,
    title: words.title,
    issuer: clean(document.issuer),
    brandColor: document.brandColor ?? null,
    badges,
    facts: describeFacts(document, writer),
    headline: words.headline(paper.usd(document.revenue.netCents)),
    sections: [
      { title: words.sections.summary, table: summaryOf(document, writer), note: '' },
      { title: words.sections.days, table: daysOf(document, writer), note: '' },
      ...(document.taxes.length > 0
        ? [{ title: words.sections.taxes, table: taxesOf(document, writer), note: '' }]
        : []),
      { title: words.sections.accounts, table: accountsOf(document, writer), note: '' },
      ...topsOf(document, writer),
      invoicesOf(document, writer),
      exceptionsOf(document, writer),
    ],
    notes: [
      ...(isOver ? [] : [words.notes.provisional]),
      words.notes.basis,
      words.notes.sales,
      ...(network === 'mainnet' ? [] : [words.notes.test]),
    ],
  };
}

function describeFacts(document: ReportDocument, { words: { facts }, paper }: Writer): Row[] {
  return [
    [facts.month, monthName(document.firstDay, document.language)],
    [facts.project, document.projectName === null ? facts.allProjects : clean(document.projectName)],
    [facts.timeZone, document.timeZone],
    [facts.createdAt, paper.day(new Date(`${document.issuedOn}T00:00:00Z`))],
    [facts.currency, facts.dollars],
  ];
}

function monthName(firstDay: string, language: Language): string {
  const form = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(localeOf(language), form).format(new Date(`${firstDay}T00:00:00Z`));
}

function line(description: string, figures: string[], isStrong = false): Line {
  return { description, period: '', figures, isStrong };
}

/** Empty on the side that does not move, as in a ledger. */
function unlessZero(cents: bigint, write: Paper['usd']): string {
  return cents === 0n ? '' : write(cents);
}

function sum<Item>(items: readonly Item[], value: (item: Item) => bigint | null): bigint {
  return items.reduce((total, item) => total + (value(item) ?? 0n), 0n);
}

function summaryOf(document: ReportDocument, { words: { summary, columns }, paper }: Writer): Table {
  const { revenue, subscribers, openInvoices, exceptions, sponsoredFees, taxes } = document;
  const { usd, count } = paper;
  return {
    columns: [columns.figure, columns.count, columns.amount],
    lines: [
      line(summary.gross, [count(revenue.paymentsCount), usd(revenue.grossCents)]),
      line(summary.refunds, [count(revenue.refundsCount), usd(-revenue.refundedCents)]),
      line(summary.net, ['', usd(revenue.netCents)], true),
      line(summary.tax, ['', usd(sum(taxes, ({ taxCents }) => taxCents))]),
      line(summary.atStart, [count(subscribers.atStartCount), '']),
      line(summary.begun, [count(subscribers.newCount), '']),
      line(summary.lost, [count(subscribers.lostCount), '']),
      line(summary.atEnd, [count(subscribers.atEndCount), '']),
      line(summary.recurring, ['', usd(subscribers.monthlyRecurringCents)]),
      line(summary.openInvoices, [count(openInvoices.count), usd(openInvoices.cents)]),
      line(summary.openExceptions, [
        count(sum(exceptions, ({ openCount }) => openCount)),
        usd(sum(exceptions, ({ openCents }) => openCents)),
      ]),
      ...(sponsoredFees.count > 0n
        ? [line(summary.fees, [count(sponsoredFees.count), solOf(sponsoredFees.lamports)])]
        : []),
    ],
  };
}

/** All nine decimals that count, and none that do not. */
function solOf(lamports: bigint): string {
  const digits = lamports.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}

function daysOf({ days, revenue }: ReportDocument, { words: { columns, total }, paper }: Writer): Table {
  const { usd, count, day } = paper;
  const figures = (of: ReportDocument['days'][number] | ReportDocument['revenue']) => [
    count(of.paymentsCount),
    usd(of.grossCents),
    unlessZero(-of.refundedCents, usd),
    usd(of.netCents),
  ];
  return {
    columns: [columns.day, columns.payments, columns.gross, columns.refunds, columns.net],
    lines: [
      ...days.map((of) => line(day(new Date(`${of.date}T00:00:00Z`)), figures(of))),
      line(total, figures(revenue), true),
    ],
  };
}

function taxesOf({ taxes }: ReportDocument, { words, paper }: Writer): Table {
  const { columns, total, categories, untaxed } = words;
  const { usd, percent: write } = paper;
  const nameOf = ({ country, category, percent }: ReportDocument['taxes'][number]) => {
    if (country === null) return untaxed;
    const isNothing = category !== null && category in categories;
    return `${country} ${isNothing ? categories[category as keyof typeof categories] : write(percent ?? 0)}`;
  };
  return {
    columns: [columns.rate, columns.net, columns.tax, columns.gross],
    lines: [
      ...taxes.map((tax) => line(nameOf(tax), [usd(tax.netCents), usd(tax.taxCents), usd(tax.grossCents)])),
      line(
        total,
        (['netCents', 'taxCents', 'grossCents'] as const).map((key) => usd(sum(taxes, (tax) => tax[key]))),
        true,
      ),
    ],
  };
}

function accountsOf({ accounts }: ReportDocument, { words, paper: { usd } }: Writer): Table {
  const { columns, total } = words;
  return {
    columns: [columns.account, columns.debit, columns.credit],
    lines: [
      ...accounts.map(({ code, debitCents, creditCents }) =>
        line(`${code} ${words.accounts[code]}`, [unlessZero(debitCents, usd), unlessZero(creditCents, usd)]),
      ),
      line(
        total,
        [usd(sum(accounts, (of) => of.debitCents)), usd(sum(accounts, (of) => of.creditCents))],
        true,
      ),
    ],
  };
}

function topsOf(document: ReportDocument, { words, paper }: Writer): ReportText['sections'] {
  const { columns, sections } = words;
  const { count, usd } = paper;
  const tops = [
    {
      title: sections.products,
      rows: document.topProducts,
      of: columns.product,
      times: columns.sold,
      worth: columns.sales,
    },
    {
      title: sections.customers,
      rows: document.topCustomers,
      of: columns.customer,
      times: columns.payments,
      worth: columns.net,
    },
  ];
  return tops
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows, of, times, worth }) => ({
      title,
      table: {
        columns: [of, times, worth],
        lines: rows.map((row) => line(clean(row.name), [count(row.count), usd(row.cents)])),
      },
      note: '',
    }));
}

function invoicesOf(
  { openInvoices }: ReportDocument,
  { words, paper }: Writer,
): ReportText['sections'][number] {
  const { columns, total } = words;
  const { invoices, count, cents } = openInvoices;
  const hidden = count - BigInt(invoices.length);
  const lines = invoices.map(({ number, customer, dueAt, cents: due }) => ({
    ...line(clean(number), [dueAt ? paper.day(dueAt) : '', paper.usd(due)]),
    period: clean(customer),
  }));
  if (lines.length === 0)
    return { title: words.sections.invoices, table: { columns: [''], lines: [] }, note: words.noInvoices };
  return {
    title: words.sections.invoices,
    table: {
      columns: [columns.invoice, columns.dueAt, columns.due],
      lines: [...lines, line(total, ['', paper.usd(cents)], true)],
    },
    note: hidden > 0n ? words.moreInvoices(paper.count(hidden)) : '',
  };
}

function exceptionsOf(
  { exceptions }: ReportDocument,
  { words, paper }: Writer,
): ReportText['sections'][number] {
  const { columns } = words;
  const title = words.sections.exceptions;
  if (exceptions.length === 0)
    return { title, table: { columns: [''], lines: [] }, note: words.noExceptions };
  const money = (cents: bigint | null) => (cents === null ? '' : paper.usd(cents));
  return {
    title,
    table: {
      columns: [columns.reason, columns.raised, columns.amount, columns.open, columns.amount],
      lines: exceptions.map((of) =>
        line(words.exceptions[of.kind], [
          paper.count(of.raisedCount),
          money(of.raisedCents),
          paper.count(of.openCount),
          money(of.openCents),
        ]),
      ),
    },
    note: '',
  };
}
