import { expect, test } from 'vitest';
import { createServer } from '../../src/platform/http/server.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { clientPackageRoutes } from './routes.ts';

test('503 when it cannot be built: said once in the log, and not tried again for every request', async () => {
  const lines: string[] = [];
  const log = createLog('warn', (line) => lines.push(line));
  let builds = 0;
  const build = async () => {
    builds++;
    throw new Error('no compiler');
  };
  const app = createServer({ log, trustProxy: false, isSecure: false });
  clientPackageRoutes(app, { log, build, publicUrl: () => 'http://pay.example' });
  for (const url of ['/sdk.tgz', '/sdk.tgz', '/sdk.json']) {
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.json().error]).toEqual([
      503,
      expect.objectContaining({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringContaining('client package'),
      }),
    ]);
  }
  expect([builds, lines.filter((line) => line.includes('no compiler')).length]).toEqual([1, 1]);
  await app.close();
});
