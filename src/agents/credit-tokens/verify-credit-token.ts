import type { Customer } from '../../accounts/customers/customer.ts';
import { findCustomer } from '../../accounts/customers/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { customerNamedIn, isCreditTokenOf } from './credit-token.ts';
import { findRevocation } from './queries.ts';

/** The customer of this merchant whose token it is; undefined where it is forged, revoked or of another merchant. */
export async function verifyCreditToken(
  { db, secrets }: { db: Database; secrets: SecretBox },
  merchantId: string,
  token: string,
): Promise<Customer | undefined> {
  const customerId = customerNamedIn(token);
  if (customerId === undefined) return undefined;
  const { generation } = await findRevocation(db, { merchantId, customerId });
  if (!isCreditTokenOf(secrets, token, { merchantId, customerId, generation })) return undefined;
  return findCustomer(db, { merchantId, id: customerId });
}
