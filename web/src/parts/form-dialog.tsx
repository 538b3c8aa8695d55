import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { NotConfirmed } from '../app/action.ts';
import { messageOf } from '../app/florin.ts';
import { signingInAgain } from '../app/query-client.ts';
import { useIsConfirming } from '../app/step-up.tsx';
import { t } from '../words/t.ts';
import { type FormValues, formValues } from './form-values.ts';
import { OpenedAtOnce } from './opened-at-once.ts';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  /** What the button says. */
  submit: string;
  isDangerous?: boolean | undefined;
  /** What the way out says. */
  cancel?: string;
  isBusy: boolean;
  /** There is nothing to send yet, or at all. */
  isBlocked?: boolean;
  error: unknown;
  onSubmit(values: FormValues): void;
  children: ReactNode;
}

/** One question with a few fields. The error is shown next to them. */
export function FormDialog(props: FormDialogProps) {
  const isConfirming = useIsConfirming();
  const isCovered = signingInAgain.useIsOpen() || isConfirming;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog inside another sends its own form alone.
    event.stopPropagation();
    props.onSubmit(formValues(event.currentTarget));
  };
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={props.title}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
    >
      <form onSubmit={send}>
        <Stack>
          {/* A dialog inside has a button of its own. */}
          <OpenedAtOnce value={null}>{props.children}</OpenedAtOnce>
          <Problem error={props.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              {props.cancel ?? t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={props.isBusy}
              disabled={props.isBlocked ?? false}
              color={props.isDangerous ? 'red' : undefined}
            >
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
