import { hash } from 'node:crypto';
import { NEWLINE } from '../table-file/format.ts';

const MODULUS = 1n << 128n;

/** Sums up the rows of a table whatever their order: PostgreSQL reads them in the order in which it found room for them. */
export class RowSums {
  #sum = 0n;
  #rows = 0;

  /** Passes on the chunks of a table in COPY's text format, where a row ends with a newline and has none inside. */
  async *through(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let begun: Buffer[] = [];
    for await (const chunk of chunks) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        begun.push(chunk.subarray(from, at));
        this.#add(begun.length === 1 ? begun[0]! : Buffer.concat(begun));
        begun = [];
        from = at + 1;
      }
      // A copy: the next reader of the chunk may use its memory again.
      if (from < chunk.length) begun.push(Buffer.from(chunk.subarray(from)));
      yield chunk;
    }
    if (begun.length > 0) this.#add(Buffer.concat(begun));
  }

  total(): string {
    return `${this.#rows} ${this.#sum}`;
  }

  #add(row: Buffer): void {
    this.#rows++;
    this.#sum = (this.#sum + BigInt(`0x${hash('sha256', row, 'hex').slice(0, 32)}`)) % MODULUS;
  }
}
