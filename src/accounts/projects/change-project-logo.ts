import type { Principal } from '../../platform/access/principal.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { forgetImage, type NewImage, storeImage } from '../images/store-image.ts';
import { type Project, projects } from './project.ts';
import { lockProjectForChange } from './queries.ts';

/** Shows another image to the project's customers, or the merchant's with null. The same again changes nothing. */
export async function changeProjectLogo(
  tx: Tx,
  { merchantId, actor }: Principal,
  id: string,
  logo: NewImage | null,
  now: Date,
): Promise<Project> {
  const before = await lockProjectForChange(tx, { merchantId, id });
  if (!before) throw new AppError('NOT_FOUND');
  if (before.archivedAt) throw new AppError('INVALID_STATE', { message: 'This project is archived.' });
  const logoFile = logo?.fileName ?? null;
  if (logoFile === before.logoFile) return before;
  if (logo) await storeImage(tx, merchantId, logo, now);
  await projects.update(tx, before, { logoFile, updatedAt: now });
  await forgetImage(tx, merchantId, before.logoFile);
  const detail = { before: { logo: before.logoFile }, after: { logo: logoFile } };
  await recordAudit(tx, { merchantId, actor, targetId: id, now, action: 'project.changed', detail });
  return { ...before, logoFile, updatedAt: now };
}
