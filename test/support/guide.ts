import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cleanUp } from './clean-up.ts';

/** Command as `npm link` makes it. */
const FLORIN = join(import.meta.dirname, '../../bin/florin.js');

/** One `sh` block of a guide, and what the guide says it prints. */
export interface Step {
  line: number;
  commands: string;
  promise: { language: 'json' | 'text'; text: string } | undefined;
}

/** The steps of a guide, in order. Every block is a command or what the command before it prints: none goes unread. */
export function stepsOf(guide: string): Step[] {
  const steps: Step[] = [];
  let isOpen = false;
  for (const match of guide.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    const [, language, text] = match as unknown as [string, string, string];
    const line = guide.slice(0, match.index).split('\n').length;
    if (language === 'sh') {
      steps.push({ line, commands: text, promise: undefined });
      isOpen = true;
    } else if (isOpen && (language === 'json' || language === 'text')) {
      steps.at(-1)!.promise = { language, text };
      isOpen = false;
    } else {
      throw new Error(`line ${line}: a block of "${language}" that does not follow a command`);
    }
  }
  return steps;
}

/**
 * Runs a guide as a reader does, every command in one shell, and answers what was not as the guide says; undefined
 * when all was. A command may fail only where the guide shows the error it gets, and nothing may go on running.
 */
export async function tryGuide(steps: readonly Step[], folder: string): Promise<string | undefined> {
  const outputs = join(folder, 'outputs');
  const work = join(folder, 'work');
  await mkdir(outputs);
  await mkdir(work);
  const outputOf = (step: Step) => join(outputs, `${step.line}`);
  const script = join(folder, 'guide.sh');
  await writeFile(script, steps.map((step) => scriptOf(step, outputOf(step))).join('\n'));
  const commands = join(folder, 'commands');
  await mkdir(commands);
  await symlink(FLORIN, join(commands, 'florin'));
  const { code, stderr, isAllOver } = await runShell(script, work, commands);
  for (const step of steps) {
    const printed = await readFile(outputOf(step), 'utf8').catch(() => undefined);
    if (printed === undefined) break;
    const problem = step.promise && blockedReason(printed, step.promise);
    if (problem) return `line ${step.line}: ${problem}\n${step.commands}printed:\n${printed}${stderr}`;
  }
  if (code !== 0) return `a command failed with ${code}:\n${stderr}`;
  return isAllOver ? undefined : 'a process the guide started still runs at its end';
}

function scriptOf({ line, commands, promise }: Step, output: string): string {
  const isError = promise?.language === 'json' && 'error' in JSON.parse(promise.text);
  const run = isError
    ? `set +e\n${commands}isRefused=$?\nset -e\n[ $isRefused -ne 0 ] || { echo "line ${line} was to be refused" >&2; exit 1; }`
    : commands;
  return `set -euo pipefail\nexec >'${output}'\necho 'line ${line}' >&2\n${run}`;
}

async function runShell(
  script: string,
  cwd: string,
  commands: string,
): Promise<{ code: number | null; stderr: string; isAllOver: boolean }> {
  const shell = spawn('bash', [script], {
    cwd,
    env: {
      PATH: `${dirname(process.execPath)}:${commands}:${process.env.PATH}`,
      HOME: cwd,
      TMPDIR: cwd,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let stderr = '';
  shell.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  // Whatever a guide started goes with its shell, also when the test gave up on it.
  cleanUp(async () => endGroup(shell.pid!));
  const [code] = await once(shell, 'exit');
  const isAllOver = code === 0 && (await isGroupGone(shell.pid!));
  endGroup(shell.pid!);
  return { code, stderr, isAllOver };
}

/** Waits until the group has ended: after SIGTERM it gets time to stop. */
async function isGroupGone(leader: number): Promise<boolean> {
  for (let left = 100; left > 0; left--) {
    if (!signalGroup(leader, 0)) return true;
    await setTimeout(100);
  }
  return false;
}

function endGroup(leader: number): void {
  signalGroup(leader, 'SIGKILL');
}

/** Signals a group; true if any process of it was there. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Returns the reason why the output is not what was promised. A JSON object may be abridged. */
export function blockedReason(
  printed: string,
  { language, text }: NonNullable<Step['promise']>,
): string | undefined {
  if (language === 'text')
    return matches(text.trim(), printed.trim().replaceAll('\r\n', '\n')) ? undefined : `promised:\n${text}`;
  const answer = printed.trim().split('\n').at(-1)!;
  return answer === ''
    ? 'nothing was answered'
    : difference(JSON.parse(text), JSON.parse(answer), 'the answer');
}

function difference(promised: unknown, real: unknown, where: string): string | undefined {
  if (typeof promised === 'string' && typeof real === 'string' && matches(promised, real)) return undefined;
  if (promised === null || typeof promised !== 'object') {
    return promised === real
      ? undefined
      : `${where} is ${JSON.stringify(real)}, not ${JSON.stringify(promised)}`;
  }
  if (real === null || typeof real !== 'object' || Array.isArray(promised) !== Array.isArray(real)) {
    return `${where} is ${JSON.stringify(real)}`;
  }
  if (Array.isArray(promised) && Array.isArray(real) && promised.length !== real.length) {
    return `${where} has ${real.length} items, not ${promised.length}`;
  }
  for (const [name, value] of Object.entries(promised)) {
    const problem = difference(value, (real as Record<string, unknown>)[name], `${where}.${name}`);
    if (problem) return problem;
  }
  return undefined;
}

/** `…` stands for something within a line, and alone on a line for any lines. */
function matches(promised: string, real: string): boolean {
  const lines = promised.split('\n').map((line) => (line === '…' ? '[^]*' : patternOf(line)));
  return new RegExp(`^${lines.join('\\n')}$`).test(real);
}

function patternOf(line: string): string {
  return line
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^\\n]+');
}
