import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { backup } from '../../src/operations/backup/backup.ts';
import type { BackupHeader } from '../../src/operations/backup/format.ts';
import type { Database } from '../../src/platform/db/database.ts';

export const BACKUP_AT = new Date('2026-03-01T00:00:00Z');

export async function backupOf(db: Database): Promise<Buffer> {
  const file = new PassThrough();
  const [bytes] = await Promise.all([buffer(file), backup(db, file, BACKUP_AT)]);
  return bytes;
}

/** Cuts a file into pieces of uneven size, so that lines and lengths fall across their borders. */
export function inPieces(file: Buffer): Readable {
  const cuts = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987];
  return Readable.from(cuts.map((cut, i) => file.subarray(cut, cuts[i + 1])));
}

/** The same backup with other contents, in a gzip file that is whole. */
export function rewritten(file: Buffer, change: (plain: Buffer) => Buffer): Buffer {
  return gzipSync(change(gunzipSync(file)));
}

export function withHeader(file: Buffer, change: Partial<Record<keyof BackupHeader, unknown>>): Buffer {
  return rewritten(file, (plain) => {
    const end = plain.indexOf('\n');
    const header = JSON.parse(plain.subarray(0, end).toString());
    return Buffer.concat([Buffer.from(JSON.stringify({ ...header, ...change })), plain.subarray(end)]);
  });
}

export interface HeldOutput {
  output: Writable;
  /** Resolves when the first bytes have come. */
  reached: Promise<void>;
  /** Takes those bytes and all that follow. */
  letGo(): void;
  file(): Buffer;
}

/** Takes no bytes until it is let go, as a disk or a pipe that hangs. */
export function heldOutput(): HeldOutput {
  const chunks: Buffer[] = [];
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const output = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk);
      reached.resolve();
      held.promise.then(() => done());
    },
  });
  return { output, reached: reached.promise, letGo: held.resolve, file: () => Buffer.concat(chunks) };
}
