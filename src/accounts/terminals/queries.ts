import type { Queryable } from '../../platform/db/database.ts';
import { terminals } from './terminal.ts';

/** The holder of this lock alone decides which intent the terminal shows. */
export const lockTerminal = (tx: Queryable, merchantId: string, id: string) =>
  terminals.lock(tx, { merchantId, id });

/** By id only, for payers who scan its code. */
export const findTerminalAnywhere = (db: Queryable, id: string) => terminals.find(db, { id });
