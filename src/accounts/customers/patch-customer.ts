import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isSameMetadata, type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import { announceCustomer } from './announce-customers.ts';
import type { Customer, EmailSource } from './customer.ts';
import { updateEmailChangesLapsed } from './email-change-queries.ts';
import { alreadyMerged } from './merge-customers.ts';
import { listMerged, lockCustomer, updateCustomer } from './queries.ts';
import { readTaxedAs, type TaxedAsInput } from './read-taxed-as.ts';

export interface PatchCustomer {
  merchantId: string;
  id: string;
  actor: string;
  /** How the address is known that it sets; what stays as it was keeps its own. */
  emailSource: EmailSource;
  change: TaxedAsInput & {
    email?: string | null | undefined;
    name?: string | null | undefined;
    language?: string | null | undefined;
    metadata?: MetadataChange | undefined;
  };
  now: Date;
}

/** Corrects a customer's details, in an archived project too: people can request that at any time. */
export async function patchCustomer(
  tx: Tx,
  { merchantId, id, actor, emailSource, change, now }: PatchCustomer,
): Promise<Customer> {
  const before = await lockCustomer(tx, merchantId, id);
  if (!before) throw new AppError('NOT_FOUND');
  if (before.mergedIntoId !== null) throw alreadyMerged(before);
  // Also where it is the address of before: naming it is a decision.
  if (change.email !== undefined) await updateEmailChangesLapsed(tx, merchantId, [id]);
  const email = change.email === undefined ? before.email : change.email;
  const name = change.name === undefined ? before.name : change.name;
  const language = change.language === undefined ? before.language : change.language;
  const metadata = mergeMetadata(before.metadata, change.metadata);
  const taxed = await readTaxedAs(before, change);
  const source = email === before.email ? before.emailSource : email === null ? null : emailSource;
  const after = { ...before, email, emailSource: source, name, language, metadata, ...taxed };
  const fields: string[] = (['email', 'name', 'language'] as const).filter(
    (field) => after[field] !== before[field],
  );
  for (const field of ['address', 'country', 'isBusiness', 'taxIds'] as const) {
    if (!isDeepStrictEqual(after[field], before[field])) fields.push(field);
  }
  if (!isSameMetadata(before.metadata, metadata)) fields.push('metadata');
  if (fields.length === 0) return before;
  await updateCustomer(tx, after);
  // Only which fields: what a person wants forgotten must not stay in a record that cannot be altered.
  await recordAudit(tx, {
    merchantId,
    actor,
    action: 'customer.changed',
    targetId: before.id,
    detail: { fields },
    now,
  });
  for (const each of [after, ...(await listMerged(tx, before))])
    await announceCustomer(tx, 'customer.updated', each, now);
  return after;
}
