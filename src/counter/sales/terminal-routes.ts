import { presentTerminal, TerminalView } from '../../accounts/terminals/present.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Name, Nullable, Optional, Shape } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { patchTerminal } from './patch-terminal.ts';

const PatchTerminalBody = Shape('UpdateTerminalRequest', {
  name: Optional(Nullable(Name({ max: 128 }))),
  isActive: Optional(Flag('false also cancels the unpaid intent or sale that the terminal shows.')),
});

/** Switching a terminal off ends what it shows, which may be a till's sale. */
export function patchTerminalRoute(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  keyedRoute(app, {
    method: 'PATCH',
    path: '/api/b2b/merchants/terminals/{terminalId}',
    id: 'updateTerminal',
    sdk: 'terminals.update',
    assistant: 'write',
    tag: 'Terminals',
    summary: 'Update a terminal',
    scopes: ['payments:write'],
    verified: true,
    body: PatchTerminalBody,
    success: { status: 200, schema: TerminalView, description: 'The terminal as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, params, body }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, terminalId: params.terminalId!, actor, change: body, now: clock.now() };
      return presentTerminal(await db.transaction((tx) => patchTerminal(tx, input)));
    },
  });
}
