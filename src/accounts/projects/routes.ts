import type { Rpc } from '../../chain/solana/rpc.ts';
import { type Environment, SCOPES } from '../../platform/access/key.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { Database } from '../../platform/db/database.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Int64, Name, Nullable, OneOf, Optional, Shape, Text } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { BrandColor } from '../merchants/brand-color.ts';
import { SellerBody } from '../parties/party-schema.ts';
import { inspectAddress } from '../payouts/inspect-address.ts';
import { archiveProject } from './archive-project.ts';
import { billingRoute } from './billing-route.ts';
import { createProject, requirePayoutRights } from './create-project.ts';
import { patchProject } from './patch-project.ts';
import {
  ProjectColumns,
  ProjectView,
  type ProjectWithPendingChange,
  presentProject,
  SettingsChange,
} from './present.ts';
import { findProject, listProjects } from './queries.ts';
import { withPendingChange, withPendingChanges } from './with-pending-changes.ts';

const writable = {
  brandName: Optional(Nullable(Name({ description: 'What customers see; null: the merchant’s name.' }))),
  brandColor: Optional(Nullable(BrandColor)),
  payoutAddress: Optional(
    Nullable(
      Text({
        max: 64,
        description: 'A Solana address, base58; null: the merchant’s own. Requires all four scopes.',
      }),
    ),
  ),
  monthlyVolumeLimitCents: Optional(Nullable(Int64({ min: 0, description: 'Null: no limit.' }))),
  monthlyRequestLimit: Optional(Nullable(Int64({ min: 0, description: 'Null: no limit.' }))),
  settings: Optional(SettingsChange),
  seller: Optional(Nullable(SellerBody)),
};

const CreateProjectBody = Shape('CreateProjectRequest', {
  name: Name(),
  environment: Optional(OneOf(['mainnet', 'devnet'], 'Must be the server’s own, which is the default.')),
  ...writable,
});

const PatchProjectBody = Shape('UpdateProjectRequest', { name: Optional(Name()), ...writable });

const ListProjectsQuery = Shape(undefined, {
  ...pageQuery,
  archived: Optional(Flag('true: only archived projects. Otherwise only active ones.')),
});

/** Errors that occur only if a payout address is named. */
const PAYOUT_ERRORS = ['STEP_UP_REQUIRED', 'PAYOUT_ADDRESS_TAKEN', 'SERVICE_UNAVAILABLE'] as const;

/** Before the transaction, because it calls a node; the caller's permission to set an address is checked first. */
async function lookAtAddress(
  rpc: Rpc,
  principal: Principal,
  { payoutAddress }: { payoutAddress?: string | null },
): Promise<void> {
  if (typeof payoutAddress !== 'string') return;
  requirePayoutRights(principal);
  await inspectAddress(rpc, payoutAddress);
}

/** Assistants do not decide where money goes, how much of it they may refund, what customers who already pay are charged or for how long they owe it, whether fees are sponsored, who is taxed, whom buyers write to, or how customers sign in. */
const PROJECT_RULES = {
  refused: [
    ...['payoutAddress', 'seller'],
    ...['settings.agentRefundLimitCents', 'settings.sponsorFees', 'settings.embedOrigins'],
    ...['settings.supportEmail', 'settings.termsUrl', 'settings.portalSignIn'],
    ...['settings.usageCredits', 'settings.gracePeriodDays'],
  ],
} as const;

export interface ProjectRoutes {
  db: Database;
  clock: Clock;
  rpc: Rpc;
  environment: Environment;
  publicUrl(): string;
}

