import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/route.ts';
import { lazy } from '../../platform/lib/lazy.ts';

/** One file for browsers, named by its content so that it can be cached forever. */
interface Asset {
  url: string;
  type: string;
  plain: Buffer;
  gzip(): Buffer;
  brotli(): Buffer;
}

const STYLES = ['base.css', 'parts.css', 'checkout.css', 'link.css', 'terminal.css', 'portal.css'];

/** Scripts in import order: imported files come first. */
const SCRIPTS = [
  'announce',
  'refresh',
  'live',
  'look-again',
  'copy',
  'time-left',
  'countdown',
  'wallet-list',
  'wallet-problem',
  'wallets',
  'prove',
  'framed',
  'page',
  'till-dom',
  'till-api',
  'till-sound',
  'till-awake',
  'till-pair',
  'till-sell',
  'till-pay',
  'till-asking',
  'till-sales',
  'till',
] as const;

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const WALLET_PACKAGE = '@wallet-standard/app';

const stylesheet = makeAsset(
  'pages.css',
  'text/css; charset=utf-8',
  STYLES.map((name) => read('styles', name)).join('\n'),
);
/** Stylesheet for the till alone: nobody else needs its rules. */
const tillStylesheet = makeAsset('till.css', 'text/css; charset=utf-8', read('styles', 'till.css'));
const scripts = makeScripts();
const embedScript = makeAsset('embed.js', SCRIPT_TYPE, tighten(read('browser', 'embed.js')));

export const stylesheetUrl = stylesheet.url;
export const tillStylesheetUrl = tillStylesheet.url;

/** Every file that the till's page loads. */
export function tillAssetUrls(): string[] {
  const names = SCRIPTS.filter(
    (name) => name.startsWith('till') || name === 'announce' || name === 'time-left',
  );
  return [stylesheetUrl, tillStylesheetUrl, ...names.map(scriptUrl)];
}

export function scriptUrl(name: (typeof SCRIPTS)[number]): string {
  return scripts.get(`./${name}.js`)!.url;
}

/** Every file our pages load, and the one that shops load to show a checkout inside theirs. */
export function assetRoutes(app: App): void {
  for (const asset of [stylesheet, tillStylesheet, ...scripts.values()])
    app.get(asset.url, (request, reply) =>
      sendAsset(asset, request, reply.header('Cache-Control', 'public, max-age=31536000, immutable')),
    );
  app.get('/embed.js', (request, reply) => {
    // The URL is the same for every version, so the content hash is the ETag.
    const etag = `"${embedScript.url}"`;
    reply.headers({
      'Cache-Control': 'public, max-age=300',
      ETag: etag,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return sendAsset(embedScript, request, reply);
  });
}

function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = ['br', 'gzip'].find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
  if (encoding) reply.header('Content-Encoding', encoding);
  return reply
    .headers({
      'Content-Type': asset.type,
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    })
    .send(encoding === 'br' ? asset.brotli() : encoding === 'gzip' ? asset.gzip() : asset.plain);
}

function makeAsset(name: string, type: string, text: string): Asset {
  const plain = Buffer.from(text);
  const [stem, ending] = name.split('.');
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return {
    url: `/assets/${stem}.${hash('sha256', plain, 'hex').slice(0, 16)}.${ending}`,
    type,
    plain,
    gzip: lazy(() => gzipSync(plain)),
    brotli: lazy(() => brotliCompressSync(plain, { params })),
  };
}

/** Our scripts as they are written, each import turned into the address of what it names. */
function makeScripts(): Map<string, Asset> {
  const made = new Map<string, Asset>();
  made.set(WALLET_PACKAGE, makeAsset('wallet-standard.js', SCRIPT_TYPE, readWalletPackage()));
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
    made.set(`./${name}.js`, makeAsset(`${name}.js`, SCRIPT_TYPE, tighten(text)));
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
