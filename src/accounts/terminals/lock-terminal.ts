import type { Queryable, Tx } from '../../platform/db/database.ts';
import { findTerminalById, lockTerminal, updateTerminal } from './queries.ts';
import type { Terminal } from './terminal.ts';

/** Locks a terminal for the rest of the transaction. */
export function takeTerminal(tx: Tx, merchantId: string, id: string): Promise<Terminal | undefined> {
  return lockTerminal(tx, merchantId, id);
}

export interface TerminalChange {
  name?: string | null | undefined;
  isActive?: boolean | undefined;
  currentIntentId?: string;
}

/** Stores the change on a terminal that `takeTerminal` locked. */
export async function changeTerminal(tx: Tx, terminal: Terminal, change: TerminalChange): Promise<Terminal> {
  const changed: Terminal = {
    ...terminal,
    name: change.name === undefined ? terminal.name : change.name,
    isActive: change.isActive ?? terminal.isActive,
    currentIntentId: change.currentIntentId ?? terminal.currentIntentId,
  };
  await updateTerminal(tx, changed);
  return changed;
}

/** By id alone, for payers who scan its code. */
export function findTerminalAnywhere(db: Queryable, id: string): Promise<Terminal | undefined> {
  return findTerminalById(db, id);
}
