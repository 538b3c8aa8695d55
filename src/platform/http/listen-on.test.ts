import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from './listen-on.ts';

function newApp() {
  const app = Fastify();
  onTestFinished(() => app.close());
  return app;
}

test('a port in use is named with the setting to change', async () => {
  const first = newApp();
  await listenOn(first, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  const { port } = first.server.address() as AddressInfo;
  await expect(listenOn(newApp(), { host: '127.0.0.1', port, setting: 'HEALTH_PORT' })).rejects.toThrow(
    `port ${port} of 127.0.0.1 is in use: stop the program that has it, or set HEALTH_PORT to another port`,
  );
});

test('an address of another machine is named', async () => {
  await expect(listenOn(newApp(), { host: '192.0.2.1', port: 0, setting: 'PORT' })).rejects.toThrow(
    'HOST 192.0.2.1 is no address of this machine',
  );
});
