import { keyedRoute } from '../../platform/access/keyed-route.ts';
import { SECRETS } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Int32, List, Name, Nullable, Optional, Shape, Uuid } from '../../platform/http/schema.ts';
import { createTill } from './create-till.ts';
import { tillDeviceRoutes } from './device-routes.ts';
import { presentTill, presentTillCode, TillCodeView, TillView } from './present.ts';
import { listTills } from './queries.ts';
import type { TillAccess } from './till-route.ts';
import { unpairTill } from './unpair-till.ts';

const PATH = '/api/b2b/merchants/tills';
const TAG = 'Tills';

const CreateTillBody = Shape('CreateTillRequest', {
  terminalId: Uuid('Where it sells. A terminal has one till at a time.'),
  projectId: Uuid('Whose catalog it sells from.'),
  name: Optional(Nullable(Name({ max: 128, description: 'Which phone or tablet it is.' }))),
  tipPercents: Optional({
    ...List(Int32({ min: 1, max: 100 }), { max: 4 }),
    description: 'Tips it offers to customers, as percentages. An empty list offers none.',
  }),
});

export function tillRoutes(app: App, access: TillAccess): void {
  const { db, clock, publicUrl } = access;
  tillDeviceRoutes(app, access);

  keyedRoute(app, {
    method: 'GET',
    path: PATH,
    id: 'listTills',
    sdk: 'tills.list',
    assistant: 'read',
    tag: TAG,
    summary: 'List tills',
    scopes: ['payments:read'],
    success: { status: 200, schema: List(TillView), description: 'Every paired till, newest first.' },
    errors: [],
    handle: async ({ principal }) => (await listTills(db, principal.merchantId)).map(presentTill),
  });

  keyedRoute(app, {
    method: 'POST',
    path: PATH,
    id: 'createTill',
    sdk: 'tills.create',
    assistant: { withheld: SECRETS },
    // A second code ends the first, which nobody has seen.
    repeatable: true,
    tag: TAG,
    summary: 'Create a code that pairs a till',
    description:
      'The code works once, for 10 minutes, and only at /till. The till gets a key of its own, which can read the project’s active items, sell at the terminal, see its own sales and ask for a refund, and nothing else. A new code for the same terminal ends the one before.',
    scopes: ['billing:read', 'payments:write'],
    verified: true,
    body: CreateTillBody,
    success: { status: 201, schema: TillCodeView, description: 'The code. It is shown only once.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE', 'TERMINAL_INACTIVE'],
    async handle({ principal, body }) {
      const { merchantId, actor } = principal;
      const { name = null, tipPercents = [], ...place } = body;
      const input = { merchantId, actor, ...place, name, tipPercents, now: clock.now() };
      const { till, code } = await db.transaction((tx) => createTill(tx, input));
      return presentTillCode(till, code, publicUrl());
    },
  });

  keyedRoute(app, {
    method: 'DELETE',
    path: `${PATH}/{tillId}`,
    id: 'unpairTill',
    sdk: 'tills.unpair',
    assistant: { withheld: SECRETS },
    tag: TAG,
    summary: 'Unpair a till',
    description: 'Takes effect immediately. A sale it has open can still be paid.',
    scopes: ['payments:write'],
    success: { status: 204, description: 'The till’s key, or its code, no longer works.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, tillId: params.tillId!.toLowerCase(), actor, now: clock.now() };
      await db.transaction((tx) => unpairTill(tx, input));
    },
  });
}
