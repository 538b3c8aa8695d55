import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { useCan } from '../app/session.ts';
import { t, tc } from '../words/t.ts';
import { Facts, Section } from './detail-screen.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Icon } from './icon.tsx';
import { changeOf, type MetadataRow, rowsOf } from './metadata-rows.ts';

type Metadata = Record<string, string>;

interface MetadataSectionProps {
  metadata: Metadata;
  save(change: Record<string, string | null>): Promise<unknown>;
  /** Queries that are read again afterwards. */
  refresh: readonly string[];
}

/** The merchant's own keys and values of the thing on the screen. */
export function MetadataSection({ metadata, save, refresh }: MetadataSectionProps) {
  const can = useCan();
  const entries = Object.entries(metadata);
  return (
    <Section
      title={t('Metadata')}
      actions={can.change && <EditMetadata metadata={metadata} save={save} refresh={refresh} />}
    >
      {entries.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t('None. Keys and values of your own, for your systems. Customers never see them.')}
        </Text>
      ) : (
        <Facts of={entries.map(([key, value]) => [key, value === '' ? '–' : value] as const)} />
      )}
    </Section>
  );
}

function EditMetadata({ metadata, save, refresh }: MetadataSectionProps) {
  const [rows, setRows] = useState<MetadataRow[]>();
  const close = () => setRows(undefined);
  const action = useAction<MetadataRow[]>({
    run: async (given) => save(changeOf(metadata, given)),
    refresh,
    done: t('Metadata saved.'),
    showsError: true,
    onDone: close,
  });
  const open = () => {
    action.reset();
    setRows(rowsOf(metadata));
  };
  const set = (at: number, row: Partial<MetadataRow>) =>
    setRows(rows?.map((each, i) => (i === at ? { ...each, ...row } : each)));
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-label={t('Edit metadata')}>
        {t('Edit')}
      </Button>
      <FormDialog
        title={t('Edit metadata')}
        isOpen={rows !== undefined}
        onClose={close}
        submit={t('Save')}
        isBusy={action.isPending}
        error={action.error}
        onSubmit={() => rows && action.mutate(rows)}
      >
        <Stack gap="xs">
          {rows?.map((row, at) => (
            <Group key={row.id} gap="xs" wrap="nowrap" align="start">
              <TextInput
                aria-label={t('Key {number}', { number: at + 1 })}
                placeholder={tc('metadata', 'Key')}
                maxLength={40}
                value={row.key}
                onChange={(event) => set(at, { key: event.currentTarget.value })}
                flex={2}
              />
              <Textarea
                aria-label={t('Value {number}', { number: at + 1 })}
                placeholder={t('Value')}
                maxLength={500}
                autosize
                minRows={1}
                value={row.value}
                onChange={(event) => set(at, { value: event.currentTarget.value })}
                flex={3}
              />
              <Button
                variant="default"
                px="xs"
                onClick={() => setRows(rows.filter((each) => each.id !== row.id))}
                aria-label={
                  row.key ? t('Remove {key}', { key: row.key }) : t('Remove row {number}', { number: at + 1 })
                }
              >
                ×
              </Button>
            </Group>
          ))}
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="plus" />}
              onClick={() => rows && setRows([...rows, ...rowsOf({ '': '' })])}
            >
              {t('Add')}
            </Button>
          </Group>
        </Stack>
      </FormDialog>
    </>
  );
}
