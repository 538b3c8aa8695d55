/** Environment of a command. The caller passes it in, so that nothing here reads the environment itself. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** A command's own "no": its message goes to stderr, and the exit code is 1. */
export class Refusal extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The command was not given what it needs: exit code 2. */
export class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, hint = 'Run with --help to see how it is used.') {
    super(message);
    this.hint = hint;
  }
}

const COLOURS = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const;
export type Colour = keyof typeof COLOURS;
export type Paint = (colour: Colour, text: string) => string;

/** Colours only at a terminal, and unless disabled. */
export function painter({ env }: Io, stream: NodeJS.WriteStream): Paint {
  const isOn = stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  return (colour, text) => (isOn ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text);
}

export function say({ stdout }: Io, line: string): void {
  stdout.write(`${line}\n`);
}

export function warn({ stderr }: Io, line: string): void {
  stderr.write(`${line}\n`);
}
