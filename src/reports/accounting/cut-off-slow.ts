import type { ServerResponse } from 'node:http';

/** A reader that takes less than this in a minute has stopped, or holds a connection to the database on purpose. */
const SLOWEST = { leastBytes: 64 * 1024, everyMs: 60_000 };

/** Hangs up on who reads too slowly. While nothing waits to be read, it is not the reader who is slow. */
export function cutOffSlow(response: ServerResponse, { leastBytes, everyMs } = SLOWEST): void {
  const { socket } = response;
  if (!socket) return;
  let before = socket.bytesWritten - socket.writableLength;
  const look = setInterval(() => {
    const taken = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && taken - before < leastBytes) response.destroy();
    before = taken;
  }, everyMs);
  look.unref();
  response.once('close', () => clearInterval(look));
}
