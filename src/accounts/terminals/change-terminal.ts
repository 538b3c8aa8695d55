import type { Tx } from '../../platform/db/database.ts';
import { type Terminal, terminals } from './terminal.ts';

export interface TerminalChange {
  name?: string | null | undefined;
  isActive?: boolean | undefined;
  /** Null: none. */
  currentIntentId?: string | null;
}

/** Stores the change on a terminal that `lockTerminal` locked. */
export async function changeTerminal(tx: Tx, terminal: Terminal, change: TerminalChange): Promise<Terminal> {
  const changed: Terminal = {
    ...terminal,
    name: change.name === undefined ? terminal.name : change.name,
    isActive: change.isActive ?? terminal.isActive,
    currentIntentId: change.currentIntentId === undefined ? terminal.currentIntentId : change.currentIntentId,
  };
  await terminals.store(tx, changed, ['name', 'isActive', 'currentIntentId']);
  return changed;
}
