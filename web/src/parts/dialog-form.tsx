import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode, SubmitEvent } from 'react';
import { useAction } from '../app/action.ts';
import { Problem } from './form-dialog.tsx';
import { type FormValues, formValues } from './form-values.ts';
import { Icon, type IconName } from './icon.tsx';

export interface DialogFormProps<Result> {
  /** The button's word, and the dialog's title unless it has its own. */
  button: string;
  title?: string;
  /** What the button in the dialog does. */
  submit: string;
  run(values: FormValues): Promise<Result>;
  done?: string | ((result: Result) => string);
  refresh?: readonly string[];
  onDone?(result: Result): void;
  icon?: IconName;
  kind?: 'main' | 'plain' | 'danger';
  /** Says more than the word does, where the same word stands in many rows. */
  label?: string;
  children: ReactNode;
}

/** A button that opens a dialog with one form. It closes when it worked, and says beside the fields why it did not. */
export function DialogForm<Result>(props: DialogFormProps<Result>) {
  const [isOpen, { open, close }] = useDisclosure();
  const isMain = props.kind === 'main';
  return (
    <>
      <Button
        size="xs"
        variant={isMain ? 'filled' : 'default'}
        leftSection={props.icon && <Icon name={props.icon} />}
        onClick={open}
        aria-label={props.label}
      >
        {props.button}
      </Button>
      <Modal opened={isOpen} onClose={close} title={props.title ?? props.label ?? props.button}>
        <DialogBody {...props} close={close} />
      </Modal>
    </>
  );
}

function DialogBody<Result>(props: DialogFormProps<Result> & { close(): void }) {
  const action = useAction<FormValues, Result>({
    run: async (values) => props.run(values),
    done: props.done,
    refresh: props.refresh,
    showsError: true,
    onDone(result) {
      props.close();
      props.onDone?.(result);
    },
  });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog inside another sends its own form alone.
    event.stopPropagation();
    action.mutate(formValues(new FormData(event.currentTarget)));
  };
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        {props.children}
        <Problem error={action.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.close}>
            {props.kind === 'danger' ? 'Keep it' : 'Cancel'}
          </Button>
          <Button
            type="submit"
            color={props.kind === 'danger' ? 'red' : undefined}
            loading={action.isPending}
          >
            {props.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
