import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { directionOf, type Language } from '../../platform/lib/language.ts';
import { DIST_FOLDER } from './source-stamp.ts';

export interface BuiltFile {
  type: string;
  /** Small already: packing it again would gain nothing. */
  isPacked: boolean;
  /** As it is, or packed; packed once. */
  bytes(encoding: 'br' | 'gzip' | undefined): Buffer;
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
      return found && pageIn(language, found.page, [...found.files.keys()]);
    },
    find: (path) => all()?.files.get(path),
  };
}

/** The script with the language's sentences goes before the others: module scripts run in the order of the page. */
function pageIn(language: Language, page: string, paths: string[]): string {
  const words = paths.find((path) => path.startsWith(`assets/words-${language}-`) && path.endsWith('.js'));
  const spoken = page.replace(
    '<html lang="en" dir="ltr">',
    `<html lang="${language}" dir="${directionOf(language)}">`,
  );
  if (words === undefined) return spoken;
  return spoken.replace(
    '<script',
    `<script type="module" crossorigin src="/dashboard/${words}"></script>\n    <script`,
  );
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
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

function builtFile(name: string, plain: Buffer): BuiltFile {
  const packed: { br?: Buffer; gzip?: Buffer } = {};
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    isPacked: extname(name) === '.woff2',
    bytes(encoding) {
      if (encoding === undefined) return plain;
      packed[encoding] ??= encoding === 'br' ? brotliCompressSync(plain, BROTLI) : gzipSync(plain);
      return packed[encoding];
    },
  };
}
