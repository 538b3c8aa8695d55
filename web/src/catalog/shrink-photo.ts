import { t } from '../words/t.ts';

const MAX_PIXELS = 800;

/**
 * Shrinks a photo to the size that pages show, so that any photo of a phone can be uploaded. Only the pixels are
 * kept: the file may also say where the photo was taken.
 */
export async function shrinkPhoto(file: Blob): Promise<Blob> {
  const photo = await createImageBitmap(file).catch(() => {
    throw new Error(t('This file isn’t an image that your browser can read.'));
  });
  const scale = Math.min(1, MAX_PIXELS / Math.max(photo.width, photo.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(photo.width * scale));
  canvas.height = Math.max(1, Math.round(photo.height * scale));
  canvas.getContext('2d')!.drawImage(photo, 0, 0, canvas.width, canvas.height);
  photo.close();
  // A browser that cannot write WebP writes PNG.
  const written = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.85));
  if (!written) throw new Error(t('This image is too large.'));
  return written;
}
