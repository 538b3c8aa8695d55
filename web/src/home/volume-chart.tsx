import 'uplot/dist/uPlot.min.css';
import type { DailyStats } from '@florin/sdk';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { moneyText } from '../parts/money.tsx';
import { dayText } from '../parts/time.tsx';
import styles from './home-screen.module.css';

const HEIGHT_PX = 160;
const HALF_DAY_S = 12 * 3_600;

/** A bar for each day; the numbers beside it say the same in words. */
export default function VolumeChart({ days }: { days: readonly DailyStats[] }) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const element = box.current!;
    const chart = new UPlot(optionsFor(element, scheme === 'dark'), dataOf(days), element);
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [days, scheme]);
  return <div ref={box} className={styles.chart} role="img" aria-label={summary(days)} />;
}

function dataOf(days: readonly DailyStats[]): UPlot.AlignedData {
  return [
    days.map(({ date }) => Date.parse(date ?? '') / 1000),
    // A chart can round; the exact sums are above it.
    days.map(({ volumeCents }) => Number(volumeCents) / 100),
  ];
}

function optionsFor(element: HTMLElement, isDark: boolean): UPlot.Options {
  const ink = isDark ? '#a3aeba' : '#545f6b';
  const line = isDark ? '#2b343e' : '#e3e8ec';
  const bar = isDark ? '#2f9c82' : '#0b6b57';
  const axis = { stroke: ink, ticks: { show: false }, font: '12px system-ui' };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    padding: [12, 28, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      // Room for the first and the last bar, which are centered on their day.
      x: { range: (_chart, min, max) => [min - HALF_DAY_S, max + HALF_DAY_S] },
      y: { range: (_chart, _min, max) => [0, Math.max(max, 1)] },
    },
    axes: [
      {
        ...axis,
        size: 32,
        gap: 10,
        grid: { show: false },
        values: (_chart, ticks) => ticks.map((at) => dayText(new Date(at * 1000))),
      },
      { ...axis, grid: { stroke: line, width: 1 }, size: 48 },
    ],
    series: [
      {},
      {
        fill: bar,
        stroke: bar,
        width: 0,
        paths: UPlot.paths.bars!({ size: [0.7, 24] }),
        points: { show: false },
      },
    ],
  };
}

function summary(days: readonly DailyStats[]): string {
  const best = days.toSorted((a, b) => Number(b.volumeCents) - Number(a.volumeCents))[0];
  const text =
    best?.date && Number(best.volumeCents) > 0
      ? ` Highest on ${dayText(best.date)}: ${moneyText(best.volumeCents)} USDC.`
      : '';
  return `Daily volume over the last ${days.length} days.${text}`;
}
