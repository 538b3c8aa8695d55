/** What a reader finds out about a file of its kind; throws `Damaged` if it is incomplete. */
export interface ImageFacts {
  width: number;
  height: number;
  isAnimated: boolean;
}

/** The file starts like an image but does not continue as one. */
export class Damaged extends Error {}
