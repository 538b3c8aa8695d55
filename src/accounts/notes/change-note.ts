import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { recordNote, requireWords } from './create-note.ts';
import { type Note, notes } from './note.ts';
import { deleteNote, lockNote } from './queries.ts';

export interface ChangeNote extends Ref {
  actor: string;
  now: Date;
}

/** Replaces the text of a note of one's own. */
export async function editNote(tx: Tx, { text, ...change }: ChangeNote & { text: string }): Promise<Note> {
  const note = await lockExisting(tx, change);
  if (note.author !== change.actor)
    throw new AppError('INVALID_STATE', { message: 'Only who wrote a note can change it.' });
  const edited = { ...note, text: requireWords(text), editedAt: change.now };
  if (edited.text === note.text) return note;
  await notes.store(tx, edited, ['text', 'editedAt']);
  await recordNote(tx, 'note.updated', edited, change.actor, change.now);
  return edited;
}

/** Deletes a note permanently: one's own, or as an owner anybody's, because those who wrote it may have left. */
export async function removeNote(
  tx: Tx,
  { isOwner, ...change }: ChangeNote & { isOwner: boolean },
): Promise<void> {
  const note = await lockExisting(tx, change);
  if (note.author !== change.actor && !isOwner)
    throw new AppError('INVALID_STATE', { message: 'Only who wrote a note or an owner can delete it.' });
  await deleteNote(tx, note);
  await recordNote(tx, 'note.deleted', note, change.actor, change.now);
}

async function lockExisting(tx: Tx, ref: Ref): Promise<Note> {
  const note = await lockNote(tx, ref);
  if (!note) throw new AppError('NOT_FOUND');
  return note;
}
