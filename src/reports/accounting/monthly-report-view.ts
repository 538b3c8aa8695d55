import { EXCEPTION_KINDS } from '../../payments/transfers/exception.ts';
import {
  Count,
  Flag,
  Int64,
  List,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { TaxRowView, TopCustomerView, TopProductView } from '../overview/views.ts';

const NOT_USDC = 'Null for what is not USDC.';

const money = {
  grossCents: Int64({ description: 'As in `GET /billing/revenue`, and so are the next two.' }),
  refundedCents: Int64(),
  netCents: Int64(),
  paymentsCount: Count(),
};

export const MonthlyReportView = Shape('MonthlyReport', {
  month: Text({ max: 7 }),
  projectId: Nullable(Uuid('Null: all projects, and payments without one.')),
  timeZone: Text({ max: 64, description: 'The merchant’s, which decides when the month begins and ends.' }),
  from: Timestamp('The first moment of the month.'),
  to: Timestamp('The first moment of the next.'),
  isOver: Flag('false: the figures are those up to now.'),
  createdAt: Timestamp(),
  currency: Text(),
  revenue: Shape('MonthlyRevenue', { ...money, refundsCount: Count() }),
  days: List(Shape('MonthlyReportDay', { date: Text({ max: 10 }), ...money })),
  taxes: List(TaxRowView),
  accounts: List(
    Shape('AccountMovement', {
      code: Text(),
      name: Text(),
      debitCents: Int64({ description: 'As in `GET /general-ledger`, and so is the next.' }),
      creditCents: Int64(),
      balanceCents: Int64({ description: 'Debit minus credit.' }),
    }),
  ),
  subscribers: Shape('MonthlySubscribers', {
    atStartCount: Count(),
    newCount: Count(),
    lostCount: Count(),
    atEndCount: Count(),
    monthlyRecurringCents: Int64({
      description: 'At the end of the month, with the prices and quantities that subscriptions had then.',
    }),
  }),
  topProducts: List(TopProductView),
  topCustomers: List(TopCustomerView),
  openInvoices: Shape('OpenInvoices', {
    count: Count('Invoices with a number that were open when the month ended.'),
    cents: Int64({ description: 'What was still due on them then.' }),
    invoices: List(
      Shape('OpenInvoice', {
        invoiceId: Uuid(),
        number: Text(),
        customerName: Nullable(Text()),
        customerEmail: Nullable(Text({ max: 320 })),
        issuedAt: Timestamp(),
        dueAt: Nullable(Timestamp()),
        amountDueCents: Int64(),
      }),
    ),
  }),
  exceptions: List(
    Shape('MonthlyExceptions', {
      kind: OneOf(EXCEPTION_KINDS),
      raisedCount: Count('In the month.'),
      raisedCents: Nullable(Int64({ description: NOT_USDC })),
      openCount: Count('Not decided when the month ended, whenever they were raised.'),
      openCents: Nullable(Int64({ description: NOT_USDC })),
    }),
  ),
  sponsoredFees: Shape('MonthlySponsoredFees', {
    count: Count('Payments whose network fee the service paid.'),
    lamports: Int64({ description: 'What that cost; a SOL has 1,000,000,000 lamports.' }),
  }),
});

/** One figure of the report. */
export const ReportRowView = Shape('MonthlyReportRow', {
  section: Text(),
  item: Nullable(
    Text({ description: 'A day, a rate, an account, a product, a customer, an invoice or a kind.' }),
  ),
  figure: Text(),
  count: Nullable(Count()),
  amountCents: Nullable(Int64()),
});
