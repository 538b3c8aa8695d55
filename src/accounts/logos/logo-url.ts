/** A public URL. It contains the hash, so another image has another URL and browsers can cache it forever. */
export function logoPath(fileName: string): string {
  return `/brand/logos/${fileName}`;
}

/** Null if there is none. */
export function logoUrl(publicUrl: string, fileName: string | null): string | null {
  return fileName === null ? null : publicUrl + logoPath(fileName);
}
