import { CommandFailed } from './context.ts';

/** Ctrl-C, a supervisor, a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Keeps a signal, or a pipe whose reader has gone, from ending the process until `stop` is called: the command is
 * notified and undoes what it has begun.
 */
export function untilInterrupted(says: string) {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new CommandFailed(says));
  const { signal } = controller;
  const whenInterrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  // Met where it is raced.
  whenInterrupted.catch(() => {});
  const outputs = [process.stdout, process.stderr];
  for (const name of SIGNALS) process.on(name, interrupt);
  for (const output of outputs) output.on('error', interrupt);
  return {
    signal,
    whenInterrupted,
    /** Errors of the outputs stay heard: what is said about an interruption may meet the same closed pipe. */
    stop() {
      for (const name of SIGNALS) process.off(name, interrupt);
    },
  };
}
