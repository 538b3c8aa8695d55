import type { Terminal } from '@florin/sdk';
import { Button, Text, TextInput } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';

const REFRESH = ['terminals'];

export function NewTerminal({ onDone }: { onDone(terminal: Terminal): void }) {
  return (
    <DialogForm
      button="New terminal"
      icon="plus"
      kind="main"
      submit="Create the terminal"
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
      button="Rename"
      title="Rename the terminal"
      submit="Save"
      run={(values) => florin.terminals.update(terminal.id, { name: values.optional('name') })}
      refresh={REFRESH}
      done="The terminal is renamed."
    >
      <NameField terminal={terminal} />
    </DialogForm>
  );
}

function NameField({ terminal }: { terminal?: Terminal }) {
  return (
    <TextInput
      label="Name"
      description="Where it stands, such as Front counter."
      name="name"
      maxLength={255}
      defaultValue={terminal?.name ?? ''}
      data-autofocus
    />
  );
}

export function SwitchTerminal({ terminal }: { terminal: Terminal }) {
  const on = useAction({
    run: () => florin.terminals.update(terminal.id, { isActive: true }),
    refresh: REFRESH,
    done: 'The terminal is on.',
  });
  if (!terminal.isActive) {
    return (
      <Button size="xs" variant="default" onClick={() => on.mutate()} loading={on.isPending}>
        Switch on
      </Button>
    );
  }
  return (
    <DialogForm
      button="Switch off"
      title="Switch this terminal off?"
      kind="danger"
      submit="Switch it off"
      run={() => florin.terminals.update(terminal.id, { isActive: false })}
      refresh={[...REFRESH, 'intents']}
      done="The terminal is off."
    >
      <Text size="sm">
        It takes no payments until it is switched on again. An unpaid amount that it shows now is canceled.
      </Text>
    </DialogForm>
  );
}
