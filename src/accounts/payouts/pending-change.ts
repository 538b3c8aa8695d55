import { queueDelayEmails } from '../../email/queue-email.ts';
import type { Environment } from '../../platform/access/key.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { Int32, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { announcePayout } from './announce-payout.ts';
import {
  deletePending,
  deletePendingTo,
  listPending,
  type PendingChange,
  payoutChanges,
} from './pending-queries.ts';

export { deletePending };

export const MAX_DELAY_HOURS = 168;

/** Test money needs no thinking over. */
export function defaultDelayHours(environment: Environment): number {
  return environment === 'mainnet' ? 24 : 0;
}

interface By {
  merchantId: string;
  actor: string;
  now: Date;
}

type Target = Pick<PendingChange, 'kind' | 'projectId'>;
export type Wanted = Pick<PendingChange, 'projectId' | 'projectName'> &
  ({ kind: 'address'; from: string | null; to: string | null } | { kind: 'delay'; from: number; to: number });

/**
 * Stores a change for later and e-mails the owners. It replaces an older change of the same thing; requesting the
 * pending one again does not restart its delay. The caller holds the lock of the merchant or project.
 */
export async function requestChange(tx: Tx, by: By, wanted: Wanted, delayHours: number): Promise<void> {
  const { merchantId, actor, now } = by;
  const { kind, projectId, projectName, from, to } = wanted;
  const waiting = await findPending(tx, merchantId, wanted);
  if (waiting && (kind === 'delay' ? waiting.delayHours : waiting.address) === to) return;
  if (waiting) await drop(tx, by, waiting, 'replaced');
  const takesEffectAt = new Date(now.getTime() + delayHours * HOUR_MS);
  const change = {
    merchantId,
    id: newId(now),
    kind,
    projectId,
    fromAddress: wanted.kind === 'address' ? wanted.from : null,
    address: wanted.kind === 'address' ? wanted.to : null,
    fromDelayHours: wanted.kind === 'delay' ? wanted.from : null,
    delayHours: wanted.kind === 'delay' ? wanted.to : null,
    requestedBy: actor,
    requestedAt: now,
    takesEffectAt,
  };
  await payoutChanges.insert(tx, change);
  const detail = { kind, projectId, from, to, takesEffectAt: takesEffectAt.toISOString() };
  await recordAudit(tx, { ...by, action: 'payout_change.requested', targetId: change.id, detail });
  const told = { actor, at: now, takesEffectAt };
  if (wanted.kind === 'delay')
    await queueDelayEmails(tx, merchantId, { ...told, from: wanted.from, to: wanted.to });
  else {
    const facts = { ...told, from: wanted.from, to: wanted.to, projectName };
    await announcePayout(tx, { merchantId, projectId }, facts);
  }
}

/** For a change that takes effect immediately: the pending one is obsolete. */
export async function replacePending(tx: Tx, by: By, target: Target): Promise<void> {
  const waiting = await findPending(tx, by.merchantId, target);
  if (waiting) await drop(tx, by, waiting, 'replaced');
}

/** Cancels it, and e-mails the owners about that too. 404 if it was already canceled, replaced or applied. */
export async function cancelPending(tx: Tx, by: By, id: string): Promise<void> {
  const canceled = await deletePending(tx, by.merchantId, id);
  if (!canceled) throw new AppError('NOT_FOUND');
  await auditEnd(tx, by, canceled, 'canceled');
  const { kind, fromAddress: from, address: to, projectId, projectName, takesEffectAt } = canceled;
  const told = { actor: by.actor, at: by.now, takesEffectAt, isCanceled: true };
  if (kind === 'address') await announcePayout(tx, { ...by, projectId }, { ...told, from, to, projectName });
  else {
    const delay = { from: canceled.fromDelayHours!, to: canceled.delayHours! };
    await queueDelayEmails(tx, by.merchantId, { ...told, ...delay });
  }
}

/** Another merchant proved that the wallet is theirs: drops every pending change to it. */
export async function losePending(tx: Tx, by: By, address: string): Promise<void> {
  for (const lost of await deletePendingTo(tx, by.merchantId, address)) {
    await auditEnd(tx, by, lost, 'taken over');
    await announcePayout(
      tx,
      { ...by, projectId: lost.projectId },
      {
        from: lost.fromAddress,
        to: address,
        projectName: lost.projectName,
        actor: by.actor,
        at: by.now,
        isTakenOver: true,
        takesEffectAt: lost.takesEffectAt,
      },
    );
  }
}

/** Audits that a change which was taken off the list will not happen. */
export async function auditEnd(tx: Tx, by: By, change: PendingChange, reason: string): Promise<void> {
  const { kind, projectId, id: targetId } = change;
  const detail = {
    kind,
    projectId,
    from: kind === 'delay' ? change.fromDelayHours : change.fromAddress,
    to: kind === 'delay' ? change.delayHours : change.address,
    reason,
  };
  await recordAudit(tx, { ...by, action: 'payout_change.canceled', targetId, detail });
}

async function findPending(tx: Tx, merchantId: string, { kind, projectId }: Target) {
  const all = await listPending(tx, merchantId);
  return all.find((change) => change.kind === kind && change.projectId === projectId);
}

/** Nothing to do for one that was canceled meanwhile. */
async function drop(tx: Tx, by: By, { id }: PendingChange, reason: string): Promise<void> {
  const dropped = await deletePending(tx, by.merchantId, id);
  if (dropped) await auditEnd(tx, by, dropped, reason);
}

export const PendingChangeView = Shape('PendingPayoutChange', {
  id: Uuid('Cancels it: `DELETE /api/b2b/merchants/payout-changes/{payoutChangeId}`.'),
  kind: OneOf(['address', 'delay'], 'What will change: a payout address, or the delay itself.'),
  projectId: Nullable(Uuid('The project whose address will change; null: the merchant’s own.')),
  payoutAddress: Nullable(
    Text({ max: 64, description: 'The new address; null: the project returns to the merchant’s own.' }),
  ),
  payoutChangeDelayHours: Nullable(Int32({ description: 'The new delay.' })),
  requestedBy: Text({ description: 'As the audit log names them.' }),
  requestedAt: Timestamp(),
  takesEffectAt: Timestamp('Until then it can be canceled.'),
});

export function presentPending(change: PendingChange | undefined) {
  if (!change) return null;
  const { id, kind, projectId, requestedBy, requestedAt, takesEffectAt } = change;
  const { address: payoutAddress, delayHours: payoutChangeDelayHours } = change;
  return {
    id,
    kind,
    projectId,
    payoutAddress,
    payoutChangeDelayHours,
    requestedBy,
    requestedAt,
    takesEffectAt,
  };
}
