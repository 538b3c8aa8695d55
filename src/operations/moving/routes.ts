import { findClosing } from '../../accounts/merchants/closing-queries.ts';
import { MOVE_STATES, moveStateOf } from '../../accounts/merchants/move-state.ts';
import type { Database } from '../../platform/db/database.ts';
import { type App, route } from '../../platform/http/route.ts';
import { OneOf, Shape } from '../../platform/http/schema.ts';
import { AppError } from '../../platform/lib/errors.ts';

export const moveStatePath = (merchantId: string) => `/api/public/merchants/${merchantId}`;

const MoveStateView = Shape(undefined, { state: OneOf(MOVE_STATES) });

/** Route for the command that forwards callers of a merchant: has it arrived here? Callers must know its id. */
export function movingRoutes(app: App, { db }: { db: Database }): void {
  route(
    app,
    {
      method: 'GET',
      path: moveStatePath('{merchantId}'),
      id: 'getMoveState',
      sdk: null,
      tag: 'Moving',
      summary: 'Is the merchant here?',
      success: { status: 200, schema: MoveStateView, description: 'It is, or was.' },
      errors: ['NOT_FOUND'],
      async handle({ params }) {
        const closing = await findClosing(db, params.merchantId!);
        if (!closing) throw new AppError('NOT_FOUND');
        return { state: moveStateOf(closing) };
      },
    },
    { onRequest: (_request, _reply, done) => done() },
  );
}
