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
 * Every account that a transaction ever changed, as it was at the end of each recent slot. The runtime knows only
 * the present; commitments, lagging nodes and roll backs need the past.
 */
export class Accounts {
  readonly #runtime: Runtime;
  /** Oldest first. The first one stands for all the time before it. */
  readonly #versions = new Map<string, Version[]>();
  readonly #programs = new Map<string, AccountState>();
  readonly #tokenAccountsByOwner = new Map<string, Set<string>>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
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

  /** What no transaction changed is as the runtime has it. Programs are large, and copied out only once. */
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

  /** After loading from disk: programs last, because the runtime looks up their code when it gets them. */
  copyToRuntime(): void {
    const states = [...this.#versions].map(
      ([address, versions]) => [address, versions.at(-1)!.state] as const,
    );
    states.sort(([, a], [, b]) => Number(a?.executable ?? false) - Number(b?.executable ?? false));
    for (const [address, state] of states) this.#runtime.write(address, state);
  }

  #noteTokenOwner(address: string, state: AccountState | undefined): void {
    const owner = tokenAccountOf(state)?.owner;
    if (owner === undefined) return;
    const owned = this.#tokenAccountsByOwner.get(owner);
    if (owned) owned.add(address);
    else this.#tokenAccountsByOwner.set(owner, new Set([address]));
  }
}
