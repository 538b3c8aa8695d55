/** Facts that a reader finds out about a file of its kind; it throws `Damaged` if the file is incomplete. */
export interface ImageFacts {
  width: number;
  height: number;
  isAnimated: boolean;
}

/** The file starts like an image but does not continue as one. */
export class Damaged extends Error {}
