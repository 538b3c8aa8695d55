import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp } from './clean-up.ts';
import { requireTool } from './debian.ts';
import { freePort, temporaryFolder } from './process.ts';

const RULES = join(import.meta.dirname, '../../deploy/monitoring/alerts.yml');

export interface Prometheus {
  /** Names of the alerts that fire now. */
  firing(): Promise<string[]>;
}

/** A real Prometheus with the rules that are shipped; only their patience is shorter. */
export async function startPrometheus(hosts: readonly string[]): Promise<Prometheus> {
  requireTool('prometheus');
  const folder = await temporaryFolder(cleanUp);
  const rules = readFileSync(RULES, 'utf8');
  const hasty = rules.replace(/for: \d+[smh]/g, 'for: 1s').replace(/\[\d+[mh]\]/g, '[10s]');
  writeFileSync(join(folder, 'alerts.yml'), hasty);
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
    const response = await fetch(`http://${address}${path}`).catch(() => undefined);
    return response?.ok ? await response.json() : undefined;
  };
  while ((await ask('/api/v1/status/buildinfo')) === undefined);
  return {
    async firing() {
      const { data } = (await ask('/api/v1/alerts')) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      return data.alerts.flatMap(({ state, labels }) => (state === 'firing' ? [labels.alertname] : []));
    },
  };
}
