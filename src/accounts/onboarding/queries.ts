import type { Queryable } from '../../platform/db/database.ts';

export interface Proofs {
  payoutAddress: string | null;
  hasSignature: boolean;
  /** Its owner said that a payment shows in their wallet. */
  isSeenInWallet: boolean;
  /** A payment succeeded at the address that is set now. */
  hasPaymentThere: boolean;
  hasPayment: boolean;
  hasLink: boolean;
  hasReceiver: boolean;
  hasDelivery: boolean;
  hasBackup: boolean;
  hasSecondWayIn: boolean;
  hasSupportAddress: boolean;
}

/** Reads from the rows what a merchant has done so far, at any time. */
export async function findProofs(db: Queryable, merchantId: string): Promise<Proofs> {
  const [row] = await db.query<Proofs>(
    `select m.payout_address,
            exists (select from payout_addresses a where a.merchant_id = m.id and a.address = m.payout_address
                       and a.verified_at is not null) as has_signature,
            exists (select from payout_addresses a where a.merchant_id = m.id and a.address = m.payout_address
                       and a.seen_in_wallet_at is not null) as is_seen_in_wallet,
            exists (select from payment_intents i where i.merchant_id = m.id and i.status = 'succeeded'
                       and i.destination_address = m.payout_address) as has_payment_there,
            exists (select from payment_intents i where i.merchant_id = m.id and i.status = 'succeeded') as has_payment,
            exists (select from payment_links l where l.merchant_id = m.id) as has_link,
            exists (select from webhook_endpoints w where w.merchant_id = m.id and w.is_active
                       and (w.url is not null or w.kind <> 'webhook')) as has_receiver,
            exists (select from webhook_deliveries d where d.merchant_id = m.id and d.status = 'succeeded') as has_delivery,
            exists (select from installation where backed_up_at is not null) as has_backup,
            (select count(*) > 1 from members b where b.merchant_id = m.id and b.removed_at is null
                and b.disabled_at is null)
              or exists (select from members b join passkeys k on k.merchant_id = b.merchant_id and k.member_id = b.id
                          where b.merchant_id = m.id and b.removed_at is null and b.disabled_at is null
                          group by b.id, b.password_hash
                         having count(*) + (b.password_hash is not null)::integer > 1) as has_second_way_in,
            exists (select from projects p where p.merchant_id = m.id and p.archived_at is null
                       and p.settings ->> 'supportEmail' is not null) as has_support_address
       from merchants m where m.id = $1`,
    [merchantId],
  );
  return row!;
}
