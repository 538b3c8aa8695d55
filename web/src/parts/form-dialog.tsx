import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { NotConfirmed } from '../app/action.ts';
import { messageOf } from '../app/florin.ts';
import { useIsConfirming } from '../app/step-up.tsx';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  /** What the button says. */
  submit: string;
  isDangerous?: boolean;
  isBusy: boolean;
  error: unknown;
  onSubmit(given: Given): void;
  children: ReactNode;
}

/** What stands in the fields. */
export interface Given {
  /** Trimmed. */
  text(name: string): string;
  /** To the last blank, as passwords are. */
  exact(name: string): string;
  all(name: string): string[];
}

/** One question with a few fields. The error stands where the eyes are. */
export function FormDialog(props: FormDialogProps) {
  const isConfirming = useIsConfirming();
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    props.onSubmit(givenIn(event.currentTarget));
  };
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={props.title}
      closeOnEscape={!isConfirming}
      trapFocus={!isConfirming}
    >
      <form onSubmit={send}>
        <Stack>
          {props.children}
          <Problem error={props.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={props.isBusy} color={props.isDangerous ? 'red' : undefined}>
              {props.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function Problem({ error }: { error: unknown }) {
  if (!error || error instanceof NotConfirmed) return null;
  return (
    <Alert color="red" role="alert">
      {messageOf(error)}
    </Alert>
  );
}

export function givenIn(form: HTMLFormElement): Given {
  const data = new FormData(form);
  return {
    text: (name) => String(data.get(name) ?? '').trim(),
    exact: (name) => String(data.get(name) ?? ''),
    all: (name) => data.getAll(name).map(String),
  };
}
