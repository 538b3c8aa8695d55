import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { updateResults } from './lease-queries.ts';

test('recording results, planned before there were deliveries, looks each of them up', async () => {
  const db = await testDatabase();
  const texts: string[] = [];
  const taking = {
    async query<Row>(text: string): Promise<Row[]> {
      texts.push(text);
      return [];
    },
  };
  await updateResults(taking, [], new Date());
  const plan = await db.withConnection(async (client) => {
    const { rows } = await client.query({
      text: `explain (generic_plan, costs off) ${texts[0]}`,
      rowMode: 'array',
    });
    return rows.join('\n');
  });
  expect(plan).toContain('Index Scan using webhook_deliveries_pkey');
  expect(plan).not.toMatch(/Seq Scan on webhook_deliveries/);
});
