import { nearestName } from '../../platform/lib/nearest-name.ts';

/** `; did you mean "x"?`, where one of the names is near enough to be meant. */
export function nearest(given: string, names: readonly string[]): string {
  const name = nearestName(given, names);
  return name === undefined ? '' : `; did you mean "${name}"?`;
}
