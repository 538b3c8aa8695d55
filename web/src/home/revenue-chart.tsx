import type { Revenue } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { moneyText } from '../parts/money.tsx';
import { dateLocale, direction } from '../words/language.ts';
import { t, tn } from '../words/t.ts';
import { type Bar, barsOf, ticksOf } from './chart-bars.ts';
import styles from './home-screen.module.css';
import { compactText, dateText, daysText, dayText, monthText } from './revenue-text.ts';

interface ChartProps {
  revenue: Revenue;
  projectId: string | undefined;
}

/** A bar for each day, and a line for the period before. Arrow keys, a pointer or a finger choose one; Enter or a click opens its payments. */
export function RevenueChart({ revenue, projectId }: ChartProps) {
  const bars = barsOf(revenue);
  const [chosen, choose] = useState<number | null>(null);
  const navigate = useNavigate();
  const at = chosen === null ? null : Math.min(chosen, bars.length - 1);
  const open = (bar: Bar | undefined) => {
    if (bar) void navigate({ to: '/payments', search: paymentsOf(bar, projectId) as never });
  };
  const press = (event: KeyboardEvent) => {
    const next = nextOf(event.key, at, bars.length);
    if (event.key === 'Enter' && at !== null) open(bars[at]);
    else if (event.key === 'Escape') choose(null);
    else if (next !== undefined) choose(next);
    else return;
    event.preventDefault();
  };
  const indexAt = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(bars.length - 1, Math.floor(((event.clientX - left) / width) * bars.length)));
  };
  const labels = labelled(bars, revenue.timeZone);
  return (
    <figure className={styles.chart}>
      <Side bars={bars} />
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={t('Revenue over time')}
        aria-valuemin={0}
        aria-valuemax={bars.length - 1}
        aria-valuenow={at ?? 0}
        aria-valuetext={at === null ? summaryOf(bars) : spoken(bars[at]!, revenue)}
        onKeyDown={press}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && choose(at ?? bars.length - 1)}
        onBlur={() => choose(null)}
        onPointerMove={(event) => event.pointerType === 'mouse' && choose(indexAt(event))}
        onPointerLeave={(event) => event.pointerType === 'mouse' && choose(null)}
        onPointerUp={(event) => {
          const index = indexAt(event);
          // A finger has nothing to point with first: it chooses, and then opens what it has chosen.
          if (event.pointerType === 'mouse' || index === at) open(bars[index]);
          else choose(index);
        }}
      >
        <Drawing bars={bars} chosen={at} />
        {at !== null && <Tip bar={bars[at]!} place={(at + 0.5) / bars.length} revenue={revenue} />}
      </div>
      <figcaption className={styles.labels} aria-hidden>
        {labels.map(({ place, text }) => (
          <span key={place} style={{ left: `${place * 100}%` }}>
            {text}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function nextOf(key: string, at: number | null, count: number): number | undefined {
  const now = at ?? count - 1;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, now - 1);
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(count - 1, now + 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}

function paymentsOf({ from, to }: Bar, projectId: string | undefined): Record<string, string> {
  return { ...(projectId && { projectId }), succeededFrom: from, succeededTo: to };
}

/** A drawing can round; the exact sums are beside it. */
const dollars = (cents: bigint) => Number(cents) / 100;

function scaleOf(bars: readonly Bar[]) {
  const values = bars.flatMap(({ netCents, previousNetCents }) => [
    dollars(netCents),
    dollars(previousNetCents),
  ]);
  const ticks = ticksOf(Math.min(...values), Math.max(...values));
  const [least, most] = [ticks[0]!, ticks.at(-1)!];
  return { ticks, y: (value: number) => 100 - ((value - least) / (most - least)) * 100 };
}

function Side({ bars }: { bars: readonly Bar[] }) {
  const { ticks, y } = scaleOf(bars);
  return (
    <div className={styles.side} aria-hidden>
      {ticks.map((tick) => (
        <span key={tick} style={{ top: `${y(tick)}%` }}>
          {compactText(tick)}
        </span>
      ))}
    </div>
  );
}

function Drawing({ bars, chosen }: { bars: readonly Bar[]; chosen: number | null }) {
  const { ticks, y } = scaleOf(bars);
  const zero = y(0);
  const before = bars
    .map(({ previousNetCents }, i) => `${i + 0.5},${y(dollars(previousNetCents))}`)
    .join(' ');
  return (
    <svg viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" aria-hidden="true">
      {ticks.map((tick) => (
        <line key={tick} className={styles.grid} x1={0} x2={bars.length} y1={y(tick)} y2={y(tick)} />
      ))}
      {bars.map(({ from, startsAt, netCents }, i) => {
        const top = y(dollars(netCents));
        return (
          <rect
            key={startsAt ?? from}
            className={styles.bar}
            data-chosen={i === chosen}
            x={i + 0.14}
            width={0.72}
            y={Math.min(top, zero)}
            height={Math.max(Math.abs(zero - top), netCents === 0n ? 0 : 0.6)}
          />
        );
      })}
      {bars.length > 1 && <polyline className={styles.before} points={before} />}
    </svg>
  );
}

const titleOf = (bar: Bar, { timeZone }: Revenue) =>
  bar.startsAt ? `${dateText(bar.from)}, ${hourText(bar.startsAt, timeZone)}` : daysText(bar.from, bar.to);

function Tip({ bar, place, revenue }: { bar: Bar; place: number; revenue: Revenue }) {
  // It stays inside the plot, whichever bar it is for.
  const shift = place < 0.3 ? '0%' : place > 0.7 ? '-100%' : '-50%';
  return (
    <div
      className={styles.tip}
      dir={direction}
      style={{ left: `${place * 100}%`, transform: `translateX(${shift})` }}
      aria-hidden
    >
      <strong>{titleOf(bar, revenue)}</strong>
      <span>{moneyText(bar.netCents)} USDC</span>
      {bar.refundedCents > 0n && (
        <span>{t('{amount} refunded', { amount: moneyText(bar.refundedCents) })}</span>
      )}
      <span>{tn(bar.paymentsCount, '{count} payment', '{count} payments')}</span>
      <span className={styles.dim}>
        {t('Period before: {amount}', { amount: moneyText(bar.previousNetCents) })}
      </span>
    </div>
  );
}

function spoken(bar: Bar, revenue: Revenue): string {
  return tn(
    bar.paymentsCount,
    '{period}: {amount} USDC, {count} payment. Period before: {previous} USDC. Press Enter to view payments.',
    '{period}: {amount} USDC, {count} payments. Period before: {previous} USDC. Press Enter to view payments.',
    {
      period: titleOf(bar, revenue),
      amount: moneyText(bar.netCents),
      previous: moneyText(bar.previousNetCents),
    },
  );
}

function summaryOf(bars: readonly Bar[]): string {
  const best = bars.reduce((a, b) => (b.netCents > a.netCents ? b : a));
  const how = t('Use the arrow keys to read it.');
  if (best.netCents <= 0n) return how;
  const highest = t('Highest: {period}, {amount} USDC.', {
    period: daysText(best.from, best.to),
    amount: moneyText(best.netCents),
  });
  return `${how} ${highest}`;
}

const MAX_LABELS = 5;

function labelled(bars: readonly Bar[], timeZone: string): { place: number; text: string }[] {
  const every = Math.ceil(bars.length / MAX_LABELS);
  return bars.flatMap((bar, i) => {
    if (i % every !== 0) return [];
    const text = bar.startsAt
      ? hourText(bar.startsAt, timeZone)
      : bar.from === bar.to
        ? dayText(bar.from)
        : monthText(bar.from);
    return [{ place: (i + 0.5) / bars.length, text }];
  });
}

const hourText = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat(dateLocale, { hour: '2-digit', minute: '2-digit', timeZone }).format(new Date(at));
