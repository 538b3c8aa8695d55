import type { Database } from '../platform/db/database.ts';
import { badField } from '../platform/lib/errors.ts';
import { isUuid } from '../platform/lib/ids.ts';
import { findIntentBehindId, findIntentOfPage } from './queries.ts';

export interface Target {
  paymentIntentId?: string | undefined;
  target?: string | undefined;
}

/** The intent to pay, whichever way its merchant names it. */
export async function findTarget(db: Database, merchantId: string, named: Target): Promise<string> {
  const { paymentIntentId, target } = named;
  if ((paymentIntentId === undefined) === (target === undefined))
    throw badField('target', 'or paymentIntentId is required, not both');
  if (paymentIntentId !== undefined) return paymentIntentId;
  const found = isUuid(target!)
    ? await findIntentBehindId(db, merchantId, target!)
    : await findIntentOfPage(db, merchantId, tokenOf(target!));
  if (found === undefined) throw badField('target', 'must be the id of something of yours that can be paid');
  return found;
}

/** The last part of a checkout URL, whatever address the service was reached by. */
function tokenOf(url: string): string {
  return /\/checkout\/([^/?#]+)/.exec(url)?.[1] ?? '';
}
