import { expect, test } from 'vitest';
import { newProject } from '../../../test/support/billing.ts';
import { testService } from '../../../test/support/service.ts';
import { renewPrefix } from './renew-prefix.ts';

test('invoice numbers begin with the day: within the length a prefix may have, apart from others of the seller, in the audit log', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const seller = { legalName: 'Shop Inc.', country: 'US' };
  const renew = (id: string, day: string) =>
    service.db.transaction((tx) =>
      renewPrefix(tx, { merchantId: shop.id, id, actor: 'operator', now: new Date(`${day}T12:00:00Z`) }),
    );
  const [one, two, long] = [
    await newProject(shop, { seller, settings: { invoicePrefix: 'INV' } }),
    await newProject(shop, { seller, settings: { invoicePrefix: 'INV-260101' } }),
    await newProject(shop, { settings: { invoicePrefix: 'SIXTEEN-LETTERS-' } }),
  ];
  expect(await renew(one.id, '2026-11-18')).toBe('INV-261118');
  expect(await renew(two.id, '2026-11-18')).toBe('INV-2611182');
  expect(await renew(long.id, '2026-11-18')).toBe('SIXTEEN-L-261118');
  expect(await renew(one.id, '2027-01-02')).toBe('INV-270102');
  const read = await shop.call('GET', `/api/v2/projects/${one.id}`);
  expect(read.body.settings.invoicePrefix).toBe('INV-270102');
  const [entry] = await service.db.query<{ actor: string; prefix: string }>(
    `select actor, detail #>> '{after,settings,invoicePrefix}' as prefix from audit_entries
      where merchant_id = $1 and target_id = $2 and action = 'project.changed' order by id desc limit 1`,
    [shop.id, one.id],
  );
  expect(entry).toEqual({ actor: 'operator', prefix: 'INV-270102' });
});
