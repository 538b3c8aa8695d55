import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { requireTool } from './support/debian.ts';
import { freePort, type Running, startProcess, temporaryFolder } from './support/process.ts';
import { type Ground, startGround } from './support/start-ground.ts';
import { eventually } from './support/webhooks.ts';

const RULES = join(import.meta.dirname, '../deploy/monitoring/alerts.yml');

interface Prometheus {
  /** Names of the alerts that fire now. */
  firing(): Promise<string[]>;
}

/** A real Prometheus with the rules that are shipped; only their patience is shorter. */
async function startPrometheus(targets: readonly Running[]): Promise<Prometheus> {
  requireTool('prometheus');
  const folder = await temporaryFolder(cleanUp);
  const hasty = readFileSync(RULES, 'utf8').replace(/for: \d+[smh]/g, 'for: 1s');
  writeFileSync(join(folder, 'alerts.yml'), hasty);
  const hosts = targets.map(({ url }) => new URL(url).host);
  const config = {
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'florin', static_configs: [{ targets: hosts }] }],
  };
  // JSON is YAML too.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const server = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      // Forgets the last numbers of a killed process sooner.
      '--query.lookback-delta=5s',
    ],
    { stdio: 'ignore' },
  );
  cleanUp(async () => void server.kill('SIGKILL'));
  const ask = async (path: string) => {
    const response = await fetch(`http://${address}${path}`);
    return response.ok ? await response.json() : undefined;
  };
  await eventually(() => ask('/api/v1/status/buildinfo').catch(() => undefined));
  return {
    async firing() {
      const { data } = (await ask('/api/v1/alerts')) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      return data.alerts.flatMap(({ state, labels }) => (state === 'firing' ? [labels.alertname] : []));
    },
  };
}

async function startRole(ground: Ground, role: string): Promise<Running> {
  const running = await startProcess({ ...ground.env, FLORIN_ROLES: role });
  cleanUp(async () => void (await running.end('SIGKILL')));
  return running;
}

const ready = async ({ url }: Running) => {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, await response.text()] as const;
};

test('a real Prometheus with the shipped rules calls for each fault while it lasts, and no longer', async () => {
  const ground = await startGround();
  const api = await startRole(ground, 'api');
  const worker = await startRole(ground, 'worker');
  const watcher = await startRole(ground, 'watcher');
  const prometheus = await startPrometheus([api, worker, watcher]);
  const fires = (name: string) => eventually(async () => (await prometheus.firing()).includes(name));
  const isOver = (name: string) => eventually(async () => !(await prometheus.firing()).includes(name));
  await isOver('FlorinIsGone');
  for (const name of ['FlorinNoApi', 'FlorinNoWorker', 'FlorinNoWatcher', 'FlorinInstanceDown'])
    await isOver(name);

  // A process that is frozen answers no scrape, as one does that is cut off.
  api.child.kill('SIGSTOP');
  await fires('FlorinInstanceDown');
  api.child.kill('SIGCONT');
  await isOver('FlorinInstanceDown');

  // A standby that has to confirm every commit, and is gone.
  await ground.db.query(`alter system set synchronous_standby_names = 'gone'`);
  await ground.db.query('select pg_reload_conf()');
  const headers = { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json' };
  const create = () =>
    fetch(`${api.url}/api/merchants/intents`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ amountCents: 100, orderId: 'hangs' }) },
      signal: AbortSignal.timeout(30_000),
    }).catch(() => undefined);
  const hanging = create();
  await fires('FlorinCommitsHang');
  expect(await eventually(async () => (await ready(api))[0] === 503 && (await ready(api))[1])).toContain(
    'the database has not committed a write for',
  );
  await eventually(() => api.output().includes('synchronous_standby_names'));
  await ground.db.query(`alter system reset synchronous_standby_names`);
  await ground.db.query('select pg_reload_conf()');
  await hanging;
  await isOver('FlorinCommitsHang');
  await eventually(async () => (await ready(api))[0] === 200);

  await worker.end('SIGKILL');
  await fires('FlorinNoWorker');
  await watcher.end('SIGKILL');
  await fires('FlorinNoWatcher');
  expect(await prometheus.firing()).not.toContain('FlorinNoApi');
  await api.end('SIGKILL');
  await fires('FlorinNoApi');
  await fires('FlorinIsGone');
});
