import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { recordNote, requireWords } from './create-note.ts';
import type { Note, NoteRef } from './note.ts';
import { deleteNote, lockNote, updateNote } from './queries.ts';

export interface ChangeNote extends NoteRef {
  actor: string;
  now: Date;
}

/** Replaces the text of a note of one's own. */
export async function editNote(tx: Tx, { text, ...change }: ChangeNote & { text: string }): Promise<Note> {
  const note = await lockOwnNote(tx, change);
  const edited = { ...note, text: requireWords(text), editedAt: change.now };
  if (edited.text === note.text) return note;
  await updateNote(tx, edited);
  await recordNote(tx, 'note.updated', edited, change.actor, change.now);
  return edited;
}

/** Deletes a note of one's own for good. */
export async function removeNote(tx: Tx, change: ChangeNote): Promise<void> {
  const note = await lockOwnNote(tx, change);
  await deleteNote(tx, note);
  await recordNote(tx, 'note.deleted', note, change.actor, change.now);
}

async function lockOwnNote(tx: Tx, { actor, ...ref }: ChangeNote): Promise<Note> {
  const note = await lockNote(tx, ref);
  if (!note) throw new AppError('NOT_FOUND');
  if (note.author !== actor)
    throw new AppError('INVALID_STATE', { message: 'Only who wrote a note can change or delete it.' });
  return note;
}
