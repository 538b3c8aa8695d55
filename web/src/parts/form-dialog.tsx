import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type InputEvent, type ReactNode, type SubmitEvent, useCallback, useRef, useState } from 'react';
import { NotConfirmed } from '../app/action.ts';
import { useIsConfirming } from '../app/confirmation.ts';
import { messageOf } from '../app/florin.ts';
import { signingInAgain } from '../app/query-client.ts';
import { t } from '../words/t.ts';
import { type FormValues, formValues } from './form-values.ts';
import { OpenedAtOnce } from './opened-at-once.ts';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  /** Label of the button that sends. */
  submit: string;
  isDangerous?: boolean | undefined;
  /** Label of the button that closes the dialog. */
  cancel?: string;
  isBusy: boolean;
  /** There is nothing to send yet, or at all. */
  isBlocked?: boolean;
  error: unknown;
  onSubmit(values: FormValues): void;
  children: ReactNode;
}

/** Number of typed fields that are not quickly typed again. */
const WORTH_KEEPING = 2;

/** One question with a few fields. The error is shown next to them. What was entered is not lost by one key or click. */
export function FormDialog(props: FormDialogProps) {
  const isConfirming = useIsConfirming();
  const isCovered = signingInAgain.useIsOpen() || isConfirming;
  const [isLeaving, setLeaving] = useState(false);
  const opening = useRef<FormValues>(null);
  const touched = useRef(new Set<EventTarget>());
  const noteOpening = useCallback((form: HTMLFormElement | null) => {
    opening.current = form && formValues(form);
    touched.current.clear();
    if (!form) setLeaving(false);
  }, []);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog inside another sends its own form alone.
    event.stopPropagation();
    props.onSubmit(formValues(event.currentTarget, opening.current));
  };
  const leave = () => {
    if (touched.current.size >= WORTH_KEEPING && !isLeaving) return setLeaving(true);
    props.onClose();
  };
  const noteInput = (event: InputEvent<HTMLFormElement>) => {
    if (isTyped(event.target)) touched.current.add(event.target);
    setLeaving(false);
  };
  return (
    <Modal
      opened={props.isOpen}
      onClose={leave}
      title={props.title}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
    >
      <form ref={noteOpening} onSubmit={send} onInput={noteInput}>
        <Stack>
          {/* A dialog inside has a button of its own. */}
          <OpenedAtOnce value={null}>{props.children}</OpenedAtOnce>
          <Problem error={props.error} />
          {isLeaving && (
            <Alert color="yellow" role="alert">
              {t('Close again to discard what you entered.')}
            </Alert>
          )}
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

/** True for inputs that are typed into; a click is quickly repeated. */
function isTyped(target: EventTarget): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio';
}

export function Problem({ error }: { error: unknown }) {
  if (!error || error instanceof NotConfirmed) return null;
  return (
    <Alert color="red" role="alert">
      {messageOf(error)}
    </Alert>
  );
}
