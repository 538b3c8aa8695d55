import type { Queryable } from '../../platform/db/database.ts';
import type { Terminal } from './terminal.ts';

const COLUMNS = `
  id, merchant_id, name, is_active, current_intent_id,
  created_at`;

export async function insertTerminal(tx: Queryable, terminal: Terminal): Promise<void> {
  await tx.query(
    'insert into terminals (merchant_id, id, name, is_active, created_at) values ($1, $2, $3, $4, $5)',
    [terminal.merchantId, terminal.id, terminal.name, terminal.isActive, terminal.createdAt],
  );
}

export async function listTerminals(db: Queryable, merchantId: string): Promise<Terminal[]> {
  return db.query<Terminal>(`select ${COLUMNS} from terminals where merchant_id = $1 order by id desc`, [
    merchantId,
  ]);
}

/** The holder of this lock alone decides which intent the terminal shows. */
export async function lockTerminal(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<Terminal | undefined> {
  const [row] = await tx.query<Terminal>(
    `select ${COLUMNS} from terminals where merchant_id = $1 and id = $2 for no key update`,
    [merchantId, id],
  );
  return row;
}

export async function updateTerminal(tx: Queryable, terminal: Terminal): Promise<void> {
  await tx.query(
    'update terminals set name = $3, is_active = $4, current_intent_id = $5 where merchant_id = $1 and id = $2',
    [terminal.merchantId, terminal.id, terminal.name, terminal.isActive, terminal.currentIntentId],
  );
}

/** By id only, for payers who scan its code. */
export async function findTerminalAnywhere(db: Queryable, id: string): Promise<Terminal | undefined> {
  const [row] = await db.query<Terminal>(`select ${COLUMNS} from terminals where id = $1`, [id]);
  return row;
}
