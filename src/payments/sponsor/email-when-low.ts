import { queueSponsorEmails } from '../../email/queue-email.ts';
import type { Database } from '../../platform/db/database.ts';
import { deleteLow, insertLow, listSponsoringMerchants } from './queries.ts';
import type { Sponsor } from './sponsor.ts';

/** Low before it is off: topping it up takes some time. */
const LOW_FACTOR = 2n;

/**
 * E-mails the owners of every merchant whose payers would go without, once when the fee payer runs low and again only after
 * it was topped up, whichever process notices. They see its address in their dashboard and can top it up; the operator,
 * who has no address here, has metrics, the log and `florin doctor`.
 */
export async function emailWhenLow(
  db: Database,
  sponsor: Sponsor,
  balanceLamports: bigint,
  now: Date,
): Promise<void> {
  const { feePayer, minLamports, defaultMode } = sponsor;
  const { address } = feePayer;
  if (balanceLamports >= minLamports * LOW_FACTOR) return deleteLow(db, address);
  await db.transaction(async (tx) => {
    if (!(await insertLow(tx, address, now))) return;
    const facts = { address, balanceLamports: `${balanceLamports}`, minLamports: `${minLamports}`, at: now };
    for (const { id } of await listSponsoringMerchants(tx, defaultMode))
      await queueSponsorEmails(tx, id, facts);
  });
}
