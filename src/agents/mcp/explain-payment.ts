import { isUuid } from '../../platform/lib/ids.ts';
import type { Json } from '../../platform/lib/json.ts';
import { adviseOnPayment, type ExplainedPayment } from './advise-on-payment.ts';
import { callService, type ServiceAnswer, type ToolContext } from './call-service.ts';
import { dataResult, errorResult, isRefused, refusedResult, type ToolResult } from './tool-result.ts';

const INTENTS = '/api/merchants/intents';
const SESSIONS = '/api/v2/checkout-sessions';

/** All there is to know about one payment, and what to do about it. */
export async function explainPayment(context: ToolContext, named: string): Promise<ToolResult> {
  const read = (path: string, ...query: [string, string][]) =>
    callService(context, { method: 'GET', path, query });
  const found = await findIntent(read, named);
  if (typeof found !== 'string') return found;
  const [intent, history, sessions, refunds] = await Promise.all([
    read(`${INTENTS}/${found}`),
    read(`${INTENTS}/${found}/history`),
    read(SESSIONS, ['paymentIntentId', found]),
    read('/api/v2/refunds', ['paymentIntentId', found]),
  ]);
  const refused = [intent, history, sessions, refunds].find(isRefused);
  if (refused) return refusedResult(refused);
  const [session] = rowsOf(sessions);
  const invoice = session && (await read(`/api/v2/invoices/${session.invoiceId}`));
  const payment = {
    payment: intent.body,
    ...(history.body as Record<string, Json>),
    checkout: session ?? null,
    invoice: invoice && !isRefused(invoice) ? invoice.body : null,
    refunds: rowsOf(refunds),
  } as unknown as ExplainedPayment;
  return dataResult({ whatToDo: adviseOnPayment(payment), ...payment });
}

type Read = (path: string, ...query: [string, string][]) => Promise<ServiceAnswer>;

/** Finds an intent by any name of its payment; a name of several payments is answered with all of them. */
async function findIntent(read: Read, named: string): Promise<string | ToolResult> {
  if (isUuid(named)) {
    const direct = await read(`${INTENTS}/${named}`);
    if (direct.status === 200) return named;
  }
  const found = await read('/api/v2/search', ['q', named.slice(0, 255)], ['limit', '5']);
  if (isRefused(found)) return refusedResult(found);
  const hits = rowsOf(found);
  const ids = await Promise.all(hits.map((hit) => intentOf(read, hit)));
  const distinct = [...new Set(ids.filter((id) => id !== undefined))];
  if (distinct.length === 1) return distinct[0]!;
  if (distinct.length > 1)
    return dataResult({ matches: hits }, 'Several payments match. Call explain_payment with the id of one.');
  if (hits.length > 0) return dataResult({ matches: hits }, 'No payment matches, but these do.');
  return errorResult({ code: 'NOT_FOUND', message: 'No payment is known by this name.' }, 404);
}

async function intentOf(read: Read, { type, id }: Record<string, string>): Promise<string | undefined> {
  if (type === 'payment_intent') return id;
  if (type === 'checkout_session') return (await fieldsOf(read, `${SESSIONS}/${id}`)).paymentIntentId;
  if (type === 'refund') return (await fieldsOf(read, `/api/v2/refunds/${id}`)).paymentIntentId ?? undefined;
  if (type !== 'invoice') return undefined;
  const { checkoutSessionId } = await fieldsOf(read, `/api/v2/invoices/${id}`);
  return checkoutSessionId && (await fieldsOf(read, `${SESSIONS}/${checkoutSessionId}`)).paymentIntentId;
}

async function fieldsOf(read: Read, path: string): Promise<Record<string, string | undefined>> {
  const answer = await read(path);
  return isRefused(answer) ? {} : (answer.body as Record<string, string>);
}

function rowsOf({ body }: ServiceAnswer): Record<string, string>[] {
  return (body as unknown as { data: Record<string, string>[] }).data;
}
