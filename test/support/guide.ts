import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cleanUp } from './clean-up.ts';

/** As `npm link` makes it a command. */
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
 * when all was. A command may fail only where the guide shows the error it gets.
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
  const { code, stderr } = await runShell(script, work, commands);
  for (const step of steps) {
    const printed = await readFile(outputOf(step), 'utf8').catch(() => undefined);
    if (printed === undefined) break;
    const problem = step.promise && objectionTo(printed, step.promise);
    if (problem) return `line ${step.line}: ${problem}\n${step.commands}printed:\n${printed}`;
  }
  return code === 0 ? undefined : `a command failed with ${code}:\n${stderr}`;
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
): Promise<{ code: number | null; stderr: string }> {
  const shell = spawn('bash', [script], {
    cwd,
    env: { PATH: `${dirname(process.execPath)}:${commands}:${process.env.PATH}`, HOME: cwd },
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
  endGroup(shell.pid!);
  return { code, stderr };
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Why what was printed is not what was promised. A JSON object may be abridged. */
export function objectionTo(
  printed: string,
  { language, text }: NonNullable<Step['promise']>,
): string | undefined {
  if (language === 'text')
    return matches(text.trim(), printed.trim().replaceAll('\r\n', '\n')) ? undefined : `promised:\n${text}`;
  const answers = printed.trim().split('\n');
  return difference(JSON.parse(text), JSON.parse(answers.at(-1)!), 'the answer');
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
