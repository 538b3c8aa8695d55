const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Words that paths of an API consist of. Anything else may be an address, a name or a key. */
const WORD = /^[a-z][a-z0-9-]{0,40}$|^$/;

/**
 * The path of a request. What fills a place of `route` is left out unless it is an id, whatever it looks like and however
 * it is encoded; of a path that no route has, the words are kept, because one of them is misspelled.
 */
export function maskPath(path: string, route: string | undefined): string {
  if (path === route) return path;
  const places = route?.split('/');
  return path
    .split('/')
    .map((part, i) => {
      const place = places?.[i];
      const isKept = UUID.test(part) || (places ? place === part : WORD.test(part));
      return isKept ? part : `[${lengthOf(part)} characters]`;
    })
    .join('/');
}

function lengthOf(part: string): number {
  try {
    return decodeURIComponent(part).length;
  } catch {
    return part.length;
  }
}
