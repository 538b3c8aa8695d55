import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile } from 'node:fs/promises';

/** PostgreSQL refuses to run as root, and what manages it then has to be the same user. */
const AS_POSTGRES =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups']
    : ['env'];

export interface Daemon {
  pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Ends it, and answers when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program in the background as the user postgres; what it says goes to the end of the file. */
export async function startDaemon(command: readonly string[], logPath: string): Promise<Daemon> {
  const log = await open(logPath, 'a');
  const [program, ...args] = [...AS_POSTGRES, ...command] as [string, ...string[]];
  const child = spawn(program, args, {
    cwd: '/',
    // etcd wants to be asked twice on ARM.
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ETCD_UNSUPPORTED_ARCH: process.arch },
    stdio: ['ignore', log.fd, log.fd],
  });
  await Promise.all([once(child, 'spawn'), log.close()]);
  return {
    pid: child.pid!,
    signal: (signal) => child.kill(signal),
    async end(signal = 'SIGTERM') {
      if (hasEnded(child)) return;
      child.kill(signal);
      // A stopped process takes no signal but SIGKILL until it continues.
      child.kill('SIGCONT');
      await once(child, 'exit');
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Sends a signal to a process and all that it started, again until none is new: a busy server starts more meanwhile. */
export async function signalTree(rootPid: number, signal: NodeJS.Signals): Promise<void> {
  const reached = new Set<number>();
  for (let isNew = true; isNew; ) {
    const fresh = (await treeOf(rootPid)).filter((pid) => !reached.has(pid));
    for (const pid of fresh) {
      reached.add(pid);
      send(pid, signal);
    }
    isNew = fresh.length > 0;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The process itself first: it starts nothing more once it has the signal. */
async function treeOf(rootPid: number): Promise<number[]> {
  const parents = new Map<number, number[]>();
  for (const { pid, parent } of await listProcesses())
    parents.set(parent, [...(parents.get(parent) ?? []), pid]);
  const tree = [rootPid];
  for (const pid of tree) tree.push(...(parents.get(pid) ?? []));
  return tree;
}

async function listProcesses(): Promise<{ pid: number; parent: number }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // The name in brackets may have spaces in it.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return { pid: Number(pid), parent: Number(/\) \S (\d+)/.exec(stat)?.[1]) };
    }),
  );
  return found.filter(({ parent }) => !Number.isNaN(parent));
}

/** The child whose title, as PostgreSQL sets it, has the words in it. */
export async function findChild(parentPid: number, words: string): Promise<number | undefined> {
  for (const { pid, parent } of await listProcesses()) {
    if (parent !== parentPid) continue;
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (title.includes(words)) return pid;
  }
  return undefined;
}
