import { findProject } from '../../accounts/projects/queries.ts';
import type { Session } from '../../billing/checkout-sessions/session.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { sumReservedOfIntent } from '../transfers/refund-queries.ts';
import type { Source } from './refundable.ts';

export interface AgentRefund {
  /** Locked, so that two refunds at once cannot both be the last that fits. */
  source: Source;
  session: Session | undefined;
  amountCents: Cents;
}

/**
 * An assistant may refund a payment up to its project's limit. Everything that was refunded of the payment before counts,
 * or many small refunds would make a large one. What belongs to no project has no limit to stay within.
 */
export async function requireAgentLimit(
  tx: Tx,
  { source, session, amountCents }: AgentRefund,
): Promise<void> {
  const { intent, exception } = source;
  if (exception) throw refusal('What to do with an exception is for a person to decide.');
  const project =
    session && (await findProject(tx, { merchantId: session.merchantId, id: session.projectId }));
  const limitCents = project?.settings.agentRefundLimitCents ?? 0n;
  if (limitCents === 0n) throw refusal('Assistants may not refund payments here.');
  const before = await sumReservedOfIntent(tx, intent!.merchantId, intent!.id, null);
  if (before + amountCents <= limitCents) return;
  throw refusal(
    `Assistants may refund ${limitCents} cents of a payment in total; ${before} are refunded already.`,
  );
}

function refusal(reason: string): AppError {
  return new AppError('FORBIDDEN', {
    message: `${reason} Create the refund in the dashboard, or raise the project’s agentRefundLimitCents there.`,
  });
}
