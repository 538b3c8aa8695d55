import pino, { type Logger } from 'pino';
import { redact } from './redact.ts';

export { redact };

/** JSON lines on stderr; stdout is for people. Every line passes the redactor last, so no path can be forgotten. */
export function createLog(
  level: string,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: {
        // PostgreSQL quotes the row in the detail of an error: a customer's address has no place in a log.
        paths: [
          '*.authorization',
          '*.cookie',
          '*.password',
          'headers.authorization',
          'err.detail',
          'err.where',
        ],
        censor: '[redacted]',
      },
    },
    { write: (line: string) => write(redact(line)) },
  );
}

export type { Logger };

/** As pino does; but a cause that the message names already is not named twice. */
function describeError(error: Error): object {
  const described = pino.stdSerializers.err(error);
  return error instanceof Error ? Object.assign(described, { message: messageOf(error) }) : described;
}

function messageOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message;
  const reason = messageOf(cause);
  return message.includes(reason) ? message : `${message}: ${reason}`;
}