export function projectRoutes(app: App, parts: ProjectRoutes): void {
  const { db, clock, rpc, environment } = parts;
  const tag = 'Projects';
  const present = (project: ProjectWithPendingChange) => presentProject(project, parts);

  billingRoute(app, {
    method: 'POST',
    path: '/projects',
    id: 'createProject',
    sdk: 'projects.create',
    assistant: { write: PROJECT_RULES },
    tag,
    summary: 'Create a project',
    description: 'Every customer, product, price and sale belongs to one project.',
    scopes: ['billing:write'],
    moreScopes: { field: 'payoutAddress', scopes: SCOPES },
    verified: true,
    body: CreateProjectBody,
    idempotency: 'text',
    success: { status: 201, schema: ProjectView, description: 'The new project.' },
    errors: [...PAYOUT_ERRORS, ...(['BAD_REQUEST', 'INVALID_STATE'] as const)],
    async handle({ principal, body, idempotencyKey, serialize }) {
      if (body.environment !== undefined && body.environment !== environment) {
        throw badField('environment', `must be ${environment} on this server`);
      }
      await lookAtAddress(rpc, principal, body);
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createProject', key: idempotencyKey, body, now };
      const answer = await withIdempotency(db, request, async (tx) => {
        const project = await createProject(tx, principal, body, now);
        return { status: 201, text: serialize(present(project)) };
      });
      app.projectRequests.forgetMerchant(principal.merchantId);
      return answer;
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/projects',
    id: 'listProjects',
    sdk: 'projects.list',
    assistant: 'read',
    tag,
    summary: 'List projects',
    scopes: ['billing:read'],
    query: ListProjectsQuery,
    csv: true,
    success: { status: 200, schema: Page('ProjectPage', ProjectView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        ProjectColumns,
        async (range) => {
          const { merchantId } = call.principal;
          const rows = await listProjects(db, merchantId, call.query.archived ?? false, range);
          return withPendingChanges(db, merchantId, rows);
        },
        present,
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/projects/{projectId}',
    id: 'getProject',
    sdk: 'projects.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a project',
    scopes: ['billing:read'],
    success: { status: 200, schema: ProjectView, description: 'The project, archived or not.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const { merchantId } = principal;
      const project = await findProject(db, { merchantId, id: params.projectId! });
      if (!project) throw new AppError('NOT_FOUND');
      return present(await withPendingChange(db, project));
    },
  });

  changeRoutes(app, parts);
}

function changeRoutes(app: App, parts: ProjectRoutes): void {
  const { db, clock, rpc } = parts;
  const tag = 'Projects';

  billingRoute(app, {
    method: 'PATCH',
    path: '/projects/{projectId}',
    id: 'updateProject',
    sdk: 'projects.update',
    assistant: { write: PROJECT_RULES },
    tag,
    summary: 'Update a project',
    description:
      'Changes only the fields you send; null clears. A limit applies from now on; a new volume limit includes what was already counted this month. A new payout address is delayed by the merchant’s `payoutChangeDelayHours` as `pendingChange`, unless the project could not be paid before.',
    scopes: ['billing:write'],
    moreScopes: { field: 'payoutAddress', scopes: SCOPES },
    body: PatchProjectBody,
    success: { status: 200, schema: ProjectView, description: 'The project as it is now.' },
    errors: [...PAYOUT_ERRORS, 'BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const id = params.projectId!;
      const before = await findProject(db, { merchantId: principal.merchantId, id });
      if (before && before.payoutAddress !== body.payoutAddress) await lookAtAddress(rpc, principal, body);
      const project = await db.transaction((tx) => patchProject(tx, principal, id, body, clock.now()));
      app.projectRequests.forget(project);
      return presentProject(await withPendingChange(db, project), parts);
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/projects/{projectId}',
    id: 'deleteProject',
    sdk: 'projects.delete',
    assistant: { write: { destructive: true } },
    tag,
    summary: 'Archive a project',
    description:
      'It can still be read, but accepts nothing new and asks for nothing: what could still be paid in it is canceled. Not while an invoice is open or a payment under way. Deleting it again changes nothing.',
    scopes: ['billing:write'],
    success: { status: 204, description: 'The project is archived.' },
    errors: ['NOT_FOUND', 'PROJECT_NOT_EMPTY'],
    async handle({ principal, params }) {
      await db.transaction((tx) => archiveProject(tx, principal, params.projectId!, clock.now()));
    },
  });
}
