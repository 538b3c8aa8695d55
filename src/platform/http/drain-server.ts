import { Server, type Socket } from 'node:net';
import type { App } from './route.ts';

/** How often a closing server looks for connections that have become idle. */
const SWEEP_MS = 50;
/** How long an answer under way may take once the server closes: well inside the time that a process has to stop. */
const GRACE_MS = 15_000;

const connections = new WeakMap<App, Set<Socket>>();

/** Tracks a server's open connections, so that it can be drained. Call it before the server listens. */
export function rememberConnections(app: App): void {
  const open = new Set<Socket>();
  connections.set(app, open);
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/**
 * From now on every answer ends its connection, and everything else is served as before. A client that sees it sends its next
 * request elsewhere; on a connection that is closed under it, a request that is on its way would be lost.
 */
export function announceClose(app: App): void {
  app.server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
}

/**
 * Leaves new connections to the other processes that listen on the same port, and serves those that it has. Node's own way closes
 * idle connections as well, on which a request may be on its way.
 */
export function leaveConnectionsToOthers(app: App): void {
  Server.prototype.close.call(app.server);
}

/**
 * Stops accepting connections, answers requests in progress, and closes. A connection that was busy when the close
 * began becomes idle when its answer is sent, and would be kept alive forever; one that a browser opened ahead of any
 * request is not even idle for Node: both are closed. A client that neither finishes its request nor reads is cut off
 * at last.
 */
export async function drainServer(app: App, graceMs = GRACE_MS): Promise<void> {
  const sweep = setInterval(() => {
    app.server.closeIdleConnections();
    for (const socket of connections.get(app)!) if (socket.bytesRead === 0) socket.destroy();
  }, SWEEP_MS);
  const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app
    .close()
    .catch((error: NodeJS.ErrnoException) => {
      // It listens no more since it left its connections to others; what it had is answered all the same.
      if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error;
    })
    .finally(() => {
      clearInterval(sweep);
      clearTimeout(cutOff);
    });
}
