import { hash } from 'node:crypto';
import { isSignedBy } from '../../accounts/payouts/challenge.ts';
import { toDecimal } from '../../chain/solana/pay-url.ts';
import { payerKindOf } from '../../chain/solana/payer-kind.ts';
import { withdrawClaimEmail } from '../../email/queue-email.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isSignature } from '../../platform/lib/base58.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { newToken } from '../../platform/lib/token.ts';
import { changeRefund } from './change-refund.ts';
import { findRefundByClaim, lockRefund, updateClaimToken } from './queries.ts';
import { type AddressSource, isOver, type Refund, refundNumber } from './refund.ts';

/** 256 bits; the log knows its form and never shows one. */
function mintToken(): string {
  return newToken('refund');
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

export interface ClaimLink {
  url: string;
  expiresAt: Date;
}

/** A page for the customer who holds the link; a new link ends the one before. */
export async function createClaimLink(
  tx: Tx,
  { merchantId, id, actor, publicUrl, now }: ClaimRequest,
): Promise<ClaimLink> {
  const refund = await lockRefund(tx, { merchantId, id });
  if (!refund) throw new AppError('NOT_FOUND');
  requireOpen(refund, now);
  const url = await mintClaimUrl(tx, refund, publicUrl);
  await withdrawClaimEmail(tx, merchantId, id);
  await recordAudit(tx, { merchantId, actor, action: 'refund.claim_link_created', targetId: id, now });
  return { url, expiresAt: refund.expiresAt };
}

/** Only the hash of what opens the page is kept. */
export async function mintClaimUrl(tx: Tx, refund: Ref, publicUrl: string): Promise<string> {
  const token = mintToken();
  await updateClaimToken(tx, refund, hashToken(token));
  return `${publicUrl}/refunds/${token}`;
}

export interface ClaimRequest {
  merchantId: string;
  id: string;
  actor: string;
  publicUrl: string;
  now: Date;
}

/** The refund of a claim link; a forged one is a 404. */
export async function findClaimedRefund(db: Database, token: string): Promise<Refund> {
  const refund = await findRefundByClaim(db, hashToken(token));
  if (!refund) throw new AppError('NOT_FOUND');
  return refund;
}

/**
 * Message that a wallet signs to receive a refund at the address it paid from. It is valid only for this refund and
 * this address.
 */
export function proofMessage(refund: Refund, address: string, publicUrl: string): string {
  return [
    `${new URL(publicUrl).host} asks you to confirm where your refund goes.`,
    '',
    'Signing moves no money.',
    '',
    `Refund: ${refundNumber(refund.number)} (${refund.id})`,
    `Amount: ${toDecimal(centsToBaseUnits(refund.amountCents))} USDC`,
    `Address: ${address}`,
  ].join('\n');
}

/** The wallet that the customer may sign with to get the money back there; null where the payer is a program or an exchange. */
export function provablePayer({ payerAddress }: Refund): string | null {
  return payerKindOf(payerAddress) === 'wallet' ? payerAddress : null;
}

export interface NamedAddress {
  /** Inspected already. */
  address: string;
  signature: string | undefined;
  publicUrl: string;
  mint: string;
  now: Date;
}

/**
 * The customer names where the money should go. It waits for the merchant's approval, except where the very wallet
 * that paid has signed for it.
 */
export async function nameAddress(tx: Tx, claimed: Refund, input: NamedAddress): Promise<Refund> {
  const { address, signature, mint, now } = input;
  const before = (await lockRefund(tx, claimed))!;
  requireOpen(before, now);
  if (before.status !== 'awaiting_address')
    throw new AppError('INVALID_STATE', { message: 'The address of this refund has been approved already.' });
  const isProven = signature !== undefined && requireProof(before, input, signature);
  const source: AddressSource = isProven && address === provablePayer(before) ? 'payer' : 'customer';
  const isApproved = source === 'payer';
  const after: Refund = {
    ...before,
    address,
    addressSource: source,
    addressApprovedAt: isApproved ? now : null,
    status: isApproved ? 'ready' : 'awaiting_address',
  };
  if (before.address === address && before.status === after.status) return before;
  return changeRefund(tx, { before, after, event: 'refund.address_received', mint, now });
}

function requireProof(refund: Refund, { address, publicUrl }: NamedAddress, signature: string): true {
  if (!isSignature(signature)) throw badField('signature', 'must be an ed25519 signature in base58');
  if (!isSignedBy(address, proofMessage(refund, address, publicUrl), signature))
    throw badField('signature', 'is not this wallet’s signature of the message');
  return true;
}

export function requireOpen(refund: Refund, now: Date): void {
  if (refund.status === 'succeeded')
    throw new AppError('INVALID_STATE', { message: 'This refund has been sent already.' });
  if (refund.status === 'canceled')
    throw new AppError('INVALID_STATE', { message: 'This refund was canceled.' });
  if (isOver(refund) || refund.expiresAt <= now)
    throw new AppError('INVALID_STATE', { message: 'This refund has expired.' });
}
