import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/*
 * Amounts run to the edge of int64, so their sums and products run past it: PostgreSQL then refuses the whole statement, and
 * one odd order breaks a report for good, or work for every merchant. Sums stay numeric, which the driver reads as bigint,
 * and answers stop at the edge (`saturateInt64`).
 */

const root = join(import.meta.dirname, '..');
const CAST = /::(bigint|int8)\b/g;
const CALCULATED = /\b(sum|div|ceil|floor|round|trunc|abs|greatest)\(|[*+]|[^>] - |\$\{/;
const ALWAYS_FITS = /^least\(/;

/** Casts of a sum, or of anything else that was calculated, to int64. */
function castsOf(text: string): string[] {
  return [...text.matchAll(CAST)]
    .map(({ index }) => operandBefore(text, index))
    .filter((operand) => CALCULATED.test(operand) && !ALWAYS_FITS.test(operand));
}

/** Returns what a cast at `end` is of: a name, a call with its `filter` and `over`, a `case` or an interpolation. */
function operandBefore(text: string, end: number): string {
  let start = end;
  for (;;) {
    const before = text.slice(0, start);
    if (before.endsWith(')')) start = openingBefore(text, start, '(', ')');
    else if (before.endsWith('}')) return text.slice(openingBefore(text, start, '{', '}') - 1, end);
    else if (/\bend$/.test(before)) return text.slice(before.lastIndexOf('case '), end);
    start -= /(?:\b(?:over|filter) |[\w.$"]*)$/.exec(text.slice(0, start))![0].length;
    const [outer] = /\)\s*$/.exec(text.slice(0, start)) ?? [];
    if (!outer || !/^(over|filter)\b/.test(text.slice(start))) return text.slice(start, end);
    start -= outer.length - 1;
  }
}

function openingBefore(text: string, end: number, opening: string, closing: string): number {
  let depth = 0;
  for (let i = end - 1; i >= 0; i--) {
    if (text[i] === closing) depth++;
    else if (text[i] === opening && --depth === 0) return i;
  }
  throw new Error(`nothing opens ${text.slice(end - 40, end)}`);
}

/** Columns of amounts that are wider than int64. */
const WIDE = new Set(
  [...readFileSync(join(root, 'migrations/schema.sql'), 'utf8').matchAll(/^ {2}(\w+_cents) numeric/gm)].map(
    ([, name]) => name!,
  ),
);

/** Amounts added or multiplied as int64. */
function calculatedIn(text: string): string[] {
  return [...text.matchAll(/[\w.]+(?:::\w+)? [*+] (?:coalesce\()?[\w.]+(?:::\w+)?/g)]
    .map(([calculation]) => calculation)
    .filter((calculation) => {
      const columns = [...calculation.matchAll(/(\w+_cents)\b/g)].map(([, name]) => name!);
      return (
        columns.length > 0 && !calculation.includes('::numeric') && !columns.some((name) => WIDE.has(name))
      );
    });
}

const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

test('no sum is cast to int64, and no amounts are added or multiplied as int64', () => {
  const found = sources.flatMap(({ file, text }) =>
    [...castsOf(text), ...calculatedIn(text)].map((what) => `${file}: ${what}`),
  );
  expect(found).toEqual([]);
});

test('the guard itself objects to what it should', () => {
  for (const bad of [
    'sum(x)::bigint',
    'coalesce(sum(a.x), 0)::int8',
    'select sum(d.due) over ()::bigint',
    'sum(x) filter (where y)::bigint',
    'case when a then sum(div(b, 10000)) end::bigint',
    '(a.x - b.y)::bigint',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as in a source
    '${MISSING}::bigint',
  ])
    expect([bad, castsOf(bad).length]).toEqual([bad, 1]);
  for (const fine of [
    '$3::bigint',
    'null::bigint',
    "(p.settings ->> 'lowBalanceCredits')::bigint",
    'least(trunc(sum(x)), 9223372036854775807)::bigint',
    'sum(x)',
    'pg_snapshot_xmax(pg_current_snapshot())::text::bigint',
  ])
    expect([fine, castsOf(fine)]).toEqual([fine, []]);
  expect(calculatedIn('i.expected_amount_cents * 10000')).toHaveLength(1);
  expect(calculatedIn('sum(times * unit_amount_cents)')).toHaveLength(1);
  expect(calculatedIn('v.total_cents + coalesce(c.tip_cents, 0)')).toHaveLength(1);
  expect(calculatedIn('p.unit_amount_cents * b.quantity::numeric')).toEqual([]);
  expect(calculatedIn('m.volume_cents + excluded.volume_cents')).toEqual([]);
});
