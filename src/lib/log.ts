import pino, { type Logger } from 'pino';

/** Anything that looks like one of our secrets, or a password in a URL, wherever it stands in a line. */
const SECRETS =
  /fl_(live|dev)_[0-9A-Za-z]+|whsec_[0-9A-Za-z]+|(portal|session|join)_[0-9A-Za-z]{43,}|(?<=:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/g;

export function redact(text: string): string {
  return text.replace(SECRETS, '[redacted]');
}

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
      redact: {
        paths: ['*.authorization', '*.cookie', '*.password', 'headers.authorization'],
        censor: '[redacted]',
      },
    },
    { write: (line: string) => write(redact(line)) },
  );
}

export type { Logger };
