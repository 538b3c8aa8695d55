import type { Writable } from 'node:stream';

/**
 * Passes bytes on, and to a second reader as they go by. That one may slow the first down, but if it gives up, the first
 * continues without it.
 */
export function copiedTo(copy: Writable) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source) {
        if (!copy.destroyed && !copy.write(chunk)) await drained(copy);
        yield chunk;
      }
      if (!copy.destroyed) copy.end();
    } catch (error) {
      copy.destroy(error as Error);
      throw error;
    }
  };
}

function drained(copy: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ['drain', 'close', 'error']) copy.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) copy.on(event, done);
    if (copy.destroyed) done();
  });
}
