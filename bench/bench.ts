import type { Round, Spread } from './rounds.ts';

/** What the command line asked for. */
export interface BenchRun {
  rounds: number;
  /** How long one that has no rounds continues. */
  seconds: number;
  /** Takes longer and goes further, where a bench knows how. */
  full: boolean;
  /** Where the service under test leaves its CPU profile, if it shall. */
  profileFolder: string | undefined;
  say(line: string): void;
}

export interface BenchResult {
  /** Higher is better, whatever is measured. */
  ratio: number;
  spread: Spread;
  /** What `ours` and `yardstick` are counted in. */
  unit: string;
  rounds: Round[];
  /** Further numbers worth keeping. */
  extra?: Record<string, unknown>;
  /** A table that the README of the benches shows once it is recorded, if there is one. */
  table?: string;
  /** The same with a heading and a text, which need to know the machine. */
  readme?: (where: string) => string;
}

export type Bench = (run: BenchRun) => Promise<BenchResult>;
