import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface Ancestor {
  pid: number;
  parentPid: number;
  /** Start in the kernel's ticks: distinguishes it from a later process with the same id. */
  startedAt: string;
  command: readonly string[];
}

const LOOK_MS = 500;

/**
 * Calls `stop` once a process that only wraps this one is gone: npm, npx, a `sh -c` around them. A shell passes no
 * signals on, so a supervisor that ends one would leave the service behind, holding its data folder.
 */
export function onWrapperEnd(wrappers: readonly Ancestor[], stop: () => void): void {
  if (wrappers.length === 0) return;
  const timer = setInterval(() => {
    if (wrappers.every(({ pid, startedAt }) => readProcess(pid)?.startedAt === startedAt)) return;
    clearInterval(timer);
    stop();
  }, LOOK_MS).unref();
}

/**
 * The nearest first, up to the first ancestor that does its own work. Read early: one that is gone leaves no trace.
 */
export function listWrappers(): Ancestor[] {
  const wrappers: Ancestor[] = [];
  for (let pid = process.ppid; pid > 1; ) {
    const ancestor = readProcess(pid);
    if (!ancestor || !isWrapper(ancestor.command)) break;
    wrappers.push(ancestor);
    pid = ancestor.parentPid;
  }
  return wrappers;
}

const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'busybox']);

/** A shell that puts something into the background is meant to end before it. */
export function isWrapper([program = '', ...args]: readonly string[]): boolean {
  if (/^np[mx]( |$)/.test(program)) return true;
  if (args.some((arg) => /(^|\/)(florin(\.js)?|npm(-cli\.js)?|npx(-cli\.js)?)$/.test(arg))) return true;
  const script = args[args.indexOf('-c') + 1];
  return (
    SHELLS.has(basename(program)) && args.includes('-c') && !/(?<!&)&(?!&)|setsid|nohup/.test(script ?? '&')
  );
}

/** Reads a process from /proc: undefined for one that is gone, a zombie, or on a system without it. */
function readProcess(pid: number): Ancestor | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may itself hold spaces and brackets.
    const [state, parentPid, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    // npm overwrites it with its own title, followed by any number of zeros.
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').split('\0');
    return { pid, parentPid: Number(parentPid), startedAt: rest[17]!, command };
  } catch {
    return undefined;
  }
}
