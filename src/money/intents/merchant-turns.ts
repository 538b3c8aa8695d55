const MAX_REMEMBERED = 1_000;

/** Order of turns: what many merchants wait for is done for each of them in turn, however much one of them has. */
export class MerchantTurns {
  readonly #served = new Set<string>();

  /** Puts first those whose turn was longest ago; who is not among them comes before all. */
  get served(): string[] {
    return [...this.#served];
  }

  note(merchantId: string): void {
    this.#served.delete(merchantId);
    if (this.#served.size >= MAX_REMEMBERED) this.#served.delete(this.#served.values().next().value!);
    this.#served.add(merchantId);
  }
}
