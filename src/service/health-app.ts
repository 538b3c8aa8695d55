import { processGauges } from '../platform/http/observe.ts';
import { operatorRoutes } from '../platform/http/operator-routes.ts';
import type { App } from '../platform/http/route.ts';
import { createServer, refuseOtherMethods } from '../platform/http/server.ts';
import type { AppParts } from './shared-parts.ts';

type HealthParts = Pick<AppParts, 'config' | 'log' | 'metrics' | 'readiness'>;

/** App of a process without the API: its health and its metrics. */
export async function createHealthApp({ config, log, metrics, readiness }: HealthParts): Promise<App> {
  const app = createServer({ log, trustProxy: config.TRUST_PROXY, isSecure: false });
  processGauges(metrics);
  operatorRoutes(app, { metrics, metricsToken: config.METRICS_TOKEN, readiness });
  refuseOtherMethods(app);
  await app.ready();
  return app;
}
