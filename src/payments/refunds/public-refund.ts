import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import { PAYER_KIND, PAYER_KINDS, payerKindOf } from '../../chain/solana/payer-kind.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import type { Database } from '../../platform/db/database.ts';
import { Flag, Int64, Nullable, OneOf, Shape, Text, Timestamp } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { findClaimedRefund, nameAddress, proofMessage, provablePayer, requireOpen } from './claim.ts';
import { inspectReceiver } from './inspect-receiver.ts';
import { ADDRESS_SOURCES, REFUND_STATUSES, type Refund, refundNumber } from './refund.ts';

export const PublicRefundView = Shape('PublicRefund', {
  merchantName: Nullable(Text()),
  number: Text(),
  status: OneOf(REFUND_STATUSES),
  amountCents: Int64(),
  address: Nullable(Text({ description: 'Where the money goes, as far as it is known.' })),
  addressSource: Nullable(OneOf(ADDRESS_SOURCES)),
  isAddressApproved: Flag('Once it is, it can no longer be changed.'),
  payerAddress: Nullable(Text({ description: 'The address the payment came from, as far as it is known.' })),
  payerKind: Nullable(OneOf(PAYER_KINDS, PAYER_KIND)),
  proofMessage: Nullable(
    Text({
      max: 1000,
      description:
        'Signed with the wallet of payerAddress, it proves that the refund may go back there. Null where that is no wallet.',
    }),
  ),
  txSignature: Nullable(Text()),
  expiresAt: Timestamp(),
  succeededAt: Nullable(Timestamp()),
});

export interface PublicRefundParts {
  db: Database;
  clock: Clock;
  rpc: Rpc;
  mint: string;
  publicUrl(): string;
}

/** The holder of a claim link names the address, signed by that wallet or not. */
export async function claimRefund(
  parts: PublicRefundParts,
  token: string,
  address: string,
  signature: string | undefined,
): Promise<Refund> {
  const { db, clock, mint, publicUrl } = parts;
  const claimed = await findClaimedRefund(db, token);
  requireOpen(claimed, clock.now());
  await inspectReceiver(parts, claimed.merchantId, address);
  const input = { address, signature, publicUrl: publicUrl(), mint, now: clock.now() };
  return db.transaction((tx) => nameAddress(tx, claimed, input));
}

export async function presentPublicRefund({ db, publicUrl }: PublicRefundParts, refund: Refund) {
  const { merchantId, projectId, payerAddress } = refund;
  const provable = provablePayer(refund);
  const { name } = await readProjectBrand(db, { merchantId, id: projectId });
  const canProve = refund.status === 'awaiting_address' && provable !== null;
  return {
    merchantName: name,
    number: refundNumber(refund.number),
    status: refund.status,
    amountCents: refund.amountCents,
    address: refund.address,
    addressSource: refund.addressSource,
    isAddressApproved: refund.addressApprovedAt !== null,
    payerAddress,
    payerKind: payerKindOf(payerAddress),
    proofMessage: canProve ? proofMessage(refund, provable, publicUrl()) : null,
    txSignature: refund.txSignature,
    expiresAt: refund.expiresAt,
    succeededAt: refund.succeededAt,
  };
}
