import {
  bigint,
  cents,
  json,
  jsonText,
  nullable,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { canonicalJson, type Json, parseJson, stringifyJson } from '../../platform/lib/json.ts';
import type { SponsorMode } from '../merchants/sponsor-fees.ts';
import type { Seller } from '../parties/party.ts';

export const projects = table(
  'projects',
  {
    merchantId: uuid,
    id: uuid,
    name: text,
    /** Name that customers see instead of the merchant's; null: the merchant's. */
    brandName: nullable(text),
    /** `#rrggbb`, in lower case; null: the merchant's. */
    brandColor: nullable(text),
    /** File name in `logos`; null: the merchant's. */
    logoFile: nullable(text),
    /** Null: the merchant's own. */
    payoutAddress: nullable(text),
    monthlyVolumeLimitCents: nullable(cents),
    monthlyRequestLimit: nullable(bigint),
    /** Choices only. Numbers among them may have more digits than the driver would keep. */
    settings: withDefault(jsonText),
    /** Issuer of its invoices, for tax. */
    seller: nullable(json<Seller>()),
    lastInvoiceNumber: withDefault(bigint),
    createdAt: timestamp,
    updatedAt: timestamp,
    archivedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type ProjectRow = RowOf<typeof projects>;

export interface Project extends Omit<ProjectRow, 'settings'> {
  settings: ProjectSettings;
}

export interface ProjectSettings {
  /** How long an unpaid renewal keeps its access. */
  gracePeriodDays: number;
  /** How long before a period ends its renewal is requested. */
  renewalLeadDays: number;
  /** Days before the end of a period on which the customer is reminded. */
  reminderDays: number[];
  invoicePrefix: string;
  /** Credits that one unit of a metric costs. */
  usageCredits: Record<string, number>;
  /** Null: no low-balance event is sent. */
  lowBalanceCredits: bigint | null;
  /** Null: as the merchant has chosen. */
  sponsorFees: SponsorMode | null;
  /** How much of one payment AI assistants may refund in total. */
  agentRefundLimitCents: bigint;
  /** Sites that may show its checkout and its payment links inside their own pages. */
  embedOrigins: string[];
  /** Address at which buyers reach the seller: on pages, and when they reply to an e-mail. */
  supportEmail: string | null;
  /** The seller's terms, linked on pages. */
  termsUrl: string | null;
  /** True if customers can sign in to their portal by e-mail. */
  portalSignIn: boolean;
  /** How often a day customers can change the plan of a subscription in their portal. */
  portalPlanChangesPerDay: number;
}

export const DEFAULT_SETTINGS: ProjectSettings = {
  gracePeriodDays: 7,
  renewalLeadDays: 7,
  reminderDays: [3, 1],
  invoicePrefix: 'INV',
  usageCredits: {},
  lowBalanceCredits: null,
  sponsorFees: null,
  agentRefundLimitCents: 0n,
  embedOrigins: [],
  supportEmail: null,
  termsUrl: null,
  portalSignIn: false,
  portalPlanChangesPerDay: 10,
};

/** Every setting of a project, from what its row keeps. */
export function completeSettings(stored: Partial<Record<keyof ProjectSettings, unknown>>): ProjectSettings {
  const settings = { ...DEFAULT_SETTINGS, ...stored } as ProjectSettings;
  const { lowBalanceCredits } = settings;
  return {
    ...settings,
    lowBalanceCredits: lowBalanceCredits === null ? null : BigInt(lowBalanceCredits),
    agentRefundLimitCents: BigInt(settings.agentRefundLimitCents),
  };
}

/** Only what differs from the defaults is stored, so that a better default reaches everyone who never chose. */
function chosenSettings(settings: ProjectSettings): Partial<ProjectSettings> {
  const isDefault = (key: keyof ProjectSettings) =>
    canonicalJson(settings[key] as Json) === canonicalJson(DEFAULT_SETTINGS[key] as Json);
  const chosen = Object.entries(settings).filter(([key]) => !isDefault(key as keyof ProjectSettings));
  return Object.fromEntries(chosen);
}

export function toProject(row: ProjectRow): Project {
  return { ...row, settings: completeSettings(parseJson(row.settings) as Record<string, Json>) };
}

export function toRow(project: Project): ProjectRow {
  return { ...project, settings: stringifyJson(chosenSettings(project.settings)) };
}
