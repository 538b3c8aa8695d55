import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Transform } from './encryption.ts';

/**
 * Writes rows to `output`, compressed and perhaps encrypted. It ends when the output does, also in the middle: a
 * pipeline with generators in it may wait forever for a reader that has gone, and the database connection with it.
 */
export async function compressedInto(
  output: Writable,
  rows: AsyncIterable<Buffer>,
  encrypt: Transform | undefined,
): Promise<void> {
  // Speed before size: while we read, the database keeps every old row version.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const whole = encrypt ? pipeline(rows, gzip, encrypt, output) : pipeline(rows, gzip, output);
  await Promise.race([whole, endOf(output)]);
}

function endOf(output: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () =>
      output.writableFinished
        ? resolve()
        : reject(output.errored ?? new Error('the output was closed before all was written'));
    if (output.closed) end();
    else output.once('close', end);
  });
}
