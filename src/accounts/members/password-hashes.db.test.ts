import { expect, test } from 'vitest';
import { testService } from '../../../test/support/service.ts';
import { hashPassword } from './password.ts';

test('the database takes no hash that is not ours, or takes more work', async () => {
  const { db, createMerchant } = await testService();
  const shop = await createMerchant();
  const insert = (hash: string | null) =>
    db.query(
      `insert into members (merchant_id, id, email, name, role, password_hash, created_at, updated_at)
       values ($1, gen_random_uuid(), gen_random_uuid() || '@shop.example', 'x', 'owner', $2, now(), now())`,
      [shop.id, hash],
    );
  const good = await hashPassword('correct horse battery');
  for (const hash of ['garbage', '', good.replace('19456', '99999'), good.replace('t=2', 't=9'), `${good}A`])
    await expect(insert(hash)).rejects.toThrow('members_password_hash');
  for (const hash of [
    null,
    good,
    await hashPassword('x', { cost: { memory: 64, passes: 1, parallelism: 1 } }),
  ])
    await insert(hash);
});
