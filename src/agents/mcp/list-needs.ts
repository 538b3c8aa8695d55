import { callService, type ServiceAnswer, type ToolContext } from './call-service.ts';
import { dataResult, isRefused, refusedResult, type ToolResult } from './tool-result.ts';

const SHOWN = 10;

interface Need {
  what: string;
  count: number | bigint;
  /** Advice: what an assistant can do about it, or whose task it is. */
  do: string;
  /** The first of them. */
  items?: unknown;
}

interface Overview {
  unreadAddressesCount: number;
  disputedPaymentsCount: number;
  openExceptions: { kind: string; count: number }[];
  failingDeliveriesCount: number;
  overdueInvoicesCount: number;
  subscriptions: { past_due: number };
}

type Row = {
  kind?: string;
  status: string;
  address?: string | null;
  isOverdue?: boolean;
  paymentUrl?: string | null;
};

/** Everything that waits for a person, as the dashboard's first page lists it, with what can be done about it. */
export async function listNeeds(context: ToolContext): Promise<ToolResult> {
  const read = (path: string, query: [string, string][] = []) =>
    callService(context, { method: 'GET', path, query });
  const first = (...query: [string, string][]): [string, string][] => [...query, ['limit', String(SHOWN)]];
  const overview = await read('/api/v2/billing/overview');
  const lists = await Promise.all([
    read('/api/v2/exceptions', first(['status', 'open'])),
    read('/api/merchants/intents', first(['status', 'underpaid'])),
    read('/api/v2/refunds', [
      ['status', 'awaiting_address'],
      ['status', 'ready'],
      ['limit', '100'],
    ]),
    read('/api/v2/webhook-deliveries', first(['status', 'retrying'], ['status', 'failed'])),
    read('/api/v2/subscriptions', first(['status', 'past_due'])),
    read('/api/v2/invoices', [
      ['status', 'open'],
      ['limit', '100'],
    ]),
  ]);
  const refused = [overview, ...lists].find(isRefused);
  if (refused) return refusedResult(refused);
  const needs = needsOf(overview.body as unknown as Overview, lists.map(rowsOf));
  return dataResult({ needs }, needs.length === 0 ? 'Nothing needs attention.' : undefined);
}

function rowsOf({ body }: ServiceAnswer): Row[] {
  return (body as unknown as { data: Row[] }).data;
}

function needsOf(overview: Overview, lists: Row[][]): Need[] {
  const [exceptions, partPaid, refunds, deliveries, pastDue, invoices] = lists as [
    Row[],
    Row[],
    Row[],
    Row[],
    Row[],
    Row[],
  ];
  const underpaid = partPaid.filter(({ paymentUrl }) => paymentUrl !== null);
  const toApprove = refunds.filter(({ status, address }) => status !== 'ready' && address !== null);
  const ready = refunds.filter(({ status }) => status === 'ready');
  const overdue = invoices.filter(({ isOverdue }) => isOverdue);
  const all: Need[] = [
    ...overview.openExceptions.map(({ kind, count }) =>
      need(
        `exceptions of kind ${kind}`,
        count,
        EXCEPTIONS,
        exceptions.filter((row) => row.kind === kind),
      ),
    ),
    need('underpaid payments', underpaid.length, UNDERPAID, underpaid),
    need(
      'refund addresses to approve',
      toApprove.length,
      'A person approves them in the dashboard.',
      toApprove,
    ),
    need('refunds ready to send', ready.length, 'A person signs them with the merchant’s wallet.', ready),
    need('failing webhook deliveries', overview.failingDeliveriesCount, DELIVERIES, deliveries),
    need('overdue invoices', overview.overdueInvoicesCount, OVERDUE, overdue),
    need('renewals past due', overview.subscriptions.past_due, PAST_DUE, pastDue),
    need('payments the Solana nodes disagree about', overview.disputedPaymentsCount, OPERATOR),
    need('payout wallets that cannot be read', overview.unreadAddressesCount, OPERATOR),
  ];
  return all.filter(({ count }) => count > 0);
}

const EXCEPTIONS =
  'A person links or returns them in the dashboard. explain_payment with the txSignature says more.';
const UNDERPAID = 'Ask the customer to pay the rest at the same checkout; explain_payment has the address.';
const DELIVERIES =
  'Look at error and httpStatus; when the receiver works again, write resendWebhookDelivery.';
const OVERDUE =
  'Send the customer the checkoutUrl again: read getCheckoutSession with the checkoutSessionId.';
const PAST_DUE = 'Send the customer the renewalCheckoutUrl; access ends at graceEndsAt.';
const OPERATOR = 'The operator of the server looks at it.';

function need(what: string, count: number, todo: string, rows?: Row[]): Need {
  return { what, count, do: todo, ...(rows && rows.length > 0 && { items: rows.slice(0, SHOWN) }) };
}
