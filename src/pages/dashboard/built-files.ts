import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Language } from '../../platform/lib/language.ts';
import { pageIn } from './language.ts';
import { DIST_FOLDER } from './source-stamp.ts';

export interface BuiltFile {
  type: string;
  /** Small already: packing it again would gain nothing. */
  isPacked: boolean;
  /** Returns the file plain or compressed; it is compressed once, in parallel with other requests. */
  bytes(encoding: 'br' | 'gzip' | undefined): Promise<Buffer>;
}

export interface BuiltFiles {
  /** index.html in a language; undefined where nothing is built. */
  page(language: Language): string | undefined;
  find(path: string): BuiltFile | undefined;
}

/** The files in web/dist, listed on the first request. Only listed names are served, so no path leads out of it. */
export function builtFiles(folder = DIST_FOLDER): BuiltFiles {
  let read: { page: string; files: Map<string, BuiltFile> } | undefined;
  function all() {
    try {
      read ??= { page: readFileSync(join(folder, 'index.html'), 'utf8'), files: readAssets(folder) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return read;
  }
  return {
    page(language) {
      const found = all();
      if (!found) return undefined;
      const words = [...found.files.keys()].find((path) => path.startsWith(`assets/words-${language}-`));
      return pageIn(language, found.page, words && `/dashboard/${words}`);
    },
    find: (path) => all()?.files.get(path),
  };
}

function readAssets(folder: string): Map<string, BuiltFile> {
  return new Map(
    readdirSync(join(folder, 'assets')).map((name) => {
      const path = `assets/${name}`;
      return [path, builtFile(name, readFileSync(join(folder, path)))];
    }),
  );
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Compressed on the first request and cached: many chunks are never requested. */
const packTightly = promisify<Buffer, typeof BROTLI, Buffer>(brotliCompress);
const pack = promisify<Buffer, Buffer>(gzip);
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function builtFile(name: string, plain: Buffer): BuiltFile {
  const packed: { br?: Promise<Buffer>; gzip?: Promise<Buffer> } = {};
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    isPacked: extname(name) === '.woff2',
    async bytes(encoding) {
      if (encoding === undefined) return plain;
      packed[encoding] ??= encoding === 'br' ? packTightly(plain, BROTLI) : pack(plain);
      return packed[encoding];
    },
  };
}
