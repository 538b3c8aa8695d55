import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { t } from '../words/t.ts';
import { askToConfirm } from './confirmation.ts';
import { codeOf, messageOf } from './florin.ts';
import { askToSignIn, isSignedOut, queryClient } from './query-client.ts';

export interface ActionOptions<Input, Result> {
  run(input: Input): Promise<Result>;
  /** The notification on success; none if the screen shows the result anyway. */
  done?: string | ((result: Result) => string);
  /** The first parts of the keys of what is read again. */
  refresh?: readonly string[];
  onDone?(result: Result, input: Input): void;
  /** The screen shows the error beside its form; otherwise it is a notification. */
  showsError?: boolean;
}

/** One change: asks for a confirmation, or to sign in again, if the service requires it and retries, then reports the result. */
export function useAction<Input = void, Result = unknown>(options: ActionOptions<Input, Result>) {
  const isUnderWay = useRef(false);
  const mutation = useMutation<Result, Error, Input>({
    mutationFn: (input) => withConfirmation(() => options.run(input)),
    // An answer may hold a secret that is shown once: nothing keeps it longer than its screen.
    gcTime: 0,
    async onSuccess(result, input) {
      options.onDone?.(result, input);
      const text = typeof options.done === 'function' ? options.done(result) : options.done;
      if (text) notifications.show({ message: text, color: 'green' });
      await Promise.all(
        (options.refresh ?? []).map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
      );
    },
    onError(error) {
      if (error instanceof NotConfirmed || options.showsError) return;
      notifications.show({
        title: t('Something went wrong'),
        message: messageOf(error),
        color: 'red',
        autoClose: 10_000,
      });
    },
    onSettled() {
      isUnderWay.current = false;
    },
  });
  return {
    ...mutation,
    /** Runs once at a time. The second click of a double click comes before the button is drawn as busy. */
    mutate(input: Input) {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutation.mutate(input);
    },
  };
}

/** The dialog was closed: nothing happened, and nothing needs to be reported. */
export class NotConfirmed extends Error {}

export async function withConfirmation<Result>(
  run: () => Promise<Result>,
  isSecondTry = false,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (codeOf(error) === 'SIGN_IN_REQUIRED') {
      const isOut = await isSignedOut();
      if (isOut ? !(await askToSignIn()) : isSecondTry) throw error;
      return withConfirmation(run, !isOut);
    }
    if (codeOf(error) !== 'STEP_UP_REQUIRED') throw error;
    if (!(await askToConfirm())) throw new NotConfirmed(t('It was not confirmed.'));
    return run();
  }
}
