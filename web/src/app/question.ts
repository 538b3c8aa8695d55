import { useSyncExternalStore } from 'react';

/** Question that any action can ask and one dialog answers. */
export interface Question {
  /** Opens the dialog; true when the member has confirmed. Every caller that asks while it is open gets the same answer. */
  ask(): Promise<boolean>;
  answer(isGranted: boolean): void;
  useIsOpen(): boolean;
}

export function createQuestion(): Question {
  let open: PromiseWithResolvers<boolean> | undefined;
  const watchers = new Set<() => void>();
  const set = (next: typeof open) => {
    open = next;
    for (const watcher of watchers) watcher();
  };
  const subscribe = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return {
    ask() {
      if (!open) set(Promise.withResolvers<boolean>());
      return open!.promise;
    },
    answer(isGranted) {
      open?.resolve(isGranted);
      set(undefined);
    },
    useIsOpen: () => useSyncExternalStore(subscribe, () => open !== undefined),
  };
}
