import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { namedUser } from '../../src/platform/db/server-user.ts';
import { cleanUp } from './clean-up.ts';
import { requireTool } from './debian.ts';
import { freePort, temporaryFolder } from './process.ts';

interface Behind {
  database: string;
  /** Port of the server, on this machine. */
  port: number;
  mode: 'transaction' | 'session';
  /** Connections to the server. */
  poolSize: number;
}

export interface PgBouncer {
  port: number;
  /** Ends it with `kill -9`. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** The real one, in front of a server that trusts the user florin. */
export async function startPgBouncer({
  database,
  port: upstream,
  mode,
  poolSize,
}: Behind): Promise<PgBouncer> {
  requireTool('pgbouncer');
  const [port, folder] = await Promise.all([freePort(), temporaryFolder(cleanUp)]);
  const settings = join(folder, 'pgbouncer.ini');
  await chmod(folder, 0o755);
  await writeFile(
    settings,
    `[databases]
${database} = host=127.0.0.1 port=${upstream} user=florin
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
`,
  );
  const user = process.getuid?.() === 0 ? await namedUser() : {};
  let child: ChildProcess | undefined;
  const bouncer: PgBouncer = {
    port,
    async kill() {
      child?.kill('SIGKILL');
      if (child) await once(child, 'exit');
      child = undefined;
    },
    async start() {
      const started = spawn('/usr/sbin/pgbouncer', [settings], {
        stdio: ['ignore', 'ignore', 'pipe'],
        ...user,
      });
      child = started;
      for await (const line of createInterface(started.stderr)) if (line.includes('process up')) break;
      started.stderr.resume();
    },
  };
  cleanUp(() => bouncer.kill());
  await bouncer.start();
  return bouncer;
}
