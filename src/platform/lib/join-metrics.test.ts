import { expect, test } from 'vitest';
import { joinMetrics } from './join-metrics.ts';
import { Metrics } from './metrics.ts';

function processWith(jobs: number): Metrics {
  const metrics = new Metrics();
  metrics.observeRequest('GET', '/a', 200, 0.002);
  metrics.count('florin_job_failures_total', 'Runs of a job that failed.', jobs, 'name="add {up} all"');
  metrics.gauge('florin_heap_used_bytes', 'Memory in use.', () => 1_000 * jobs);
  return metrics;
}

test('each sample says its process, and each family is said once', () => {
  const text = joinMetrics([
    ['api-1', processWith(1).text()],
    ['api-2', processWith(2).text()],
    ['supervisor', '# HELP florin_process_up Up.\n# TYPE florin_process_up gauge\nflorin_process_up 1\n'],
  ]);
  expect(text.match(/^# TYPE .*$/gm)).toEqual([
    '# TYPE florin_http_request_duration_seconds histogram',
    '# TYPE florin_job_failures_total counter',
    '# TYPE florin_heap_used_bytes gauge',
    '# TYPE florin_process_up gauge',
  ]);
  const lines = text.split('\n');
  expect(lines).toContain('florin_job_failures_total{process="api-1",name="add {up} all"} 1');
  expect(lines).toContain('florin_job_failures_total{process="api-2",name="add {up} all"} 2');
  expect(lines).toContain('florin_heap_used_bytes{process="api-2"} 2000');
  expect(lines).toContain('florin_process_up{process="supervisor"} 1');
  expect(lines).toContain(
    'florin_http_request_duration_seconds_count{process="api-1",method="GET",route="/a",status="200"} 1',
  );
  const families = lines.map((line) => line.match(/^(?:# \w+ )?(florin_[a-z]+)/)?.[1]).filter(Boolean);
  expect(families.filter((name, i) => name !== families[i - 1])).toHaveLength(4);
});
