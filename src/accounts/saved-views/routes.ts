import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import {
  Flag,
  List,
  Name,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { dashboardRoute } from '../members/dashboard-route.ts';
import { changeView, removeView, saveView } from './change-views.ts';
import { listViews } from './queries.ts';
import { LISTS, MAX_NAME, MAX_QUERY, type SavedView } from './saved-view.ts';

const ViewName = () => Name({ max: MAX_NAME });
const Query = () => Text({ max: MAX_QUERY, description: 'Its filters as in the address: `status=paid`.' });
const Shared = () => Flag('Whether every member sees it.');

const SavedViewView = Shape('SavedView', {
  id: Uuid(),
  list: OneOf(LISTS),
  name: ViewName(),
  query: Query(),
  isShared: Shared(),
  isOwn: Flag('Whether the caller saved it.'),
  createdAt: Timestamp(),
});

const SaveBody = Shape('SaveViewRequest', {
  list: OneOf(LISTS),
  name: ViewName(),
  query: Query(),
  isShared: Optional(Shared()),
});

const ChangeBody = Shape('UpdateSavedViewRequest', {
  name: Optional(ViewName()),
  isShared: Optional(Shared()),
});

/** Filters of the dashboard's lists, kept under a name. */
export function savedViewRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  dashboardRoute(app, {
    method: 'GET',
    path: '/saved-views',
    id: 'listSavedViews',
    sdk: 'dashboard.listSavedViews',
    summary: 'List saved views',
    success: {
      status: 200,
      schema: List(SavedViewView),
      description: 'One’s own and shared ones, oldest first.',
    },
    errors: [],
    handle: async ({ principal, member }) =>
      (await listViews(db, principal.merchantId, member.id)).map((view) => present(view, member.id)),
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/saved-views',
    id: 'saveView',
    sdk: 'dashboard.saveView',
    summary: 'Save a view',
    body: SaveBody,
    success: { status: 201, schema: SavedViewView, description: 'The view.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE', 'INSUFFICIENT_ROLE'],
    async handle({ principal, member, body }) {
      const { isShared = false, ...terms } = body;
      const now = clock.now();
      const view = await db.transaction((tx) => saveView(tx, principal, { ...terms, isShared }, now));
      return present(view, member.id);
    },
  });

  dashboardRoute(app, {
    method: 'PATCH',
    path: '/saved-views/{viewId}',
    id: 'updateSavedView',
    sdk: 'dashboard.updateSavedView',
    summary: 'Rename or share a view',
    body: ChangeBody,
    success: { status: 200, schema: SavedViewView, description: 'The view as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE', 'INSUFFICIENT_ROLE'],
    async handle({ principal, member, params, body }) {
      const view = await db.transaction((tx) => changeView(tx, principal, params.viewId!, body));
      return present(view, member.id);
    },
  });

  dashboardRoute(app, {
    method: 'DELETE',
    path: '/saved-views/{viewId}',
    id: 'deleteSavedView',
    sdk: 'dashboard.deleteSavedView',
    summary: 'Delete a saved view',
    success: { status: 204, description: 'It is gone, for everybody who saw it.' },
    errors: ['NOT_FOUND', 'INSUFFICIENT_ROLE'],
    async handle({ principal, params }) {
      await db.transaction((tx) => removeView(tx, principal, params.viewId!));
    },
  });
}

function present({ merchantId: _merchant, memberId, ...view }: SavedView, caller: string) {
  return { ...view, isOwn: memberId === caller };
}
