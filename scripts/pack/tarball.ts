import { crc32, gzipSync } from 'node:zlib';

/** The moment npm gives every file of a package: the same files must make the same bytes. */
const MTIME_SECONDS = 499_162_500;
const BLOCK = 512;

export type PackageFiles = ReadonlyMap<string, string | Buffer>;

/**
 * A package as npm takes it: these files under package/, sorted. The bytes depend on the files alone. That is why nothing
 * is compressed: the zlib of another Node or processor finds other matches, and the lock file of a project that installed
 * the package would then refuse it.
 */
export function tarball(files: PackageFiles): Buffer {
  return storedGzip(tar(files));
}

/** The same, compressed: for a package that is made once and then published with its checksum. */
export function compressedTarball(files: PackageFiles): Buffer {
  return gzipSync(tar(files), { level: 9 });
}

function tar(files: PackageFiles): Buffer {
  const names = [...files.keys()].sort();
  const entries = names.flatMap((name) => entry(`package/${name}`, Buffer.from(files.get(name)!)));
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
}

function entry(name: string, content: Buffer): Buffer[] {
  return [header(name, content), content, Buffer.alloc(-content.length & (BLOCK - 1))];
}

function header(name: string, content: Buffer): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for a tar file`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const isProgram = content.subarray(0, 2).toString() === '#!';
  const fields: [offset: number, text: string][] = [
    [0, name],
    [100, octal(isProgram ? 0o755 : 0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(content.length, 11)],
    [136, octal(MTIME_SECONDS, 11)],
    // The checksum is taken with spaces in its own place.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ];
  for (const [offset, text] of fields) block.write(text, offset, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

const MAX_STORED = 0xffff;

/** gzip without compression (RFC 1951, 3.2.4): a header, the bytes in stored blocks, checksum and length. */
function storedGzip(data: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])];
  for (let at = 0; at < data.length; at += MAX_STORED) {
    const chunk = data.subarray(at, at + MAX_STORED);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + MAX_STORED >= data.length ? 1 : 0, 0);
    head.writeUInt16LE(chunk.length, 1);
    head.writeUInt16LE(~chunk.length & 0xffff, 3);
    parts.push(head, chunk);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(data), 0);
  tail.writeUInt32LE(data.length, 4);
  return Buffer.concat([...parts, tail]);
}
