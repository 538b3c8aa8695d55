import type { Queryable } from '../../platform/db/database.ts';
import type { Member } from './member.ts';
import { hashPassword, saltOf } from './password.ts';
import { listMembersByEmail } from './queries.ts';

/**
 * Members of several merchants with the same e-mail address share a salt. So a sign-in, which does not name a
 * merchant, takes as long for all of them as for one, and its duration does not reveal how many there are.
 */
export async function hashPasswordFor(
  db: Queryable,
  { merchantId, email }: Pick<Member, 'merchantId' | 'email'>,
  password: string,
): Promise<string> {
  const others = (await listMembersByEmail(db, email)).filter((other) => other.merchantId !== merchantId);
  const salt = others.map(({ passwordHash }) => saltOf(passwordHash)).find((known) => known !== undefined);
  return hashPassword(password, { salt });
}
