import type { Principal } from '../../platform/access/principal.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { canonicalJson, type Json } from '../../platform/lib/json.ts';
import { readPayoutRules } from '../merchants/read-payout.ts';
import { readSeller } from '../parties/read-party.ts';
import { claimAddress } from '../payouts/claim-address.ts';
import { requireWalletAddress } from '../payouts/payout-address.ts';
import { replacePending, requestChange } from '../payouts/pending-change.ts';
import { emailPayoutAddressChange } from './apply-payout-change.ts';
import {
  mergeSettings,
  type ProjectInput,
  requireAgentRights,
  requirePayoutRights,
} from './create-project.ts';
import { requireOwnPrefix, withOwnPrefix } from './own-prefix.ts';
import { requireMailServer } from './portal-sign-in.ts';
import type { Project } from './project.ts';
import { lockProjectForChange, updateProject } from './queries.ts';
import { monthOf, recountVolume } from './volume.ts';

const CHANGEABLE = [
  'name',
  'brandName',
  'brandColor',
  'payoutAddress',
  'monthlyVolumeLimitCents',
  'monthlyRequestLimit',
  'settings',
  'seller',
] as const;

/**
 * Changes the given fields only. A new volume limit applies from the commit on: it waits for concurrent sessions
 * created without it, and counts them.
 */
export async function patchProject(
  tx: Tx,
  principal: Principal,
  id: string,
  change: ProjectInput,
  now: Date,
): Promise<Project> {
  const { merchantId } = principal;
  const before = await lockProjectForChange(tx, { merchantId, id });
  if (!before) throw new AppError('NOT_FOUND');
  if (before.archivedAt) throw new AppError('INVALID_STATE', { message: 'This project is archived.' });
  const wanted = await numberedApart(tx, await apply(before, change), before, change);
  requireAgentRights(principal, before.settings, wanted.settings);
  requireMailServer(tx, before.settings, wanted.settings);
  const payoutAddress = await payoutAddressNow(tx, principal, before, wanted, now);
  const after = { ...wanted, payoutAddress };
  const fields = CHANGEABLE.filter(
    (field) => canonicalJson(before[field] as Json) !== canonicalJson(after[field] as Json),
  );
  if (fields.length === 0) return before;

  const project = { ...after, updatedAt: now };
  await updateProject(tx, project);
  if (before.monthlyVolumeLimitCents === null && project.monthlyVolumeLimitCents !== null) {
    await recountVolume(tx, project, monthOf(now));
  }
  await audit(tx, principal, before, project, fields);
  return project;
}

/**
 * The address that takes effect now. Another one is delayed by the merchant's delay, unless the project could not be
 * paid before. So is returning to the merchant's own address, because that redirects money too.
 */
async function payoutAddressNow(
  tx: Tx,
  principal: Principal,
  before: Project,
  { payoutAddress: address, name: projectName }: Project,
  now: Date,
): Promise<string | null> {
  const { merchantId, id: projectId, payoutAddress: from } = before;
  if (address === from) return from;
  requirePayoutRights(principal);
  if (address !== null) {
    requireWalletAddress(address);
    await claimAddress(tx, { merchantId, address, now });
  }
  const by = { merchantId, actor: principal.actor, now };
  const own = await readPayoutRules(tx, merchantId);
  if (own.payoutChangeDelayHours > 0 && (from ?? own.payoutAddress) !== null) {
    const change = { kind: 'address', projectId, projectName, from, to: address } as const;
    await requestChange(tx, by, change, own.payoutChangeDelayHours);
    return from;
  }
  await replacePending(tx, by, { kind: 'address', projectId });
  return address;
}

async function apply(project: Project, change: ProjectInput): Promise<Project> {
  const or = <Value>(value: Value | undefined, old: Value) => (value === undefined ? old : value);
  return {
    ...project,
    name: or(change.name, project.name),
    brandName: or(change.brandName, project.brandName),
    brandColor: or(change.brandColor, project.brandColor)?.toLowerCase() ?? null,
    payoutAddress: or(change.payoutAddress, project.payoutAddress),
    monthlyVolumeLimitCents: or(change.monthlyVolumeLimitCents, project.monthlyVolumeLimitCents),
    monthlyRequestLimit: or(change.monthlyRequestLimit, project.monthlyRequestLimit),
    settings: mergeSettings(project.settings, change.settings),
    seller: change.seller ? await readSeller(change.seller) : or(change.seller, project.seller),
  };
}

/**
 * Another seller may have other projects. Once invoices have numbers, or where the caller names a prefix, it stays, if it
 * is the project's own.
 */
async function numberedApart(
  tx: Tx,
  wanted: Project,
  before: Project,
  change: ProjectInput,
): Promise<Project> {
  const isSame = canonicalJson(before.seller as Json) === canonicalJson(wanted.seller as Json);
  const isChosen = wanted.settings.invoicePrefix !== before.settings.invoicePrefix;
  if (isSame && !isChosen) return wanted;
  const stays = isChosen || change.settings?.invoicePrefix !== undefined;
  if (stays || wanted.lastInvoiceNumber > 0n) return requireOwnPrefix(tx, wanted);
  return withOwnPrefix(tx, wanted);
}

async function audit(
  tx: Tx,
  { merchantId, actor }: Principal,
  before: Project,
  after: Project,
  fields: readonly (typeof CHANGEABLE)[number][],
): Promise<void> {
  const entry = { merchantId, actor, targetId: after.id, now: after.updatedAt };
  if (fields.includes('payoutAddress')) await emailPayoutAddressChange(tx, actor, before, after);
  const others = fields.filter((field) => field !== 'payoutAddress');
  if (others.length === 0) return;
  const pick = (project: Project) => Object.fromEntries(others.map((field) => [field, project[field]]));
  const detail = { before: pick(before), after: pick(after) };
  await recordAudit(tx, { ...entry, action: 'project.changed', detail });
}
