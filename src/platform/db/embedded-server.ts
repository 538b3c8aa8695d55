import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, chown, mkdir, open, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeAccessRules } from './cluster-access.ts';
import { processStart } from './data-folder-lock.ts';
import { prepareBinaries } from './embedded-binaries.ts';
import { giveTo, namedUser, type SystemUser, serverUserOf } from './server-user.ts';

/** The database role that owns everything. */
export const USER = 'florin';

/** Path of the folder handle in the child: right after stdin, stdout and stderr. */
const FOLDER_IN_CHILD = '/proc/self/fd/3';
const STOP_TIMEOUT_MS = 20_000;
const START_TIMEOUT_MS = 60_000;

/** The server process and its cluster on disk: creates, starts, watches and stops it. */
export class EmbeddedServer {
  readonly #folder: string;
  readonly #binaries: string;
  readonly #user: SystemUser | undefined;
  readonly #settings: Record<string, string>;
  readonly #onCrash: (message: string) => void;
  #process: ChildProcess | undefined;
  #stopping = false;
  readonly #endWithUs = () => void this.#process?.kill('SIGINT');

  private constructor(
    folder: string,
    binaries: string,
    user: SystemUser | undefined,
    settings: Record<string, string>,
    onCrash: (message: string) => void,
  ) {
    this.#folder = folder;
    this.#binaries = binaries;
    this.#user = user;
    this.#settings = settings;
    this.#onCrash = onCrash;
    process.once('exit', this.#endWithUs);
  }

  static async prepare(
    dataFolder: string,
    settings: Record<string, string>,
    onCrash: (message: string) => void,
    uid?: number,
  ) {
    const folder = join(dataFolder, 'postgres');
    const binaries = await prepareBinaries(dataFolder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const user = await serverUserOf(folder, uid);
    await chmod(folder, 0o700);
    return new EmbeddedServer(folder, binaries, user, settings, onCrash);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async start(): Promise<void> {
    const cluster = join(this.#folder, 'cluster');
    if (await exists(cluster)) await stopLeftover(cluster);
    else await this.#create(cluster);
    if (this.#user) await giveTo(this.#user, this.#folder);
    await writeAccessRules(cluster, USER, this.#user);
    for (let tries = 1; ; tries++) {
      try {
        await this.#launch(cluster);
        return;
      } catch (error) {
        // After a kill -9 the old server's children may take a moment to let go of shared memory.
        if (tries >= 8) throw error;
        this.#onCrash(`${(error as Error).message}\nTrying again`);
        await sleep(25 * 2 ** tries);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    process.off('exit', this.#endWithUs);
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGINT');
    if ((await Promise.race([gone, sleep(STOP_TIMEOUT_MS, 'late', { ref: false })])) === 'late') {
      child.kill('SIGQUIT');
      await gone;
    }
  }

  /** initdb works in a temporary folder that is renamed when complete: a half-made cluster is never opened. */
  async #create(cluster: string): Promise<void> {
    const half = `${cluster}.new`;
    // After a kill -9 an initdb may go on for a moment, and put a file where one was just deleted.
    await rm(half, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    await mkdir(half, { mode: 0o700 });
    const maker = this.#user && (await namedUser());
    if (maker) await chown(half, maker.uid, maker.gid);
    const args = [
      ...['-D', FOLDER_IN_CHILD, '-U', USER, '--auth=peer'],
      ...['--encoding=UTF8', '--locale=C', '--data-checksums', '--no-instructions'],
    ];
    const child = await this.#spawn('initdb', args, half, maker);
    const code = await new Promise<number | null>((done, fail) =>
      child.once('error', fail).once('exit', done),
    );
    if (code !== 0) throw new Error(`initdb failed (exit ${code}):\n${await this.#lastLog()}`);
    if (this.#user) {
      await giveTo(this.#user, half);
      await chown(this.#folder, this.#user.uid, this.#user.gid);
    }
    await rename(half, cluster);
    const handle = await open(this.#folder);
    await handle.sync().finally(() => handle.close());
  }

  async #launch(cluster: string): Promise<void> {
    const settings = { ...DEFAULT_SETTINGS, ...this.#settings };
    const args = [
      ...['-D', `${FOLDER_IN_CHILD}/cluster`, '-k', FOLDER_IN_CHILD],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const child = await this.#spawn('postgres', args, this.#folder, this.#user);
    this.#process = child;
    await this.#waitUntilReady(child, cluster);
    this.#stopWithUs(child.pid!);
    child.once('exit', (code, signal) => {
      if (!this.#stopping)
        void this.#restart(`PostgreSQL ended (${signal ?? `exit ${code}`}); starting it again`);
    });
  }

  async #restart(reason: string): Promise<void> {
    this.#onCrash(reason);
    for (let delayMs = 50; !this.#stopping; delayMs = Math.min(delayMs * 2, 5_000)) {
      try {
        return await this.start();
      } catch (error) {
        this.#onCrash(`PostgreSQL did not start: ${(error as Error).message}`);
        await sleep(delayMs);
      }
    }
  }

  async #waitUntilReady(child: ChildProcess, cluster: string): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    let failure: Error | undefined;
    child.once('error', (error) => {
      failure = error;
    });
    while (performance.now() < deadline) {
      const lines = await readFile(join(cluster, 'postmaster.pid'), 'utf8').then(
        (text) => text.split('\n'),
        () => [],
      );
      if (failure) throw failure;
      // Asked after reading: a server that was killed meanwhile leaves a file that says it is ready.
      if (child.exitCode !== null || child.signalCode !== null) break;
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return;
      await sleep(5);
    }
    child.kill('SIGQUIT');
    throw new Error(`PostgreSQL did not start:\n${await this.#lastLog()}`);
  }

  /**
   * After a kill -9 of this process nothing is left to stop the server, so a shell that waits on our end of a pipe
   * does it.
   */
  #stopWithUs(pid: number): void {
    const guard = spawn(
      '/bin/sh',
      ['-c', 'read -r _; kill -INT "$1" 2>/dev/null', 'florin-guard', String(pid)],
      {
        ...this.#user,
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    guard.on('error', () => {});
    guard.unref();
    (guard.stdin as unknown as { unref(): void }).unref();
    this.#process!.once('exit', () => guard.kill('SIGKILL'));
  }

  async #spawn(
    program: string,
    args: string[],
    place: string,
    user: SystemUser | undefined,
  ): Promise<ChildProcess> {
    const folder = await open(place, constants.O_RDONLY | constants.O_DIRECTORY);
    const log = await open(
      join(this.#folder, 'server.log'),
      await logFlags(join(this.#folder, 'server.log')),
      0o600,
    );
    try {
      return spawn(join(this.#binaries, 'bin', program), args, {
        ...user,
        cwd: '/',
        // Its own session: Ctrl-C in the terminal is for us, and we stop the server when we are done.
        detached: true,
        env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
        stdio: ['ignore', log.fd, log.fd, folder.fd],
      });
    } finally {
      await folder.close();
      await log.close();
    }
  }

  async #lastLog(): Promise<string> {
    const text = await readFile(join(this.#folder, 'server.log'), 'utf8').catch(() => '');
    return text.trimEnd().split('\n').slice(-8).join('\n');
  }
}

const DEFAULT_SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements are planned once, on a new database for empty tables, and again when these have been analyzed: early.
  autovacuum_naptime: '5s',
};

/** Stops a server that outlived the process that started it, and removes a stale pid file. */
async function stopLeftover(cluster: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(path, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (await isServerOf(pid, cluster)) {
    process.kill(pid, performance.now() < deadline ? 'SIGINT' : 'SIGQUIT');
    await sleep(20);
  }
  await rm(path, { force: true });
}

async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await processStart(pid))) return false;
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return folder === cluster;
}

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** The server's own log starts over when it has grown large. */
async function logFlags(path: string): Promise<string> {
  const size = await stat(path).then(
    (info) => info.size,
    () => 0,
  );
  return size > LOG_LIMIT_BYTES ? 'w' : 'a';
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
