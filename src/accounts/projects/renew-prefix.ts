import { strict as assert } from 'node:assert';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { withOwnPrefix } from './own-prefix.ts';
import { lockProjectForChange, updateProject } from './queries.ts';

/** Characters that the date leaves, with its hyphen, of the 16 that a prefix may have. */
const ROOM = 9;

/**
 * From now on the project's invoice numbers begin with the day, such as INV-261118: numbers that were given out and
 * forgotten, because the database went back, are not given out again. The count continues, so it has no gap.
 */
export async function renewPrefix(
  tx: Tx,
  { actor, now, ...ref }: Ref & { actor: string; now: Date },
): Promise<string> {
  const before = await lockProjectForChange(tx, ref);
  assert(before, 'a project that has numbers stays');
  const own = before.settings.invoicePrefix.replace(/-\d{6,}$/, '').slice(0, ROOM);
  const day = now.toISOString().slice(2, 10).replaceAll('-', '');
  const settings = { ...before.settings, invoicePrefix: `${own}-${day}` };
  const after = await withOwnPrefix(tx, { ...before, settings, updatedAt: now });
  await updateProject(tx, after);
  await recordAudit(tx, {
    ...{ merchantId: ref.merchantId, actor, targetId: ref.id, now, action: 'project.changed' },
    detail: { before: { settings: before.settings }, after: { settings: after.settings } },
  });
  return after.settings.invoicePrefix;
}
