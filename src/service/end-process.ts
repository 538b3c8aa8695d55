import type { Logger } from '../platform/lib/log.ts';

export const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How long a process may take to stop, after the time that it serves on. */
export const STOP_TIMEOUT_MS = 30_000;

export function exitAfter(log: Logger, error: unknown): void {
  log.fatal({ err: error }, 'unexpected failure; exiting');
  process.exit(1);
}

/** A bug must not leave a half-alive process behind; the supervisor outside starts a fresh one. */
export function exitOnBugs(log: Logger): void {
  process.on('uncaughtException', (error) => exitAfter(log, error));
  process.on('unhandledRejection', (error) => exitAfter(log, error));
}

/** Nothing was promised to anybody yet. What runs already, such as PostgreSQL, ends with us. */
export function exitDuringStart(_signal: string, number: number): void {
  process.exit(128 + number);
}
