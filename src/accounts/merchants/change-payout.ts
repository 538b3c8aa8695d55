import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { announcePayout } from '../payouts/announce-payout.ts';
import { claimAddress } from '../payouts/claim-address.ts';
import { requireWalletAddress } from '../payouts/payout-address.ts';
import { deletePending, replacePending, requestChange } from '../payouts/pending-change.ts';
import type { PendingChange } from '../payouts/pending-queries.ts';
import { type Change, lockExisting } from './change-merchant.ts';
import { merchants } from './merchant.ts';

const OWN = { projectId: null, projectName: null };

/**
 * Applies to new intents only: each keeps the destination it was created with. It is delayed by the merchant's delay,
 * unless there is no address yet, since then no money can be diverted.
 */
export async function setPayoutAddress(tx: Tx, change: Change, address: string): Promise<void> {
  const { merchantId, now } = change;
  requireWalletAddress(address);
  const { payoutAddress: before, payoutChangeDelayHours: hours } = await lockExisting(tx, merchantId);
  if (before === address) return;
  await claimAddress(tx, { merchantId, address, now });
  if (before !== null && hours > 0) {
    await requestChange(tx, change, { kind: 'address', ...OWN, from: before, to: address }, hours);
    return;
  }
  await replacePending(tx, change, { kind: 'address', projectId: null });
  await changePayoutAddress(tx, change, before, address);
}

/** A longer delay applies immediately; a shorter one after the current delay. */
export async function setPayoutDelay(tx: Tx, change: Change, hours: number): Promise<void> {
  const { payoutChangeDelayHours: before } = await lockExisting(tx, change.merchantId);
  if (hours < before) {
    await requestChange(tx, change, { kind: 'delay', ...OWN, from: before, to: hours }, before);
  } else if (hours > before) {
    await replacePending(tx, change, { kind: 'delay', projectId: null });
    await changePayoutDelay(tx, change, before, hours);
  }
}

/** Applies a requested change; one that was canceled or replaced meanwhile is not applied. */
export async function applyMerchantChange(
  tx: Tx,
  { merchantId, id }: Pick<PendingChange, 'merchantId' | 'id'>,
  now: Date,
): Promise<void> {
  const before = await lockExisting(tx, merchantId);
  const due = await deletePending(tx, merchantId, id);
  if (!due) return;
  const change = { merchantId, actor: due.requestedBy, now };
  if (due.kind === 'delay')
    await changePayoutDelay(tx, change, before.payoutChangeDelayHours, due.delayHours!);
  else await changePayoutAddress(tx, change, before.payoutAddress, due.address);
}

/** Another merchant proved that the wallet is theirs, so no more payments can be requested there. */
export async function losePayoutAddress(tx: Tx, change: Change, address: string): Promise<void> {
  const { payoutAddress: before } = await lockExisting(tx, change.merchantId);
  if (before === address) await changePayoutAddress(tx, change, before, null);
}

async function changePayoutAddress(
  tx: Tx,
  { merchantId, actor, now }: Change,
  from: string | null,
  to: string | null,
): Promise<void> {
  await merchants.update(tx, { id: merchantId }, { payoutAddress: to });
  const facts = { from, to, projectName: null, actor, at: now, isTakenOver: to === null };
  await announcePayout(tx, { merchantId, projectId: null }, facts);
  const entry = { merchantId, actor, now, detail: { from, to } };
  await recordAudit(tx, { ...entry, action: 'merchant.payout_address_changed' });
}

async function changePayoutDelay(tx: Tx, change: Change, from: number, to: number): Promise<void> {
  await merchants.update(tx, { id: change.merchantId }, { payoutChangeDelayHours: to });
  await recordAudit(tx, { ...change, action: 'merchant.payout_delay_changed', detail: { from, to } });
}
