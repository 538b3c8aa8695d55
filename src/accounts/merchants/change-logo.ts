import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { forgetImage, type NewImage, storeImage } from '../images/store-image.ts';
import { type Change, lockExisting } from './change-merchant.ts';
import { merchants } from './merchant.ts';
import type { Brand } from './read-brand.ts';

/** Shows another image to customers, or none with null. The same again changes nothing. */
export async function changeLogo(tx: Tx, change: Change, logo: NewImage | null): Promise<Brand> {
  const { merchantId, now } = change;
  const before = await lockExisting(tx, merchantId);
  const logoFile = logo?.fileName ?? null;
  if (logoFile === before.logoFile) return before;
  if (logo) await storeImage(tx, merchantId, logo, now);
  await merchants.update(tx, before, { logoFile });
  await forgetImage(tx, merchantId, before.logoFile);
  const detail = { before: { logo: before.logoFile }, after: { logo: logoFile } };
  await recordAudit(tx, { ...change, action: 'merchant.brand_changed', detail });
  return { ...before, logoFile };
}
