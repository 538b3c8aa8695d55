import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { actorOf, type Moment } from './member.ts';
import { deleteSessions } from './session-queries.ts';

export interface EndSessions {
  merchantId: string;
  memberId: string;
  moment: Moment;
}

/** Ends one of the member's own sessions: its cookie stops working everywhere. */
export async function endSession(tx: Tx, input: EndSessions, sessionId: string): Promise<void> {
  const count = await deleteSessions(tx, input.merchantId, input.memberId, { only: sessionId });
  if (count === 0) throw new AppError('NOT_FOUND');
  await audit(tx, input, 'member.signed_out');
}

/** All of them, including the current one. */
export async function endAllSessions(tx: Tx, input: EndSessions): Promise<void> {
  await deleteSessions(tx, input.merchantId, input.memberId);
  await audit(tx, input, 'member.signed_out_everywhere');
}

async function audit(tx: Tx, { merchantId, memberId, moment }: EndSessions, action: string): Promise<void> {
  const entry = { merchantId, actor: actorOf(memberId), targetId: memberId, now: moment.serviceNow };
  await recordAudit(tx, { ...entry, action });
}
