import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { INTERVALS } from '../catalog/price.ts';
import { periodAt, periodStart } from './period.ts';

const days = (start: string, interval: (typeof INTERVALS)[number], count: number, n: number) =>
  Array.from({ length: n }, (_, i) =>
    periodStart(new Date(start), { interval, count }, i).toISOString().slice(0, 10),
  );

describe('known dates', () => {
  test('31 January: the last day of shorter months, the 31st of longer ones', () => {
    expect(days('2027-01-31T12:00:00Z', 'month', 1, 6)).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
    ]);
    expect(days('2028-01-31T12:00:00Z', 'month', 1, 3)[1]).toBe('2028-02-29');
  });

  test('29 February: the 28th in common years, the 29th again in leap years; 2100 is none', () => {
    expect(days('2028-02-29T00:00:00Z', 'year', 1, 5)).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
    expect(days('2096-02-29T00:00:00Z', 'year', 4, 2)[1]).toBe('2100-02-28');
  });

  test('half years, fortnights, the end of a year', () => {
    expect(days('2026-08-31T23:59:59Z', 'month', 6, 3)).toEqual(['2026-08-31', '2027-02-28', '2027-08-31']);
    expect(days('2026-12-25T00:00:00Z', 'week', 2, 3)).toEqual(['2026-12-25', '2027-01-08', '2027-01-22']);
    expect(days('2026-12-31T23:59:59.999Z', 'day', 1, 2)).toEqual(['2026-12-31', '2027-01-01']);
  });
});

describe('ten years from every day of a leap year', () => {
  test.each(INTERVALS)(
    '%s: periods abut, keep the time of day, and never drift from the anchor',
    (interval) => {
      for (const count of [1, 2, 3, 6, 12]) {
        for (let day = 0; day < 366; day++) {
          const anchor = new Date(Date.UTC(2028, 0, 1, 13, 37, 42, 123) + day * DAY_MS);
          const horizon = Date.UTC(2038, 0, 1);
          let end = anchor;
          for (let n = 0; end.getTime() < horizon; n++) {
            const period = periodAt(anchor, { interval, count }, n);
            if (period.start.getTime() !== end.getTime() || period.end <= period.start)
              expect.fail(`gap or overlap: ${anchor.toISOString()} ${interval} ${count} ${n}`);
            if (period.end.getTime() % DAY_MS !== anchor.getTime() % DAY_MS)
              expect.fail(`another time of day: ${period.end.toISOString()}`);
            checkDay(anchor, period.end, interval, count * (n + 1));
            end = period.end;
          }
        }
      }
    },
  );
});

/** Computed another way: by counting months, and asking for the last day only where the day is missing. */
function checkDay(anchor: Date, date: Date, interval: string, steps: number): void {
  if (interval === 'day' || interval === 'week') {
    const wanted = anchor.getTime() + steps * (interval === 'day' ? 1 : 7) * DAY_MS;
    if (date.getTime() !== wanted) expect.fail(`${date.toISOString()} is not ${steps} ${interval}s later`);
    return;
  }
  const months = anchor.getUTCFullYear() * 12 + anchor.getUTCMonth() + steps * (interval === 'year' ? 12 : 1);
  const [year, month] = [Math.floor(months / 12), months % 12];
  const sameDay = new Date(Date.UTC(year, month, anchor.getUTCDate()));
  const day =
    sameDay.getUTCMonth() === month
      ? anchor.getUTCDate()
      : new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const got = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (got.join() !== [year, month, day].join()) expect.fail(`${got} is not ${[year, month, day]}`);
}
