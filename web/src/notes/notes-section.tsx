import type { Note } from '@florin/sdk';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { t, tc, tn } from '../words/t.ts';
import styles from './notes-section.module.css';

type About = { customerId: string } | { paymentIntentId: string };

const MAX_SHOWN = 100;
const MAX_LENGTH = 2000;

/** Notes of the team about a customer or a payment. Payers never see them. */
export function NotesSection({ about }: { about: About }) {
  const can = useCan();
  const { data, error, refetch } = useQuery({
    queryKey: ['notes', about],
    queryFn: () => florin.notes.list({ ...about, limit: MAX_SHOWN }).page(),
  });
  return (
    <Section title={t('Notes')}>
      <Stack gap="sm">
        {can.change && <WriteNote about={about} />}
        {error ? (
          <Failed error={error} retry={refetch} />
        ) : !data ? (
          <Loading lines={1} />
        ) : (
          <NoteList notes={data.data} isWhole={!data.hasMore} />
        )}
      </Stack>
    </Section>
  );
}

function WriteNote({ about }: { about: About }) {
  const [text, setText] = useState('');
  const write = useAction({
    run: () => florin.notes.create({ ...about, text: text.trim() }),
    refresh: ['notes'],
    onDone: () => setText(''),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') write.mutate();
      }}
    >
      <Textarea
        aria-label={t('New note')}
        placeholder={t('Write a note for your team. Customers never see it.')}
        autosize
        minRows={1}
        maxRows={12}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text.trim() !== '' && (
        <Group justify="flex-end" mt="xs">
          <Button type="submit" size="xs" loading={write.isPending}>
            {t('Add note')}
          </Button>
        </Group>
      )}
    </form>
  );
}

function NoteList({ notes, isWhole }: { notes: readonly Note[]; isWhole: boolean }) {
  const can = useCan();
  if (notes.length === 0)
    return can.change ? null : (
      <Text c="dimmed" size="sm">
        {t('No notes.')}
      </Text>
    );
  return (
    <>
      <ul className={styles.notes}>
        {notes.map((note) => (
          <li key={note.id}>
            <Group justify="space-between" gap="xs" align="start">
              <Text size="xs" c="dimmed">
                <strong>{note.authorName ?? t('Somebody')}</strong> · <Time at={note.createdAt} />
                {note.editedAt && ` · ${tc('state', 'edited')}`}
              </Text>
              {can.change && (note.isOwn || can.own) && <Actions note={note} />}
            </Group>
            <p className={styles.text} dir="auto">
              {note.text}
            </p>
          </li>
        ))}
      </ul>
      {!isWhole && (
        <Text c="dimmed" size="sm">
          {tn(MAX_SHOWN, 'The latest {count} note is shown.', 'The latest {count} notes are shown.')}
        </Text>
      )}
    </>
  );
}

const SMALL = { variant: 'subtle', size: 'compact-xs' } as const;

/** Its author changes or deletes it; owners delete any, because its author may have left. */
function Actions({ note }: { note: Note }) {
  return (
    <Group gap={4}>
      {note.isOwn && <EditButton note={note} />}
      <ActionDialogButton
        label={t('Delete note')}
        submit={t('Delete')}
        isDangerous
        button={SMALL}
        explanation={t('It is deleted for everybody, and cannot be restored.')}
        action={{ run: () => florin.notes.delete(note.id), refresh: ['notes'] }}
      />
    </Group>
  );
}

function EditButton({ note }: { note: Note }) {
  return (
    <ActionDialogButton
      label={t('Edit note')}
      submit={t('Save')}
      button={SMALL}
      action={{
        run: (given) => florin.notes.update(note.id, { text: given.text('text') }),
        refresh: ['notes'],
      }}
    >
      <Textarea
        name="text"
        label={t('Note')}
        defaultValue={note.text}
        required
        autosize
        minRows={3}
        maxRows={16}
        maxLength={MAX_LENGTH}
        data-autofocus
      />
    </ActionDialogButton>
  );
}
