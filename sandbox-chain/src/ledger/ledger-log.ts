import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';

/**
 * Everything that happened on the chain, one line each: a checksum, a space, JSON. Lines are only ever added, so
 * a process killed at any moment leaves at worst an unfinished last one, which the next start drops.
 */
export interface LedgerLog {
  /** The record is safe from a kill when this returns, and from a power cut once `synced` resolves. */
  append(record: string): RecordPlace;
  read(place: RecordPlace): string;
  readonly position: LogPosition;
  synced(): Promise<void>;
  close(): Promise<void>;
}

export interface RecordPlace {
  offset: number;
  length: number;
}

/** End of a log, now or once, with what tells it from another log that is as long. */
export interface LogPosition {
  end: number;
  /** Length and checksum are of the line that ends there. */
  lastBytes: number;
  lastChecksum: string;
}

export interface LoadedRecord {
  text: string;
  place: RecordPlace;
  /** Right after it. */
  position: LogPosition;
}

const FILE = 'ledger.log';
const CHECKSUM_CHARS = 8;
const PREFIX_CHARS = CHECKSUM_CHARS + 1;
const NEWLINE = 0x0a;
const BEGINNING: LogPosition = { end: 0, lastBytes: 0, lastChecksum: '' };

/** `onRecord` gets what earlier processes wrote after `from`, in order, before anything can be added. */
export function openLedgerLog(
  folder: string,
  onRecord: (record: LoadedRecord) => void,
  from = BEGINNING,
): LedgerLog {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, FILE);
  const fd = openSync(path, 'a+', 0o600);
  syncFolder(folder);
  let position = loadOrClose(fd, path, onRecord, from);
  const sync = oneAtATime(() => promisify(fdatasync)(fd));
  return {
    append(record) {
      const { end } = position;
      if (fstatSync(fd).size !== end) throw new Error(`another process writes to ${path}`);
      const lastChecksum = checksum(record);
      const line = Buffer.from(`${lastChecksum} ${record}\n`);
      writeAll(fd, line, end);
      position = { end: end + line.length, lastBytes: line.length, lastChecksum };
      return { offset: end + PREFIX_CHARS, length: line.length - PREFIX_CHARS - 1 };
    },
    read({ offset, length }) {
      const text = recordIn(readExactly(fd, offset - PREFIX_CHARS, length + PREFIX_CHARS));
      if (text === undefined) throw new Error(`${path} is damaged at byte ${offset}`);
      return text;
    },
    get position() {
      return position;
    },
    synced: sync,
    async close() {
      await sync();
      closeSync(fd);
    },
  };
}

/** True if the log in the folder is the one that had this position, and not one that was put in its place. */
export function hasPosition(folder: string, { end, lastBytes, lastChecksum }: LogPosition): boolean {
  let fd: number | undefined;
  try {
    fd = openSync(join(folder, FILE), 'r');
    const line = readExactly(fd, end - lastBytes, lastBytes);
    return line.at(-1) === NEWLINE && line.toString('latin1', 0, CHECKSUM_CHARS) === lastChecksum;
  } catch {
    return false;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Shares runs: all who ask while one is under way wait for the next, which begins when it has ended. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      const started = run();
      current = started.catch(() => {});
      return started;
    });
    return next;
  };
}

/** A chain without a folder: forgotten when the process ends. */
export function memoryLog(): LedgerLog {
  const records: string[] = [];
  return {
    append: (record) => ({ offset: records.push(record) - 1, length: record.length }),
    read: ({ offset }) => records[offset]!,
    position: BEGINNING,
    synced: async () => {},
    close: async () => {},
  };
}

/** A file just created is only sure to be found again once its folder is on disk. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

function loadOrClose(
  fd: number,
  path: string,
  onRecord: (record: LoadedRecord) => void,
  from: LogPosition,
): LogPosition {
  try {
    return loadRecords(fd, path, onRecord, from);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Answers where the good records end, having cut off what a killed process left behind them. */
function loadRecords(
  fd: number,
  path: string,
  onRecord: (record: LoadedRecord) => void,
  from: LogPosition,
): LogPosition {
  let position = from;
  let torn = false;
  for (const { line, offset } of readLines(fd, from.end)) {
    const text = recordIn(line);
    if (text === undefined) torn = true;
    else if (torn)
      throw new Error(`${path} is damaged before byte ${offset}: a bad record has good ones after it`);
    else {
      const lastBytes = line.length + 1;
      const lastChecksum = line.toString('latin1', 0, CHECKSUM_CHARS);
      position = { end: offset + lastBytes, lastBytes, lastChecksum };
      const place = { offset: offset + PREFIX_CHARS, length: line.length - PREFIX_CHARS };
      onRecord({ text, place, position });
    }
  }
  if (fstatSync(fd).size > position.end) ftruncateSync(fd, position.end);
  return position;
}

const CHUNK_BYTES = 8 << 20;

/** Complete lines only: one without its newline was never finished. */
function* readLines(fd: number, from: number): Generator<{ line: Buffer; offset: number }> {
  const size = fstatSync(fd).size;
  let rest: Buffer = Buffer.alloc(0);
  for (let at = from; at < size; at += CHUNK_BYTES) {
    const chunk = readExactly(fd, at, Math.min(CHUNK_BYTES, size - at));
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const base = at - rest.length;
    let start = 0;
    for (let newline = bytes.indexOf(NEWLINE); newline >= 0; newline = bytes.indexOf(NEWLINE, start)) {
      yield { line: bytes.subarray(start, newline), offset: base + start };
      start = newline + 1;
    }
    rest = bytes.subarray(start);
  }
}

function recordIn(line: Buffer): string | undefined {
  if (line.length <= PREFIX_CHARS) return undefined;
  const body = line.subarray(PREFIX_CHARS);
  return line.toString('latin1', 0, CHECKSUM_CHARS) === checksum(body) ? body.toString() : undefined;
}

function checksum(bytes: string | Buffer): string {
  return crc32(bytes).toString(16).padStart(CHECKSUM_CHARS, '0');
}

/** A full disk leaves part of a line; it is taken back, so the next record does not follow garbage. */
function writeAll(fd: number, bytes: Buffer, end: number): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
  } catch (error) {
    ftruncateSync(fd, end);
    throw error;
  }
}

function readExactly(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const count = readSync(fd, bytes, read, length - read, offset + read);
    if (count === 0) throw new Error('the ledger log is shorter than it was');
    read += count;
  }
  return bytes;
}
