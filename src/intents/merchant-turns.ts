import { BoundedMap } from '../platform/lib/bounded-map.ts';

const MAX_REMEMBERED = 1_000;

/** Order of turns: what many merchants wait for is done for each of them in turn, however much one of them has. */
export class MerchantTurns {
  readonly #served = new BoundedMap<string, true>(MAX_REMEMBERED);

  /** Puts first those whose turn was longest ago; who is not among them comes before all. */
  get served(): string[] {
    return [...this.#served.keys()];
  }

  note(merchantId: string): void {
    this.#served.renew(merchantId, true);
  }
}
