/**
 * Deletes at most $2 rows of a table that `condition` names with $1, and leaves those that are locked by others for the
 * next time: so pruning never holds many locks, and waits for nobody. The slice is looked up through arrays, because for a limit
 * that it does not know the planner would expect a tenth of the table, and read all of it.
 */
export function deleteSlice(table: string, key: readonly string[], condition: string): string {
  const columns = key.join(', ');
  return `
    with slice as materialized (
      select ${key.map((column) => `array_agg(${column}) as ${column}`).join(', ')} from (
        select ${columns} from ${table} where ${condition} limit $2 for update skip locked) as due
    )
    delete from ${table} t using slice, unnest(${key.map((column) => `slice.${column}`).join(', ')}) as s(${columns})
     where ${key.map((column) => `t.${column} = s.${column}`).join(' and ')}`;
}
