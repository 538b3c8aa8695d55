import assert from 'node:assert/strict';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { CannotUnlock } from './encryption.ts';
import { LENGTH_BYTES, NEWLINE } from './format.ts';

const LINE_LIMIT_BYTES = 1024 * 1024;

/** Reads a backup, or an export, front to back, holding no more of it than one chunk. */
export class TableFileReader {
  readonly #gunzip: Gunzip;
  readonly #source: AsyncIterator<Buffer>;
  #ahead: Buffer = Buffer.alloc(0);
  readonly noun: string;

  constructor(input: Readable, noun = 'backup') {
    this.noun = noun;
    this.#gunzip = createGunzip();
    // A failure of either stream comes out of the iterator, at the place where the bytes are missing.
    pipeline(input, this.#gunzip, () => {});
    this.#source = this.#gunzip[Symbol.asyncIterator]();
  }

  async line(): Promise<Record<string, unknown>> {
    let end = this.#ahead.indexOf(NEWLINE);
    while (end < 0) {
      if (this.#ahead.length > LINE_LIMIT_BYTES) throw new Error(this.#notOurs());
      await this.#readOn();
      end = this.#ahead.indexOf(NEWLINE);
    }
    return this.#parse(this.#take(end + 1));
  }

  /** The chunks of one table; their pieces may come smaller than they were written. */
  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      while (this.#ahead.length < LENGTH_BYTES) await this.#readOn();
      let left = this.#take(LENGTH_BYTES).readUInt32BE();
      if (left === 0) return;
      while (left > 0) {
        if (this.#ahead.length === 0) await this.#readOn();
        const piece = this.#take(Math.min(left, this.#ahead.length));
        left -= piece.length;
        yield piece;
      }
    }
  }

  /** Only at the true end has gzip compared its own checksum. */
  async end(): Promise<void> {
    if (this.#ahead.length > 0 || (await this.#next()))
      throw new Error(`the ${this.noun} has data after its end`);
  }

  close(): void {
    this.#gunzip.destroy();
  }

  #take(bytes: number): Buffer {
    const taken = this.#ahead.subarray(0, bytes);
    this.#ahead = this.#ahead.subarray(bytes);
    return taken;
  }

  async #readOn(): Promise<void> {
    const chunk = await this.#next();
    if (!chunk) throw new Error(`the ${this.noun} is cut short`);
    this.#ahead = this.#ahead.length === 0 ? chunk : Buffer.concat([this.#ahead, chunk]);
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#source.next();
      return done ? undefined : value;
    } catch (cause) {
      if (cause instanceof CannotUnlock) throw cause;
      throw new Error(`the ${this.noun} is damaged or cut short: ${(cause as Error).message}`, { cause });
    }
  }

  #parse(bytes: Buffer): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(bytes.toString('utf8'));
      assert(typeof value === 'object' && value !== null);
      return value as Record<string, unknown>;
    } catch (cause) {
      throw new Error(this.#notOurs(), { cause });
    }
  }

  #notOurs(): string {
    return `this is not a Florin ${this.noun}, or it is damaged`;
  }
}
