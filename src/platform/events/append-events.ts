import type { Tx } from '../db/database.ts';
import { newId } from '../lib/ids.ts';
import { stringifyJson } from '../lib/json.ts';
import type { NewEvent } from './event.ts';
import { insertEvents } from './queries.ts';

/**
 * Writes facts into the outbox, in the transaction that makes them true. The body is stored as the exact
 * bytes every delivery, retry and resend will carry. Call it with the object's row locked: then events of one
 * ordering key are written, and first delivered, in the order in which their transactions commit. Returns their ids.
 */
export async function appendEvents(tx: Tx, events: readonly NewEvent[], now: Date): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map((event) => {
    const { data, metadata, ...columns } = event;
    const id = newId(now);
    const { sequence, status } = event;
    const body = stringifyJson({ id, event: event.event, createdAt: now, sequence, status, metadata, data });
    return { ...columns, id, body };
  });
  await insertEvents(tx, rows, now);
  return rows.map((row) => row.id);
}
