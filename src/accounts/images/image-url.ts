/** A public URL. It contains the hash, so another image has another URL and browsers can cache it forever. */
export function imagePath(fileName: string): string {
  return `/brand/logos/${fileName}`;
}

/** Null if there is none. */
export function imageUrl(publicUrl: string, fileName: string | null): string | null {
  return fileName === null ? null : publicUrl + imagePath(fileName);
}
