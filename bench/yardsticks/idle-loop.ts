import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A process that does nothing: what its event loop is held up by is the machine. */
const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
