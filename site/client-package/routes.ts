import type { App } from '../../src/platform/http/route.ts';
import { AppError } from '../../src/platform/lib/errors.ts';
import { lazy } from '../../src/platform/lib/lazy.ts';
import type { Logger } from '../../src/platform/lib/log.ts';
import { buildPackage, type ClientPackage } from './build-package.ts';

export interface ClientPackageRoutes {
  log: Logger;
  publicUrl(): string;
  /** Packs the client; tests give one that fails. */
  build?: () => Promise<ClientPackage>;
}

/**
 * The client of this version, for `npm install <url>/sdk.tgz`. It is packed on the first request and cached; a failed
 * build stays failed until the next start, so that requests cannot trigger builds again and again.
 */
export function clientPackageRoutes(
  app: App,
  { log, publicUrl, build = buildPackage }: ClientPackageRoutes,
): void {
  const built = lazy(() =>
    build().catch((error: Error) => {
      log.warn(
        { err: error },
        'building the client package failed; /sdk.tgz answers 503 until the next start',
      );
      return undefined;
    }),
  );
  const requirePackage = async () => {
    const found = await built();
    if (found) return found;
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: 'The client package could not be built; see the server log. The API works without it.',
    });
  };

  app.get('/sdk.tgz', async (request, reply) => {
    const { fileName, bytes, sha512 } = await requirePackage();
    const etag = `"${sha512}"`;
    reply.headers({
      ...HEADERS,
      ETag: etag,
      'Repr-Digest': `sha-512=:${sha512}:`,
      'Content-Disposition': `attachment; filename="${fileName}"`,
    });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.header('Content-Type', 'application/gzip').send(bytes);
  });

  app.get('/sdk.json', async (_request, reply) => {
    const { name, version, sha512 } = await requirePackage();
    const tarball = `${publicUrl()}/sdk.tgz`;
    return reply.headers(HEADERS).send({ name, version, tarball, integrity: `sha512-${sha512}` });
  });
}

/** The URL stays the same across versions, so caches must revalidate. */
const HEADERS = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};
