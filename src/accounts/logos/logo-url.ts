/** Where anybody can see it. The hash in it makes it another address for another image, so it can be kept forever. */
export function logoPath(fileName: string): string {
  return `/brand/logos/${fileName}`;
}

/** Null where there is none. */
export function logoUrl(publicUrl: string, fileName: string | null): string | null {
  return fileName === null ? null : publicUrl + logoPath(fileName);
}
