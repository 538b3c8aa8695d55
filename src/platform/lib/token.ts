import { randomBase62 } from './ids.ts';

/** How many random characters each kind has: 24 for what is public anyway, 43 (256 bits) for what opens something. */
const LENGTHS = {
  fl_live: 32,
  fl_dev: 32,
  cs: 32,
  plink: 24,
  pw: 24,
  portal: 43,
  refund: 43,
  till: 43,
  join: 43,
  device: 43,
  session: 65,
} as const;

export type TokenKind = keyof typeof LENGTHS;

export const CELL_LENGTH = 2;
export const DEFAULT_CELL = '00';

let cell = DEFAULT_CELL;

/** Once, when a process starts: which installation of several it belongs to. */
export function setCell(name: string): void {
  cell = name;
}

/**
 * A name that nobody can guess: its kind, the cell that made it, and chance. The cell is for a gateway in front of
 * several installations, which knows from it where a request belongs; here it means nothing.
 */
export function newToken(kind: TokenKind): string {
  return `${kind}_${cell}${randomBase62(LENGTHS[kind])}`;
}
