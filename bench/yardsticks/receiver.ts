import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Takes webhooks: /ok is answered at once, /hang never; /release ends what hangs.
 */
const hanging = new Set<ServerResponse>();

const server = createServer((request, response) => {
  if (request.url === '/release') {
    for (const one of hanging) one.destroy();
    hanging.clear();
    response.end();
    return;
  }
  if (request.url === '/hang') {
    request.resume();
    hanging.add(response);
    return;
  }
  request.resume();
  request.on('end', () => {
    response.end('ok');
  });
});
server.keepAliveTimeout = 60_000;

process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
