import { type ChildProcess, spawn } from 'node:child_process';

export interface CommandResult {
  code: number | null;
  output: string;
  isTimedOut: boolean;
}

const running = new Set<ChildProcess>();

/** Runs a program in its own process group, so that everything it started can be ended with it. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; limitMs: number },
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    let isTimedOut = false;
    const timer = setTimeout(() => {
      isTimedOut = true;
      endGroup(child);
    }, options.limitMs);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      endGroup(child);
      resolve({ code, output, isTimedOut });
    });
  });
}

/** Ends everything that was started and has not ended: for a run that is broken off. */
export function endCommands(): void {
  for (const child of running) endGroup(child);
}

function endGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The group is gone: nothing of it is left to end.
  }
}
