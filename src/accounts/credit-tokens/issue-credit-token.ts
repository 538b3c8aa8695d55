import type { Database } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { makeCreditToken } from './credit-token.ts';
import { findGeneration } from './queries.ts';

/** What a customer shows in order to spend their credits: the same one until it is revoked. */
export async function issueCreditToken(
  { db, secrets }: { db: Database; secrets: SecretBox },
  customer: { merchantId: string; customerId: string },
): Promise<string> {
  return makeCreditToken(secrets, { ...customer, generation: await findGeneration(db, customer) });
}
