import type { Said } from '../../platform/lib/peers.ts';
import type { Greeted } from '../greeting.ts';

/** Message of the supervisor to one of its processes. */
export type ToPart =
  | { kind: 'stop'; isReplaced: boolean }
  | { kind: 'said'; from: string; said: readonly Said[] }
  | { kind: 'joined' }
  | { kind: 'left'; process: string }
  | { kind: 'metrics wanted'; id: number }
  | { kind: 'all metrics'; id: number; texts: readonly (readonly [process: string, text: string])[] }
  | { kind: 'dashboard built' };

/** Message of a process to its supervisor. */
export type FromPart =
  | { kind: 'alive' }
  | { kind: 'ready'; greeted: Greeted }
  | { kind: 'failed'; message: string }
  | { kind: 'said'; said: readonly Said[] }
  | { kind: 'metrics'; id: number; text: string }
  | { kind: 'all metrics wanted'; id: number };

/** How often a process says that it is alive. */
export const ALIVE_EVERY_MS = 1_000;
