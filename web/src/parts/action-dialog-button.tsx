import { Button, type ButtonProps, Text } from '@mantine/core';
import { lazy, type ReactNode, useState } from 'react';
import { type ActionOptions, useAction } from '../app/action.ts';
import type { FormValues } from './form-values.ts';
import { OnceNeeded } from './once-needed.tsx';
import { useOpenedAtOnce } from './opened-at-once.ts';

const FormDialog = lazy(async () => ({ default: (await import('./form-dialog.tsx')).FormDialog }));

interface ActionDialogButtonProps<Result> {
  /** Label of the button that opens it, and its title. */
  label: string;
  /** Label of the button that does it; by default the same label. */
  submit?: string;
  explanation?: ReactNode;
  button?: ButtonProps;
  isDangerous?: boolean;
  action: Omit<ActionOptions<FormValues, Result>, 'showsError'>;
  children?: ReactNode;
}

/** A button that asks first: for what is needed, or just whether it is meant. */
export function ActionDialogButton<Result>(props: ActionDialogButtonProps<Result>) {
  const opened = useOpenedAtOnce();
  const [isOpen, setOpen] = useState(opened !== null);
  const close = () => {
    setOpen(false);
    opened?.onClose();
  };
  const action = useAction<FormValues, Result>({
    ...props.action,
    showsError: true,
    onDone(result, given) {
      close();
      props.action.onDone?.(result, given);
    },
  });
  const open = () => {
    action.reset();
    setOpen(true);
  };
  return (
    <>
      {!opened && (
        <Button
          size="xs"
          variant={props.isDangerous ? 'default' : undefined}
          {...props.button}
          onClick={open}
        >
          {props.label}
        </Button>
      )}
      <OnceNeeded isNeeded={isOpen}>
        {(isShown) => (
          <FormDialog
            title={props.label}
            isOpen={isShown}
            onClose={close}
            submit={props.submit ?? props.label}
            isDangerous={props.isDangerous}
            isBusy={action.isPending}
            error={action.error}
            onSubmit={(given) => action.mutate(given)}
          >
            {props.explanation && <Text size="sm">{props.explanation}</Text>}
            {props.children}
          </FormDialog>
        )}
      </OnceNeeded>
    </>
  );
}
