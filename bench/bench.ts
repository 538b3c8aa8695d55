import type { Round, Spread } from './rounds.ts';

/** Options from the command line. */
export interface BenchRun {
  rounds: number;
  /** Duration of a bench without rounds. */
  seconds: number;
  /** Takes longer and goes further, where a bench knows how. */
  full: boolean;
  /** Folder in which the service under test leaves its CPU profile, if one is requested. */
  profileFolder: string | undefined;
  say(line: string): void;
}

export interface BenchResult {
  /** Higher is better, whatever is measured. */
  ratio: number;
  spread: Spread;
  /** Unit of `ours` and `yardstick`. */
  unit: string;
  rounds: Round[];
  /** Further numbers worth keeping. */
  extra?: Record<string, unknown>;
  /** A table that the README of the benches shows once it is recorded, if there is one. */
  table?: string;
  /** The table with a heading and a text, which need to know the machine. */
  readme?: (where: string) => string;
}

export type Bench = (run: BenchRun) => Promise<BenchResult>;
