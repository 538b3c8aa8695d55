import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import { lockTerminal } from '../../accounts/terminals/queries.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { deleteUnusedCode, insertTill } from './queries.ts';
import { CODE_LIFE_MINUTES, hashTillSecret, mintCode, type Till } from './till.ts';

export interface CreateTill {
  merchantId: string;
  actor: string;
  terminalId: string;
  projectId: string;
  name: string | null;
  tipPercents: readonly number[];
  now: Date;
}

/** A code that pairs one till, once. A new code for a terminal ends the one before. */
export async function createTill(tx: Tx, input: CreateTill): Promise<{ till: Till; code: string }> {
  const { merchantId, terminalId, projectId, now } = input;
  if (new Set(input.tipPercents).size < input.tipPercents.length)
    throw badField('tipPercents', 'must not name a percentage twice');
  const terminal = await lockTerminal(tx, merchantId, terminalId);
  if (!terminal) throw badField('terminalId', 'must be the id of one of your terminals');
  if (!terminal.isActive) throw new AppError('TERMINAL_INACTIVE');
  await requireActiveProject(tx, { merchantId, id: projectId });
  await deleteUnusedCode(tx, merchantId, terminalId);
  const code = mintCode();
  const till: Till = {
    id: newId(now),
    merchantId,
    terminalId,
    projectId,
    name: input.name,
    tipPercents: [...input.tipPercents],
    codeHash: hashTillSecret(code),
    codeExpiresAt: addMinutes(now, CODE_LIFE_MINUTES),
    keyHash: null,
    saleCount: 0,
    createdAt: now,
    pairedAt: null,
    lastSeenAt: null,
    unpairedAt: null,
  };
  if (!(await insertTill(tx, till)))
    throw new AppError('INVALID_STATE', {
      message: 'This terminal has a till. Unpair it first, or use another terminal.',
    });
  await recordAudit(tx, {
    merchantId,
    actor: input.actor,
    action: 'till.code_created',
    targetId: till.id,
    detail: { terminalId, projectId, expiresAt: till.codeExpiresAt },
    now,
  });
  return { till, code };
}
