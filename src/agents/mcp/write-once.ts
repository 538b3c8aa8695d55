import { actorVia, recordAudit } from '../../platform/audit/record.ts';
import { findAnswer } from '../../platform/idempotency/queries.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { type Json, parseJson } from '../../platform/lib/json.ts';
import { callService, type ServiceAnswer, type ToolContext } from './call-service.ts';
import type { Operation } from './operations.ts';
import { keyOfPurpose } from './purpose.ts';
import { dataResult, isRefused, refusedResult, type ToolResult } from './tool-result.ts';

export interface Write {
  operation: Operation;
  path: string;
  params: Record<string, string>;
  body: Json | undefined;
  purpose: string;
}

/**
 * Makes a call that takes effect once for each purpose, wherever repeating it could do more than the first one did. The
 * same purpose with another body changes nothing and gets the first result.
 */
export async function writeOnce(context: ToolContext, write: Write): Promise<ToolResult> {
  const { operation, path, body, purpose } = write;
  const { route, offer } = operation;
  refuseFields(offer, body);
  const named = keyOfPurpose(context.principal.merchantId, route.id, purpose);
  const key = route.idempotency && named;
  const answer = await callService(context, {
    method: route.method,
    path,
    body: body ?? (route.body && !route.bodyOptional ? {} : undefined),
    idempotencyKey: key,
  });
  if (isRefused(answer)) return refusedResult(answer, await explainRefusal(context, write, key, answer));
  if (answer.isReplayed)
    return dataResult(
      answer.body ?? null,
      'This was done before, for the same purpose: nothing changed now.',
    );
  await recordCall(context, write, answer);
  return dataResult(answer.body ?? null, answer.body === undefined ? 'Done.' : undefined);
}

function refuseFields({ refused, refusedWith }: Operation['offer'], body: Json | undefined): void {
  const refuse = (field: string, more = '') => {
    throw new AppError('FORBIDDEN', { message: `${field} cannot be set by an assistant${more}.` });
  };
  for (const field of refused) if (valueAt(body, field) !== undefined) refuse(field);
  for (const [field, others] of Object.entries(refusedWith))
    for (const other of others)
      if (valueAt(body, field) != null && valueAt(body, other) != null)
        refuse(field, ` together with ${other}`);
}

/** The value of a field, which may be within another: `settings.supportEmail`. */
function valueAt(body: Json | undefined, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined,
      body,
    );
}

async function explainRefusal(
  context: ToolContext,
  write: Write,
  key: string | undefined,
  { body }: ServiceAnswer,
): Promise<{ hint?: string; firstResult?: Json }> {
  const { code } = (body as { error?: { code?: string } } | undefined)?.error ?? {};
  if (code === 'IDEMPOTENCY_IN_PROGRESS')
    return { hint: 'Repeat it in a moment with the same purpose and body.' };
  if (code !== 'IDEMPOTENCY_CONFLICT' || key === undefined) return {};
  const hint =
    'This purpose was used before with another body, and nothing changed now. If this is the same intention, it is done: see the first result. If it is another one, use another purpose.';
  const first = await firstResult(context, write, key);
  return first === undefined ? { hint } : { hint, firstResult: first };
}

/** Keys are stored by operation and by the ids in its path. */
async function firstResult(
  { db, principal }: ToolContext,
  { operation, params }: Write,
  key: string,
): Promise<Json | undefined> {
  const ids = Object.values(params).map((id) => id.toLowerCase());
  const name = [operation.offer.storedAs, ...ids].join(':');
  const stored = await findAnswer(db, principal.merchantId, name, key);
  return stored?.answer ? parseJson(stored.answer) : undefined;
}

/** Many operations have no audit row of their own; what an assistant did always has one, with its purpose. */
async function recordCall(
  context: ToolContext,
  { operation, purpose }: Write,
  answer: ServiceAnswer,
): Promise<void> {
  const { db, clock, principal, agent, app } = context;
  const { id } = (answer.body ?? {}) as { id?: unknown };
  const entry = {
    merchantId: principal.merchantId,
    actor: actorVia(principal.actor, agent.client),
    action: 'assistant.called',
    ...(typeof id === 'string' && isUuid(id) && { targetId: id }),
    detail: { operation: operation.route.id, purpose },
    now: clock.now(),
  };
  await db
    .transaction((tx) => recordAudit(tx, entry))
    .catch((error: Error) => {
      // The change is made and must be reported as made.
      app.log.error({ err: error, operation: operation.route.id }, 'recording an assistant’s call failed');
    });
}
