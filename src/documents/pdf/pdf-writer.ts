import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

const compress = promisify(deflate);

/** The objects of a PDF file, numbered as they come. Nothing in it depends on when or where it is written. */
export class PdfWriter {
  readonly #objects: (Buffer | undefined)[] = [];

  /** A number for an object that others name before it is written. */
  reserve(): number {
    this.#objects.push(undefined);
    return this.#objects.length;
  }

  write(body: string, id = this.reserve()): number {
    this.#objects[id - 1] = Buffer.from(body, 'latin1');
    return id;
  }

  async writeStream(data: string | Buffer, entries = '', id = this.reserve()): Promise<number> {
    const packed = await compress(typeof data === 'string' ? Buffer.from(data, 'latin1') : data);
    return this.writeRaw(packed, `${entries} /Filter /FlateDecode`, id);
  }

  /** Bytes that are packed already, with their filter among the entries. */
  writeRaw(data: Buffer, entries: string, id = this.reserve()): number {
    const head = `<< ${entries} /Length ${data.length} >>\nstream\n`;
    this.#objects[id - 1] = Buffer.concat([Buffer.from(head, 'latin1'), data, Buffer.from('\nendstream')]);
    return id;
  }

  finish(catalog: number, info: number): Uint8Array {
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    let offset = parts[0]!.length;
    const offsets = this.#objects.map((object, index) => {
      const at = offset;
      const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object!, Buffer.from('\nendobj\n')]);
      parts.push(part);
      offset += part.length;
      return at;
    });
    const digest = createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 32);
    const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
    const size = offsets.length + 1;
    parts.push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root ${catalog} 0 R ` +
          `/Info ${info} 0 R /ID [<${digest}> <${digest}>] >>\nstartxref\n${offset}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}

/** Any text as a PDF string: UTF-16 in hexadecimal, so that nothing in it can end the string. */
export function pdfText(text: string): string {
  return `<FEFF${utf16Hex(text)}>`;
}

/** A URL as a PDF string: bytes in hexadecimal, so that nothing in it can end the string. */
export function pdfBytes(text: string): string {
  return `<${Buffer.from(text, 'utf8').toString('hex').toUpperCase()}>`;
}

export function utf16Hex(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase();
}

export function pdfDate(date: Date): string {
  return `(D:${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z)`;
}

/** A number as PDF has it: three decimals are a thousandth of a point. */
export function pdfNumber(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
