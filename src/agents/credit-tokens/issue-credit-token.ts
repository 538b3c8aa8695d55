import { findCustomer } from '../../accounts/customers/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { makeCreditToken } from './credit-token.ts';
import { findRevocation } from './queries.ts';

/** A purchase of credits, for whose payment the token is asked. */
export interface Purchase {
  merchantId: string;
  customerId: string;
  completedAt: Date;
  isRefunded: boolean;
}

/**
 * Issues the token that a customer shows in order to spend their credits: the one that the purchase was answered with,
 * and no other. A payment proves who paid then, not who sends it again now, so it never gets a token that was made
 * after its own was revoked.
 */
export async function issueCreditToken(
  { db, secrets }: { db: Database; secrets: SecretBox },
  { merchantId, customerId, completedAt, isRefunded }: Purchase,
): Promise<string> {
  if (isRefunded) throw new AppError('INVALID_STATE', { message: REFUNDED });
  const { generation, revokedAt } = await findRevocation(db, { merchantId, customerId });
  const isRevoked = revokedAt !== null && completedAt <= revokedAt;
  if (!(await findCustomer(db, { merchantId, id: customerId })))
    throw new AppError('INVALID_STATE', { message: DELETED });
  if (isRevoked) throw new AppError('INVALID_STATE', { message: REVOKED });
  return makeCreditToken(secrets, { merchantId, customerId, generation });
}

const REVOKED =
  'The credit token of this purchase was revoked. The credits are still there: the next purchase by the same wallet gets a new token, or ask the seller.';
const DELETED = 'The buyer of this purchase was deleted, and the credits with them.';
const REFUNDED = 'This purchase was refunded, so its payment no longer gets a credit token.';
