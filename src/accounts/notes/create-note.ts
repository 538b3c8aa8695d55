import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { isBlank } from '../../platform/lib/visible-text.ts';
import { lockCustomerForUse } from '../customers/queries.ts';
import { type Note, notes } from './note.ts';
import { findPayment } from './queries.ts';

export interface CreateNote {
  merchantId: string;
  actor: string;
  customerId: string | undefined;
  paymentIntentId: string | undefined;
  text: string;
  now: Date;
}

/** Writes a note. Its customer cannot be erased meanwhile, so that no note outlives them. */
export async function createNote(tx: Tx, input: CreateNote): Promise<Note> {
  const { merchantId, actor, text, now } = input;
  const about = await requireAbout(tx, input);
  const note: Note = {
    ...{ id: newId(now), merchantId, ...about, author: actor, text: requireWords(text) },
    ...{ createdAt: now, editedAt: null },
  };
  await notes.insert(tx, note);
  await recordNote(tx, 'note.created', note, actor, now);
  return note;
}

async function requireAbout(
  tx: Tx,
  { merchantId, customerId, paymentIntentId }: CreateNote,
): Promise<Pick<Note, 'customerId' | 'paymentIntentId'>> {
  if ((customerId === undefined) === (paymentIntentId === undefined))
    throw badField('customerId', 'or paymentIntentId is required, and not both');
  if (customerId !== undefined) {
    const customer = await lockCustomerForUse(tx, { merchantId, id: customerId });
    if (!customer) throw badField('customerId', 'is not a customer of yours');
    return { customerId: customer.id, paymentIntentId: null };
  }
  const id = paymentIntentId!.toLowerCase();
  const payment = await findPayment(tx, merchantId, id);
  if (!payment) throw badField('paymentIntentId', 'is not a payment of yours');
  if (payment.customerId !== null && !(await lockCustomerForUse(tx, { merchantId, id: payment.customerId })))
    throw new AppError('INVALID_STATE', {
      message: 'Its customer was deleted, so no note can be added.',
    });
  return { customerId: null, paymentIntentId: id };
}

export function requireWords(text: string): string {
  if (isBlank(text)) throw badField('text', 'must not be blank');
  return text;
}

/** The audit log says that there was a note and about whom, and never what it said. */
export function recordNote(
  tx: Tx,
  action: `note.${'created' | 'updated' | 'deleted'}`,
  { merchantId, id: targetId, customerId, paymentIntentId }: Note,
  actor: string,
  now: Date,
): Promise<unknown> {
  const detail = customerId === null ? { paymentIntentId } : { customerId };
  return recordAudit(tx, { merchantId, actor, action, targetId, detail, now });
}
