import type { Customer } from '../../accounts/customers/customer.ts';
import { lockCustomerForUse } from '../../accounts/customers/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import { addDays, DAY_MS } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { LineItem } from '../checkout-sessions/line-items.ts';
import type { DraftItem, DraftTerms, Invoice } from '../invoices/invoice.ts';

export const MAX_NET_DAYS = 365;
export const DEFAULT_NET_DAYS = 30;

/** Fields of a draft that a request can set; null clears one. */
export interface DraftBody {
  customerId?: string;
  lineItems?: LineItem[];
  dueAt?: Date | null;
  netDays?: number | null;
  memo?: string | null;
  merchantReference?: string | null;
  discountId?: string | null;
  promotionCode?: string | null;
  send?: boolean;
}

/** Due date of a draft: a fixed time, or a number of days after it is opened. */
export interface Due {
  dueAt: Date | null;
  netDays: number | null;
}

/** Combines the due date in a request with the one before. */
export function dueOf({ dueAt, netDays }: DraftBody, before: Due, now: Date): Due {
  if (dueAt != null && netDays != null) throw badField('netDays', 'cannot be combined with dueAt');
  if (dueAt != null) {
    if (dueAt <= now) throw badField('dueAt', 'must be in the future');
    if (dueAt.getTime() > now.getTime() + MAX_NET_DAYS * DAY_MS)
      throw badField('dueAt', `must be within ${MAX_NET_DAYS} days`);
    return { dueAt, netDays: null };
  }
  if (netDays != null) return { dueAt: null, netDays };
  const isCleared =
    (dueAt === null && before.dueAt !== null) || (netDays === null && before.netDays !== null);
  return isCleared ? { dueAt: null, netDays: DEFAULT_NET_DAYS } : before;
}

/** Merges the note to the customer from a request into the stored one. */
export function memoOf({ memo }: DraftBody, before: string | null): string | null {
  if (memo === undefined) return before;
  if (memo !== null && !/[^\s\p{Z}\p{C}]/u.test(memo)) throw badField('memo', 'must not be blank');
  return memo;
}

/** The due date of a draft that is opened now. */
export function dueWhenOpened({ dueAt, draft }: Invoice, now: Date): Date {
  if (dueAt === null) return addDays(now, draft!.netDays!);
  if (dueAt > now) return dueAt;
  throw new AppError('INVALID_STATE', { message: 'Its due date has passed. Set a new one first.' });
}

/** Combines the discount in a request with the one before: a discount or a code, never both. */
export function discountOf(
  { discountId, promotionCode }: DraftBody,
  before: Pick<DraftTerms, 'discountId' | 'promotionCode'>,
): Pick<DraftTerms, 'discountId' | 'promotionCode'> {
  if (discountId != null && promotionCode != null)
    throw badField('promotionCode', 'cannot be combined with discountId');
  if (discountId != null) return { discountId: discountId.toLowerCase(), promotionCode: null };
  if (promotionCode != null) return { discountId: null, promotionCode };
  return {
    discountId: discountId === undefined ? before.discountId : null,
    promotionCode: promotionCode === undefined ? before.promotionCode : null,
  };
}

export function toDraftItem(item: LineItem): DraftItem {
  return {
    priceId: item.priceId?.toLowerCase() ?? null,
    name: item.name ?? null,
    unitAmountCents: item.unitAmountCents ?? null,
    quantity: item.quantity ?? 1,
    taxBehavior: item.taxBehavior ?? null,
    taxRateId: item.taxRateId?.toLowerCase() ?? null,
  };
}

export function toLineItem({ priceId, name, unitAmountCents, quantity, ...tax }: DraftItem): LineItem {
  return {
    quantity,
    ...(priceId !== null && { priceId }),
    ...(name !== null && { name }),
    ...(unitAmountCents !== null && { unitAmountCents }),
    ...(tax.taxBehavior !== null && { taxBehavior: tax.taxBehavior }),
    ...(tax.taxRateId !== null && { taxRateId: tax.taxRateId }),
  };
}

export async function requireCustomer(
  tx: Tx,
  place: { merchantId: string; projectId: string },
  id: string,
): Promise<Customer> {
  const customer = await lockCustomerForUse(tx, { ...place, id: id.toLowerCase() });
  if (!customer) throw badField('customerId', 'must be the id of a customer of this project');
  return customer;
}
