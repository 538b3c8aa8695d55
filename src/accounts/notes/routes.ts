import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { NOTES } from '../../platform/http/assistant.ts';
import { Page, pageQuery, readPage, toRange } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Nullable, Optional, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { readActorNames } from '../members/read-actor-names.ts';
import { editNote, removeNote } from './change-note.ts';
import { createNote } from './create-note.ts';
import { MAX_NOTE, type Note } from './note.ts';
import { listNotes } from './queries.ts';

const PATH = '/api/v2/notes';
const TAG = 'Notes';

const NoteText = () => Text({ max: MAX_NOTE, lines: true, description: 'Plain text.' });

const NoteView = Shape('Note', {
  id: Uuid(),
  customerId: Nullable(Uuid('The customer it is about, or null.')),
  paymentIntentId: Nullable(Uuid('The payment it is about, or null.')),
  author: Text({ description: '`member:<id>` or `key:<id>`.' }),
  authorName: Nullable(Text({ description: 'The member’s name, or the key’s.' })),
  isOwn: Flag('Whether the caller wrote it, and can change and delete it.'),
  text: NoteText(),
  createdAt: Timestamp(),
  editedAt: Nullable(Timestamp('When its author last changed it.')),
});

const CreateNoteBody = Shape('CreateNoteRequest', {
  customerId: Optional(Uuid('What it is about: this customer,')),
  paymentIntentId: Optional(Uuid('or this payment. One of the two.')),
  text: NoteText(),
});

const EditNoteBody = Shape('EditNoteRequest', { text: NoteText() });

const ListQuery = Shape(undefined, {
  ...pageQuery,
  customerId: Optional(Uuid('Only notes about this customer; not those about their payments.')),
  paymentIntentId: Optional(Uuid('Only notes about this payment.')),
});

export function noteRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  keyedRoute(app, {
    method: 'GET',
    path: PATH,
    id: 'listNotes',
    sdk: 'notes.list',
    assistant: 'read',
    tag: TAG,
    summary: 'List notes',
    description: 'What your people wrote about customers and payments. Payers and webhooks never get them.',
    scopes: ['billing:read', 'payments:read'],
    query: ListQuery,
    success: { status: 200, schema: Page('NotePage', NoteView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal: { merchantId, actor }, query }) {
      const page = await readPage(toRange(query), (range) => listNotes(db, merchantId, query, range));
      return { ...page, data: await presentNotes(db, page.data, merchantId, actor) };
    },
  });

  keyedRoute(app, {
    method: 'POST',
    path: PATH,
    id: 'createNote',
    sdk: 'notes.create',
    assistant: { withheld: NOTES },
    tag: TAG,
    summary: 'Write a note',
    scopes: ['billing:write', 'payments:write'],
    body: CreateNoteBody,
    success: { status: 201, schema: NoteView, description: 'The note.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    async handle({ principal: { merchantId, actor }, body }) {
      const { customerId, paymentIntentId, text } = body;
      const input = { merchantId, actor, customerId, paymentIntentId, text, now: clock.now() };
      const note = await db.transaction((tx) => createNote(tx, input));
      return (await presentNotes(db, [note], merchantId, actor))[0];
    },
  });

  keyedRoute(app, {
    method: 'PATCH',
    path: `${PATH}/{noteId}`,
    id: 'editNote',
    sdk: 'notes.update',
    assistant: { withheld: NOTES },
    tag: TAG,
    summary: 'Change a note',
    description: 'Only who wrote it can.',
    scopes: ['billing:write', 'payments:write'],
    body: EditNoteBody,
    success: { status: 200, schema: NoteView, description: 'The note as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal: { merchantId, actor }, params, body }) {
      const change = { merchantId, actor, id: params.noteId!, text: body.text, now: clock.now() };
      const note = await db.transaction((tx) => editNote(tx, change));
      return (await presentNotes(db, [note], merchantId, actor))[0];
    },
  });

  keyedRoute(app, {
    method: 'DELETE',
    path: `${PATH}/{noteId}`,
    id: 'deleteNote',
    sdk: 'notes.delete',
    assistant: { withheld: NOTES },
    tag: TAG,
    summary: 'Delete a note',
    description: 'Who wrote it can, and any owner in the dashboard.',
    scopes: ['billing:write', 'payments:write'],
    success: { status: 204, description: 'It is gone.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal: { merchantId, actor, member }, params }) {
      const isOwner = member?.role === 'owner';
      const change = { merchantId, actor, isOwner, id: params.noteId!, now: clock.now() };
      await db.transaction((tx) => removeNote(tx, change));
    },
  });
}

async function presentNotes(db: Database, notes: readonly Note[], merchantId: string, actor: string) {
  const authors = notes.map(({ author }) => author);
  const names = await readActorNames(db, merchantId, authors);
  return notes.map(({ merchantId: _merchant, ...note }) => ({
    ...note,
    authorName: names.get(note.author) ?? null,
    isOwn: note.author === actor,
  }));
}
