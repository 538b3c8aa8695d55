import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Daemon, findChild, signalTree, startDaemon } from './daemon.ts';
import { PATRONI_SETTINGS } from './settings.ts';

export interface NodeOptions {
  name: string;
  folder: string;
  etcdPort: number;
  /** Port of PostgreSQL; the other one is for Patroni's own answers. */
  port: number;
  restPort: number;
  password: string;
  isAsynchronous: boolean;
}

const BINARIES = '/usr/lib/postgresql/15/bin';

/** A machine of the cluster: Patroni, and the PostgreSQL it looks after. */
export class Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #options: NodeOptions;
  #patroni: Daemon | undefined;

  constructor(options: NodeOptions) {
    this.name = options.name;
    this.port = options.port;
    this.restPort = options.restPort;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { folder, name } = this.#options;
    const file = join(folder, `${name}.yml`);
    // JSON is a subset of YAML.
    await writeFile(file, JSON.stringify(patroniConfig(this.#options), null, 2));
    this.#patroni = await startDaemon(['patroni', file], join(folder, `${name}.log`));
  }

  /** Returns the last output of Patroni and PostgreSQL. */
  async lastLog(): Promise<string> {
    const text = await readFile(join(this.#options.folder, `${this.name}.log`), 'utf8');
    return `${this.name}:\n${text.split('\n').slice(-40).join('\n')}`;
  }

  /** Asks Patroni; undefined while it does not answer. */
  async ask<Answer>(path: string, body?: object): Promise<Answer | undefined> {
    const response = await fetch(`http://127.0.0.1:${this.restPort}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(body ? 60_000 : 2_000),
    }).catch(() => undefined);
    if (body && response && !response.ok)
      throw new Error(`${path} was refused: ${response.status} ${await response.text()}`);
    const text = await response?.text().catch(() => undefined);
    return text?.startsWith('{') ? (JSON.parse(text) as Answer) : (text as Answer | undefined);
  }

  /** A connection of one's own to this PostgreSQL, whatever its role. */
  async connect(database = 'postgres'): Promise<pg.Client> {
    const client = new pg.Client({
      ...{ host: '127.0.0.1', port: this.port, user: 'postgres', password: this.#options.password, database },
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Every process of PostgreSQL dies at once; Patroni lives and finds out. */
  async killPostgres(): Promise<void> {
    await signalTree(await this.#postmasterPid(), 'SIGKILL');
  }

  /** Kills the machine as a loss of power would. */
  async killMachine(): Promise<void> {
    const pid = await this.#postmasterPid();
    this.#patroni!.signal('SIGKILL');
    await signalTree(pid, 'SIGKILL');
    await this.#patroni!.end('SIGKILL');
  }

  /** Freezes the node like a paused virtual machine: nothing in it moves, and its connections stay open. */
  async freeze(): Promise<void> {
    this.#patroni!.signal('SIGSTOP');
    await signalTree(await this.#postmasterPid(), 'SIGSTOP');
  }

  /** PostgreSQL continues alone: for this long nobody tells it that it is no longer the leader. */
  async thawPostgres(): Promise<void> {
    await signalTree(await this.#postmasterPid(), 'SIGCONT');
  }

  thawPatroni(): void {
    this.#patroni!.signal('SIGCONT');
  }

  /** Stops receiving from the leader, as over a slow line; `drop` loses what is under way. */
  async holdReplication(): Promise<{ drop(): void } | undefined> {
    const pid = await findChild(await this.#postmasterPid(), 'walreceiver');
    if (pid === undefined) return undefined;
    process.kill(pid, 'SIGSTOP');
    return {
      drop() {
        process.kill(pid, 'SIGTERM');
        process.kill(pid, 'SIGCONT');
      },
    };
  }

  async stop(): Promise<void> {
    await this.#patroni?.end();
    await this.#postmasterPid().then(
      (pid) => signalTree(pid, 'SIGKILL'),
      () => {},
    );
  }

  async #postmasterPid(): Promise<number> {
    const { folder, name } = this.#options;
    const text = await readFile(join(folder, name, 'postmaster.pid'), 'utf8');
    return Number(text.split('\n')[0]);
  }
}

function patroniConfig(options: NodeOptions) {
  const { name, folder, etcdPort, port, restPort, password, isAsynchronous } = options;
  return {
    scope: 'florin',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: { ...PATRONI_SETTINGS, synchronous_mode: !isAsynchronous },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name),
      bin_dir: BINARIES,
      basebackup: [{ checkpoint: 'fast' }],
      pgpass: join(folder, `${name}.pgpass`),
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: folder, password_encryption: 'scram-sha-256' },
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewind', password },
      },
    },
  };
}
