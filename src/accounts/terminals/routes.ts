import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import { List, Name, Nullable, Optional, Shape } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { newId } from '../../platform/lib/ids.ts';
import { presentTerminal, TerminalView } from './present.ts';
import { type Terminal, terminals } from './terminal.ts';

const CreateTerminalBody = Shape('CreateTerminalRequest', { name: Optional(Nullable(Name({ max: 128 }))) });

export function terminalRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  keyedRoute(app, {
    method: 'GET',
    path: '/api/b2b/merchants/terminals',
    id: 'listTerminals',
    sdk: 'terminals.list',
    assistant: 'read',
    tag: 'Terminals',
    summary: 'List terminals',
    scopes: ['payments:read'],
    verified: true,
    success: { status: 200, schema: List(TerminalView), description: 'Every terminal, newest first.' },
    errors: [],
    async handle({ principal }) {
      const { merchantId } = principal;
      return (await terminals.list(db, { merchantId }, 'order by id desc')).map(presentTerminal);
    },
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/api/b2b/merchants/terminals',
    id: 'createTerminal',
    sdk: 'terminals.create',
    assistant: 'write',
    tag: 'Terminals',
    summary: 'Create a terminal',
    scopes: ['payments:write'],
    verified: true,
    body: CreateTerminalBody,
    idempotency: 'text',
    success: { status: 200, schema: TerminalView, description: 'The new terminal.' },
    errors: ['BAD_REQUEST'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createTerminal', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const terminal: Terminal = {
          id: newId(now),
          merchantId,
          name: body.name ?? null,
          isActive: true,
          currentIntentId: null,
          createdAt: now,
        };
        await terminals.insert(tx, terminal);
        return { status: 200, text: serialize(presentTerminal(terminal)) };
      });
    },
  });
}
