import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireTool } from '../support/debian.ts';
import { freePort, temporaryFolder } from '../support/process.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { Node } from './node.ts';
import { HAPROXY_SETTINGS } from './settings.ts';

export type Through = 'haproxy' | 'hosts';

interface Member {
  name: string;
  role: string;
  state: string;
}

/** Two PostgreSQL servers under Patroni, etcd to decide between them, HAProxy in front. All on loopback, in one folder. */
export interface Cluster {
  folder: string;
  nodes: readonly Node[];
  /** URL of the database for the service. */
  databaseUrl(through: Through): string;
  /** The server that takes writes, and the one that follows it. */
  roles(): Promise<{ leader: Node; standby: Node }>;
  /** Waits until there is a leader other than this one, which takes writes. */
  newLeader(old: Node): Promise<Node>;
  /** Waits until one leads and the other follows, synchronously if it should. */
  settled(): Promise<void>;
}

const TOOLS = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' };

type OnDone = (clean: () => Promise<unknown>) => void;

export async function startCluster(isAsynchronous: boolean, onDone: OnDone): Promise<Cluster> {
  installTools();
  const folder = await temporaryFolder(onDone);
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres:postgres', folder]);
  const password = randomBytes(16).toString('hex');
  const [etcdPort, peerPort, proxyPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const etcd = await startEtcd(folder, etcdPort, peerPort);
  onDone(() => etcd.end());
  const nodes = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const [port, restPort] = await Promise.all([freePort(), freePort()]);
      return new Node({ name, folder, etcdPort, port, restPort, password, isAsynchronous });
    }),
  );
  const proxy = await startProxy(folder, proxyPort, nodes);
  onDone(() => Promise.all([proxy.end(), ...nodes.map((node) => node.stop())]));
  const followers = isAsynchronous ? ['replica', 'sync_standby'] : ['sync_standby'];
  // One after the other: the first one initializes the cluster, and the other copies it.
  await nodes[0]!.start();
  await until('a first leader', () => leaderOf(nodes));
  await createDatabase(nodes[0]!, password);
  await nodes[1]!.start();
  const cluster: Cluster = {
    folder,
    nodes,
    databaseUrl(through) {
      const hosts = through === 'haproxy' ? [proxyPort] : nodes.map(({ port }) => port);
      const list = hosts.map((port) => `127.0.0.1:${port}`).join(',');
      const attributes = through === 'hosts' ? '?target_session_attrs=read-write' : '';
      return `postgres://florin:${password}@${list}/florin${attributes}`;
    },
    async roles() {
      const leader = await until('a leader', () => leaderOf(nodes));
      return { leader, standby: nodes.find((node) => node !== leader)! };
    },
    newLeader: (old) => until('a new leader', () => leaderOf(nodes.filter((node) => node !== old))),
    async settled() {
      await until(
        'a leader with a standby',
        async () => isSettled(await membersOf(nodes), followers) && isFollowed(await leaderOf(nodes)),
      ).catch(async (error: Error) => {
        const said = await Promise.all(nodes.map((node) => node.lastLog()));
        throw new Error([error.message, JSON.stringify(await membersOf(nodes)), ...said].join('\n'));
      });
    },
  };
  await cluster.settled();
  return cluster;
}

function installTools(): void {
  for (const [tool, packageName] of Object.entries(TOOLS)) requireTool(tool, `${packageName} python3-etcd`);
  requireTool('/usr/lib/postgresql/15/bin/postgres', 'postgresql-15');
}

function startEtcd(folder: string, port: number, peerPort: number): Promise<Daemon> {
  const url = `http://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const options = {
    name: 'etcd',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd=${peerUrl}`,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return startDaemon(['etcd', ...args], join(folder, 'etcd.log'));
}

/** Starts HAProxy as in the guide, with the ports that are free here. */
async function startProxy(folder: string, port: number, nodes: readonly Node[]): Promise<Daemon> {
  const file = join(folder, 'haproxy.cfg');
  let text = HAPROXY_SETTINGS.replace('bind *:5000', `bind 127.0.0.1:${port}`);
  for (const [i, node] of nodes.entries())
    text = text.replace(
      `10.0.0.${i + 1}:5432 check port 8008`,
      `127.0.0.1:${node.port} check port ${node.restPort}`,
    );
  await writeFile(file, text);
  return startDaemon(['haproxy', '-db', '-f', file], join(folder, 'haproxy.log'));
}

async function createDatabase(node: Node, password: string): Promise<void> {
  const client = await node.connect();
  await client.query(`create role florin login password '${password}'`);
  await client.query('create database florin owner florin');
  await client.query('create table zombie_writes (at timestamptz)');
  await client.end();
}

/** Patroni answers 200 only where it holds the lease and PostgreSQL takes writes. */
async function leaderOf(nodes: readonly Node[]): Promise<Node | undefined> {
  const answers = await Promise.all(
    nodes.map(async (node) => {
      const response = await fetch(`http://127.0.0.1:${node.restPort}/primary`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => undefined);
      return response?.ok ?? false;
    }),
  );
  return nodes.find((_, i) => answers[i]);
}

async function membersOf(nodes: readonly Node[]): Promise<Member[]> {
  for (const node of nodes) {
    const answer = await node.ask<{ members: Member[] }>('/cluster');
    if (answer?.members) return answer.members;
  }
  return [];
}

const WORKING = ['running', 'streaming'];

function isSettled(members: readonly Member[], followers: readonly string[]): boolean {
  const working = members.filter(({ state }) => WORKING.includes(state));
  return (
    working.some(({ role }) => role === 'leader') && working.some(({ role }) => followers.includes(role))
  );
}

/**
 * True if a server follows the leader. After a freeze, its last report to etcd may be old: only its connection to the
 * leader proves it.
 */
async function isFollowed(leader: Node | undefined): Promise<boolean> {
  const client = await leader?.connect().catch(() => undefined);
  if (!client) return false;
  try {
    const { rows } = await client.query(`select from pg_stat_replication where state = 'streaming'`);
    return rows.length > 0;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => {});
  }
}

const PATIENCE_MS = 180_000;

async function until<Value>(what: string, check: () => Promise<Value | undefined | false>): Promise<Value> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error(`there was never ${what}`);
    await sleep(100);
  }
}

/** Returns the versions of the installed programs, as each prints it. */
export function versionsOf(): Record<string, string> {
  const ask = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      encoding: 'utf8',
      env: { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch },
    });
  const number = (text: string) => /\d+\.\d+(\.\d+)?/.exec(text)![0];
  return {
    postgres: number(ask('/usr/lib/postgresql/15/bin/postgres', '--version')),
    patroni: number(ask('patroni', '--version')),
    etcd: number(ask('etcd', '--version')),
    haproxy: number(ask('haproxy', '-v')),
  };
}
