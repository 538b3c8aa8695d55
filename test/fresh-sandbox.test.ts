import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newDataFolder } from './support/data-folder.ts';
import { startProcess } from './support/process.ts';

/** With slots of 10 seconds nothing becomes final by waiting while the test runs. */
test('a new sandbox has a final past at once, so its first look at an account can be read', async () => {
  const FLORIN_DATA = await newDataFolder();
  const service = await startProcess({ FLORIN_DATA, SANDBOX_SLOT_MS: '10000' });
  const rpcUrl = /^ {2}Chain +(\S+)/m.exec(service.output())![1]!;
  const ask = async (method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()) as { result?: number };
  };
  const { result: slot } = await ask('getSlot', [{ commitment: 'finalized' }]);
  expect(await ask('getBlockTime', [slot])).toMatchObject({ result: expect.any(Number) });
  await service.end('SIGTERM');
});

test('a first start that fails on its port loses nothing: the next one shows the key', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const PORT = String((other.address() as AddressInfo).port);
  const FLORIN_DATA = await newDataFolder();
  await expect(startProcess({ FLORIN_DATA, PORT })).rejects.toThrow(
    `Florin cannot start: port ${PORT} of 127.0.0.1 is in use: stop the program that has it, or set PORT to another port`,
  );
  const service = await startProcess({ FLORIN_DATA });
  expect(service.apiKey).toMatch(/^fl_dev_/);
  await service.end('SIGTERM');
});
