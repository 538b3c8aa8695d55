/** A path that routes are mounted at: one implementation serves every version of the API. */
export interface Mount {
  path: string;
  /** Keeps operation ids unique. */
  idSuffix: string;
}
