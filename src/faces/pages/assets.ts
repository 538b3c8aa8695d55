import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { App } from '../../platform/http/route.ts';

/** One file for browsers, named by its content so that it can be cached forever. */
interface Asset {
  url: string;
  type: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

const STYLES = ['base.css', 'parts.css', 'checkout.css', 'link.css', 'terminal.css', 'portal.css'];

/** In import order: imported files come first. */
const SCRIPTS = [
  'announce',
  'refresh',
  'live',
  'copy',
  'countdown',
  'wallet-list',
  'wallets',
  'prove',
  'page',
] as const;

const WALLET_PACKAGE = '@wallet-standard/app';

const stylesheet = makeAsset(
  'pages.css',
  'text/css; charset=utf-8',
  STYLES.map((name) => read('styles', name)).join('\n'),
);
const scripts = makeScripts();

export const stylesheetUrl = stylesheet.url;

export function scriptUrl(name: (typeof SCRIPTS)[number]): string {
  return scripts.get(`./${name}.js`)!.url;
}

/** Every file our pages load. */
export function assetRoutes(app: App): void {
  for (const asset of [stylesheet, ...scripts.values()]) {
    app.get(asset.url, (request, reply) => {
      const accepted = String(request.headers['accept-encoding'] ?? '');
      const encoding = ['br', 'gzip'].find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
      if (encoding) reply.header('Content-Encoding', encoding);
      return reply
        .headers({
          'Content-Type': asset.type,
          'Cache-Control': 'public, max-age=31536000, immutable',
          'X-Content-Type-Options': 'nosniff',
          Vary: 'Accept-Encoding',
        })
        .send(encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.plain);
    });
  }
}

function makeAsset(name: string, type: string, text: string): Asset {
  const plain = Buffer.from(text);
  const [stem, ending] = name.split('.');
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return {
    url: `/assets/${stem}.${hash('sha256', plain, 'hex').slice(0, 16)}.${ending}`,
    type,
    plain,
    gzip: gzipSync(plain),
    brotli: brotliCompressSync(plain, { params }),
  };
}

/** Our scripts as they are written, each import turned into the address of what it names. */
function makeScripts(): Map<string, Asset> {
  const type = 'text/javascript; charset=utf-8';
  const made = new Map<string, Asset>();
  made.set(WALLET_PACKAGE, makeAsset('wallet-standard.js', type, readWalletPackage()));
  for (const name of SCRIPTS) {
    const source = read('browser', `${name}.js`);
    const text = source.replace(
      /((?:from|import)\s*\(?\s*)'([^']+)'/g,
      (_all, before: string, target: string) => {
        const asset = made.get(target);
        if (!asset) throw new Error(`browser/${name}.js imports ${target}, which is not listed before it`);
        return `${before}'${asset.url}'`;
      },
    );
    made.set(`./${name}.js`, makeAsset(`${name}.js`, type, tighten(text)));
  }
  return made;
}

/** The package's one file that runs; the rest of it is types. */
function readWalletPackage(): string {
  const entry = createRequire(import.meta.url).resolve(WALLET_PACKAGE);
  const text = readFileSync(join(entry, '../../esm/wallets.js'), 'utf8');
  return tighten(text.replace(/^\/\/# sourceMappingURL.*$/m, ''));
}

/** Comments of their own lines, blank lines and indentation carry nothing. */
function tighten(text: string): string {
  return text.replace(/^[ \t]*(\/\*\*[\s\S]*?\*\/|\/\/.*)?[ \t]*\n/gm, '').replace(/^[ \t]+/gm, '');
}

function read(folder: string, name: string): string {
  return readFileSync(join(import.meta.dirname, folder, name), 'utf8');
}
