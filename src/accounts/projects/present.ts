import type { Environment } from '../../platform/access/key.ts';
import {
  Email,
  Flag,
  Int32,
  Int64,
  List,
  MapOf,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { imageUrl } from '../images/image-url.ts';
import { SPONSOR_MODES } from '../merchants/sponsor-fees.ts';
import { SellerView } from '../parties/party-schema.ts';
import { PendingChangeView, type presentPending } from '../payouts/pending-change.ts';
import { offersSignIn, signInPath } from './portal-sign-in.ts';
import type { Project } from './project.ts';

const settings = {
  gracePeriodDays: Int32({
    min: 0,
    max: 90,
    description: 'How long a customer keeps access after an unpaid renewal.',
  }),
  renewalLeadDays: Int32({
    min: 1,
    max: 90,
    description: 'How long before a period ends its renewal is requested.',
  }),
  reminderDays: {
    ...List(Int32({ min: 1, max: 90 }), { max: 10 }),
    uniqueItems: true,
    description: 'Days before the end of a period on which the customer gets a reminder.',
  },
  invoicePrefix: {
    ...Text({
      max: 16,
      description: 'What invoice numbers begin with: letters, digits, _ . and -, a letter or a digit first.',
    }),
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
  },
  usageCredits: MapOf('^[a-z0-9_.:-]{1,64}$', Int32({ min: 1, max: 1_000_000_000 }), {
    max: 200,
    description:
      'Credits that one unit of a metric costs the customer, by metric: lower case letters, digits and _ . : -',
  }),
};

const EMBED_ORIGINS = {
  ...List(Text({ max: 255 }), { max: 20 }),
  uniqueItems: true,
  description:
    'Sites that may show this project’s checkout and payment links inside their own pages, each as `https://` and a host, with a port if it has one. `http://` is accepted for `localhost` and `127.0.0.1`.',
};

const SPONSOR_FEES =
  'Whether the sponsor pays the network fees of this project’s payers: never, only for wallets with next to no SOL, or always. Null: as the merchant has chosen.';
const AGENT_REFUND_LIMIT =
  'How much of one payment AI assistants that are connected by MCP may refund in total. 0, the default: nothing. Raising it requires all four scopes.';

const SUPPORT_EMAIL =
  'Where customers can reach you: linked on checkout and payment link pages, and the reply address of e-mails to them.';
const TERMS_URL = 'Your terms, linked on checkout and payment link pages: https.';

const PORTAL_SIGN_IN =
  'Whether customers can sign in to their portal by an e-mail that we send them, at `portalSignInUrl`. Requires a mail server.';

const PORTAL_PLAN_CHANGES = Int32({
  min: 0,
  max: 1_000,
  description:
    'How often within 24 hours a customer can change the plan of a subscription in their portal; 10 by default. 0: not at all.',
});

const LOW_BALANCE = '`customer.balance_low` is sent when a balance falls to this or below.';

/** Settings that a caller may change: each on its own, and none that does not exist. */
export const SettingsChange = Shape('ProjectSettingsChange', {
  gracePeriodDays: Optional(settings.gracePeriodDays),
  renewalLeadDays: Optional(settings.renewalLeadDays),
  reminderDays: Optional(settings.reminderDays),
  invoicePrefix: Optional(settings.invoicePrefix),
  usageCredits: Optional(settings.usageCredits),
  lowBalanceCredits: Optional(Nullable(Int64({ min: 1, description: LOW_BALANCE }))),
  sponsorFees: Optional(Nullable(OneOf(SPONSOR_MODES, SPONSOR_FEES))),
  agentRefundLimitCents: Optional(Int64({ min: 0, description: AGENT_REFUND_LIMIT })),
  embedOrigins: Optional(EMBED_ORIGINS),
  supportEmail: Optional(Nullable(Email(SUPPORT_EMAIL))),
  termsUrl: Optional(Nullable(Text({ max: 2048, description: TERMS_URL }))),
  portalSignIn: Optional(Flag(PORTAL_SIGN_IN)),
  portalPlanChangesPerDay: Optional(PORTAL_PLAN_CHANGES),
});

export const ProjectView = Shape('Project', {
  id: Uuid(),
  name: Text(),
  environment: OneOf(['mainnet', 'devnet'], 'That of this server; in the sandbox it is devnet.'),
  payoutAddress: Nullable(Text({ max: 64, description: 'Null: the merchant’s own.' })),
  monthlyVolumeLimitCents: Nullable(Int64({ description: 'Per UTC calendar month. Null: no limit.' })),
  monthlyRequestLimit: Nullable(Int64({ description: 'Per UTC calendar month. Null: no limit.' })),
  settings: Shape('ProjectSettings', {
    ...settings,
    lowBalanceCredits: Nullable(Int64({ description: LOW_BALANCE })),
    sponsorFees: Nullable(OneOf(SPONSOR_MODES, SPONSOR_FEES)),
    agentRefundLimitCents: Int64({ description: AGENT_REFUND_LIMIT }),
    embedOrigins: EMBED_ORIGINS,
    supportEmail: Nullable(Text({ description: SUPPORT_EMAIL })),
    termsUrl: Nullable(Text({ max: 2048, description: TERMS_URL })),
    portalSignIn: Flag(PORTAL_SIGN_IN),
    portalPlanChangesPerDay: PORTAL_PLAN_CHANGES,
  }),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
  archivedAt: Nullable(Timestamp('When it was deleted: it can still be read, but accepts nothing new.')),
  brandName: Nullable(Text({ description: 'What customers see. Null: the merchant’s name.' })),
  brandColor: Nullable(Text({ description: '`#rrggbb`. Null: the merchant’s colour.' })),
  logoUrl: Nullable(Text({ max: 2048, description: 'The project’s own image. Null: the merchant’s.' })),
  portalSignInUrl: Nullable(
    Text({ max: 2048, description: 'Where customers sign in to their portal by e-mail. Null: they cannot.' }),
  ),
  seller: Nullable(SellerView),
  pendingChange: Optional(PendingChangeView),
});

const { pendingChange: _, ...columns } = ProjectView.properties;
/** Columns of a list as CSV. */
export const ProjectColumns = { properties: columns };

export interface ProjectWithPendingChange extends Project {
  /** The pending payout address; absent if there is none. */
  pendingChange?: NonNullable<ReturnType<typeof presentPending>>;
}

/** The installation that a project is shown by. */
export interface ProjectContext {
  environment: Environment;
  publicUrl(): string;
  db: { queuesEmails: boolean };
}

export function presentProject(
  project: ProjectWithPendingChange,
  { environment, publicUrl, db }: ProjectContext,
) {
  const { merchantId: _, lastInvoiceNumber: __, logoFile, ...rest } = project;
  const portalSignInUrl = offersSignIn(project, db) ? `${publicUrl()}${signInPath(project.id)}` : null;
  return { ...rest, environment, logoUrl: imageUrl(publicUrl(), logoFile), portalSignInUrl };
}
