import type { AccountState } from './genesis.ts';
import type { Runtime } from './runtime.ts';
import { tokenAccountOf } from './token-state.ts';

/** How far back a reader may look: the oldest a lagging node can be. */
export const MAX_LAG_SLOTS = 512;

interface Version {
  slot: number;
  state: AccountState | undefined;
}

/**
 * Every account that a transaction changed of late, as it was at the end of each recent slot. The runtime knows only
 * the present; commitments, lagging nodes and roll backs need the past.
 */
export class Accounts {
  readonly #runtime: Runtime;
  /** Oldest first. The first one stands for all the time before it. */
  readonly #versions = new Map<string, Version[]>();
  readonly #programs = new Map<string, AccountState>();
  readonly #tokenAccountsByOwner = new Map<string, Set<string>>();
  /** Until all is loaded the runtime holds the accounts as they were where loading began. */
  #isLoaded = false;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** How many are held in memory besides the runtime. */
  get trackedCount(): number {
    return this.#versions.size;
  }

  latest(address: string): AccountState | undefined {
    const versions = this.#versions.get(address);
    return versions ? versions.at(-1)!.state : this.#unchanged(address);
  }

  at(address: string, slot: number): AccountState | undefined {
    const versions = this.#versions.get(address);
    if (!versions) return this.#unchanged(address);
    return versions.findLast((version) => version.slot <= slot)?.state;
  }

  /** Reads an account that no transaction changed from the runtime. Programs are large, and copied out only once. */
  #unchanged(address: string): AccountState | undefined {
    const program = this.#programs.get(address);
    if (program) return program;
    const state = this.#runtime.read(address);
    if (state?.executable) this.#programs.set(address, state);
    return state;
  }

  /** The accounts that are or once were this owner's; the caller looks at each as of its own slot. */
  tokenAccountsOfOwner(owner: string): string[] {
    return [...(this.#tokenAccountsByOwner.get(owner) ?? [])];
  }

  /** `before` is called for an account seen for the first time. The runtime has, or will be given, the new state. */
  record(
    slot: number,
    address: string,
    before: () => AccountState | undefined,
    after: AccountState | undefined,
  ): void {
    let versions = this.#versions.get(address);
    if (!versions) {
      versions = [{ slot: -1, state: before() }];
      this.#versions.set(address, versions);
    }
    const last = versions.at(-1)!;
    if (last.slot === slot) last.state = after;
    else versions.push({ slot, state: after });
    while (versions.length > 2 && versions[1]!.slot <= slot - MAX_LAG_SLOTS) versions.shift();
    this.#noteTokenOwner(address, after);
  }

  /** Forgets all changes after `slot`, here and in the runtime; an account first seen then is known no longer. */
  rollBackTo(slot: number, addresses: Iterable<string>): void {
    for (const address of addresses) {
      const versions = this.#versions.get(address);
      if (!versions) continue;
      while (versions.at(-1)!.slot > slot) versions.pop();
      this.#runtime.write(address, versions.at(-1)!.state);
      if (versions.length === 1 && versions[0]!.slot < 0) this.#versions.delete(address);
    }
  }

  /** Recently changed accounts among these, as of the end of `slot`. */
  trackedAt(addresses: Iterable<string>, slot: number): [address: string, state: AccountState | undefined][] {
    return [...addresses]
      .filter((address) => this.#versions.has(address))
      .map((address) => [address, this.at(address, slot)]);
  }

  /** Nobody reads these as of a time before the end of `slot` any more: what they are by now, the runtime knows. */
  forget(settled: Iterable<[address: string, state: AccountState | undefined]>, slot: number): void {
    for (const [address, state] of settled) {
      const versions = this.#versions.get(address)!;
      const newer = versions.filter((version) => version.slot > slot);
      // Loading gives programs to the runtime last, and they are few.
      if (newer.length > 0 || (!this.#isLoaded && state?.executable)) {
        this.#versions.set(address, [{ slot: -1, state }, ...newer]);
        continue;
      }
      this.#versions.delete(address);
      if (!this.#isLoaded) this.#runtime.write(address, state);
    }
  }

  /** An account as it was where loading begins. */
  restore(address: string, state: AccountState): void {
    this.#runtime.write(address, state);
    this.#noteTokenOwner(address, state);
  }

  /** After loading from disk: programs last, because the runtime looks up their code when it gets them. */
  copyToRuntime(): void {
    const states = [...this.#versions].map(
      ([address, versions]) => [address, versions.at(-1)!.state] as const,
    );
    states.sort(([, a], [, b]) => Number(a?.executable ?? false) - Number(b?.executable ?? false));
    for (const [address, state] of states) this.#runtime.write(address, state);
    this.#isLoaded = true;
  }

  #noteTokenOwner(address: string, state: AccountState | undefined): void {
    const owner = tokenAccountOf(state)?.owner;
    if (owner === undefined) return;
    const owned = this.#tokenAccountsByOwner.get(owner);
    if (owned) owned.add(address);
    else this.#tokenAccountsByOwner.set(owner, new Set([address]));
  }
}

export function isSameState(a: AccountState | undefined, b: AccountState | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.lamports === b.lamports &&
    a.owner === b.owner &&
    a.executable === b.executable &&
    Buffer.compare(a.data, b.data) === 0
  );
}
