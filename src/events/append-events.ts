import type { Tx } from '../db/database.ts';
import { newId } from '../lib/ids.ts';
import { stringifyJson } from '../lib/json.ts';
import { insertEvents } from './queries.ts';

export interface NewEvent {
  merchantId: string;
  /** Its public name: `payment_intent.succeeded`. */
  event: string;
  objectType: string;
  objectId: string;
  /** The object's own count of changes: 1, 2, 3, without a gap. */
  sequence: number;
  status: string;
  previousStatus: string | null;
  /** Events of one lane are first delivered in order. */
  lane: string;
  data: object;
}

/**
 * Writes facts into the outbox, in the transaction that makes them true. The body is stored as the exact
 * bytes every delivery, retry and resend will carry. Call it with the object's row locked: then events of one
 * lane are written, and first delivered, in the order in which their transactions commit. Answers their ids.
 */
export async function appendEvents(tx: Tx, events: readonly NewEvent[], now: Date): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map((event) => {
    const { data, ...columns } = event;
    const id = newId(now);
    const { sequence, status } = event;
    const body = stringifyJson({ id, event: event.event, createdAt: now, sequence, status, data });
    return { ...columns, id, body };
  });
  await insertEvents(tx, rows, now);
  return rows.map((row) => row.id);
}
