import type { Terminal } from '@florin/sdk';
import { Button, Text, TextInput } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { t } from '../words/t.ts';

const REFRESH = ['terminals'];

export function NewTerminal({ onDone }: { onDone(terminal: Terminal): void }) {
  return (
    <DialogForm
      button={t('New terminal')}
      icon="plus"
      kind="main"
      submit={t('Create terminal')}
      run={(values) => florin.terminals.create({ name: values.optional('name') })}
      refresh={REFRESH}
      onDone={onDone}
    >
      <NameField />
    </DialogForm>
  );
}

export function RenameTerminal({ terminal }: { terminal: Terminal }) {
  return (
    <DialogForm
      button={t('Rename')}
      title={t('Rename terminal')}
      submit={t('Save')}
      run={(values) => florin.terminals.update(terminal.id, { name: values.optional('name') })}
      refresh={REFRESH}
      done={t('Terminal renamed.')}
    >
      <NameField terminal={terminal} />
    </DialogForm>
  );
}

function NameField({ terminal }: { terminal?: Terminal }) {
  return (
    <TextInput
      label={t('Name')}
      description={t('Where it is, e.g. Front counter.')}
      name="name"
      maxLength={128}
      defaultValue={terminal?.name ?? ''}
      data-autofocus
    />
  );
}

export function SwitchTerminal({ terminal }: { terminal: Terminal }) {
  const on = useAction({
    run: () => florin.terminals.update(terminal.id, { isActive: true }),
    refresh: REFRESH,
    done: t('Terminal activated.'),
  });
  if (!terminal.isActive) {
    return (
      <Button size="xs" variant="default" onClick={() => on.mutate()} loading={on.isPending}>
        {t('Activate')}
      </Button>
    );
  }
  return (
    <DialogForm
      button={t('Deactivate')}
      title={t('Deactivate this terminal?')}
      kind="danger"
      submit={t('Deactivate terminal')}
      run={() => florin.terminals.update(terminal.id, { isActive: false })}
      refresh={[...REFRESH, 'intents']}
      done={t('Terminal deactivated.')}
    >
      <Text size="sm">
        {t('It accepts no payments until you activate it again. An unpaid amount it is showing is canceled.')}
      </Text>
    </DialogForm>
  );
}
