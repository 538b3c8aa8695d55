import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type Extension, MEDIA_TYPES } from './image.ts';
import { findImageAnywhere } from './queries.ts';

const FILE_NAME = /^[0-9a-f]{64}\.(png|jpg|webp)$/;

/** `/brand/logos/<sha256>.png`: what pages, e-mails and the dashboard show. */
export function imageFileRoutes(app: App, { db }: { db: Database }): void {
  app.get('/brand/logos/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    const extension = FILE_NAME.exec(file)?.[1] as Extension | undefined;
    const bytes = extension && (await findImageAnywhere(db, file))?.bytes;
    if (!bytes) throw new AppError('NOT_FOUND');
    return reply
      .headers({
        'Content-Type': MEDIA_TYPES[extension],
        'Cache-Control': 'public, max-age=31536000, immutable',
        // A file can contain anything besides its pixels: browsers must treat it as an image only.
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        // Mail programs and the merchant's own pages show it too.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
      .send(bytes);
  });
}
