import { SCOPES } from '../../platform/access/key.ts';
import {
  type Principal,
  requireOwner,
  requireScopes,
  requireStepUp,
} from '../../platform/access/principal.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/lib/ids.ts';
import { readSeller, type SellerInput } from '../parties/read-party.ts';
import { claimAddress } from '../payouts/claim-address.ts';
import { requireWalletAddress } from '../payouts/payout-address.ts';
import { requireOwnPrefix, withOwnPrefix } from './own-prefix.ts';
import { requireOrigins, requireTermsUrl } from './page-settings.ts';
import { requireMailServer } from './portal-sign-in.ts';
import { DEFAULT_SETTINGS, type Project, type ProjectSettings } from './project.ts';
import { insertProject } from './queries.ts';

export interface ProjectInput {
  name?: string | undefined;
  brandName?: string | null | undefined;
  brandColor?: string | null | undefined;
  payoutAddress?: string | null | undefined;
  monthlyVolumeLimitCents?: bigint | null | undefined;
  monthlyRequestLimit?: bigint | null | undefined;
  seller?: SellerInput | null | undefined;
  settings?: { [Key in keyof ProjectSettings]?: ProjectSettings[Key] | undefined } | undefined;
}

/** A new project. Giving it its own payout address requires a key with all scopes. */
export async function createProject(
  tx: Tx,
  principal: Principal,
  input: ProjectInput & { name: string },
  now: Date,
): Promise<Project> {
  const { merchantId, actor } = principal;
  const payoutAddress = input.payoutAddress ?? null;
  if (payoutAddress !== null) {
    requirePayoutRights(principal);
    requireWalletAddress(payoutAddress);
    await claimAddress(tx, { merchantId, address: payoutAddress, now });
  }
  const settings = mergeSettings(DEFAULT_SETTINGS, input.settings);
  requireAgentRights(principal, DEFAULT_SETTINGS, settings);
  requireMailServer(tx, DEFAULT_SETTINGS, settings);
  const drafted: Project = {
    id: newId(now),
    merchantId,
    name: input.name,
    brandName: input.brandName ?? null,
    brandColor: input.brandColor?.toLowerCase() ?? null,
    logoFile: null,
    payoutAddress,
    monthlyVolumeLimitCents: input.monthlyVolumeLimitCents ?? null,
    monthlyRequestLimit: input.monthlyRequestLimit ?? null,
    settings,
    seller: input.seller ? await readSeller(input.seller) : null,
    lastInvoiceNumber: 0n,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
  };
  const isChosen = input.settings?.invoicePrefix !== undefined;
  const project = await (isChosen ? requireOwnPrefix(tx, drafted) : withOwnPrefix(tx, drafted));
  await insertProject(tx, project);
  await recordAudit(tx, {
    merchantId,
    actor,
    action: 'project.created',
    targetId: project.id,
    detail: { name: project.name, payoutAddress },
    now,
  });
  return project;
}

/** Only a key that holds every scope, or an owner who just proved it is them, decides where money goes. */
export function requirePayoutRights(principal: Principal): void {
  requireScopes(principal, SCOPES);
  requireOwner(principal);
  requireStepUp(principal);
}

/** Only a caller that is allowed to refund may let assistants refund more. */
export function requireAgentRights(
  principal: Principal,
  before: ProjectSettings,
  after: ProjectSettings,
): void {
  if (after.agentRefundLimitCents > before.agentRefundLimitCents) requirePayoutRights(principal);
}

/** Merged key by key: settings that are not sent stay. */
export function mergeSettings(settings: ProjectSettings, change: ProjectInput['settings']): ProjectSettings {
  requireOrigins('settings.embedOrigins', change?.embedOrigins ?? []);
  requireTermsUrl('settings.termsUrl', change?.termsUrl);
  const named = Object.entries(change ?? {}).filter(([, value]) => value !== undefined);
  return { ...settings, ...Object.fromEntries(named) };
}
