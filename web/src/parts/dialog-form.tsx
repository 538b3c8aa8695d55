import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../app/action.ts';
import { t } from '../words/t.ts';
import { FormDialog } from './form-dialog.tsx';
import type { FormValues } from './form-values.ts';
import { Icon, type IconName } from './icon.tsx';
import { useOpenedAtOnce } from './opened-at-once.ts';

export interface DialogFormProps<Result> {
  /** The button's word, and the dialog's title unless it has its own. */
  button: string;
  title?: string;
  /** Label of the button in the dialog. */
  submit: string;
  run(values: FormValues): Promise<Result>;
  done?: string | ((result: Result) => string);
  refresh?: readonly string[];
  onDone?(result: Result): void;
  icon?: IconName;
  kind?: 'main' | 'plain' | 'danger';
  /** A longer accessible name, if many rows have the same button. */
  label?: string;
  children: ReactNode;
}

/** A button that opens a dialog with one form. It closes when it worked, and says beside the fields why it did not. */
export function DialogForm<Result>(props: DialogFormProps<Result>) {
  const opened = useOpenedAtOnce();
  const [isOpen, setOpen] = useState(opened !== null);
  const close = () => {
    setOpen(false);
    opened?.onClose();
  };
  const action = useAction<FormValues, Result>({
    run: async (values) => props.run(values),
    done: props.done,
    refresh: props.refresh,
    showsError: true,
    onDone(result) {
      close();
      props.onDone?.(result);
    },
  });
  const isDangerous = props.kind === 'danger';
  return (
    <>
      {!opened && (
        <Button
          size="xs"
          variant={props.kind === 'main' ? 'filled' : 'default'}
          leftSection={props.icon && <Icon name={props.icon} />}
          onClick={() => {
            action.reset();
            setOpen(true);
          }}
          aria-label={props.label}
        >
          {props.button}
        </Button>
      )}
      <FormDialog
        title={props.title ?? props.label ?? props.button}
        isOpen={isOpen}
        onClose={close}
        submit={props.submit}
        cancel={isDangerous ? t('Go back') : t('Cancel')}
        isDangerous={isDangerous}
        isBusy={action.isPending}
        error={action.error}
        onSubmit={(values) => action.mutate(values)}
      >
        {props.children}
      </FormDialog>
    </>
  );
}
