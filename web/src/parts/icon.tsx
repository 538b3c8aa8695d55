import { direction } from '../words/language.ts';

/** Strokes on a grid of 24. */
const paths = {
  home: 'M4 11l8-7 8 7M6 10v10h12V10',
  payments: 'M3 7h18v10H3zM3 11h18M7 15h3',
  refunds: 'M9 14l-5-5 5-5M4 9h10a5.500 5.500 0 010 11h-3',
  exceptions: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  links: 'M10 14l4-4M8 11l-2 2a3.500 3.500 0 005 5l2-2M16 13l2-2a3.500 3.500 0 00-5-5l-2 2',
  keys: 'M14 10a4 4 0 11-3-3.900L20 6v3h-2v3h-3z',
  webhooks: 'M5 12h5l2-6 3 12 2-6h3',
  notifications: 'M6 16V11a6 6 0 0112 0v5l2 2H4zM10 21h4',
  requests: 'M4 6h16M4 12h10M4 18h13',
  audit: 'M6 4h9l4 4v12H6zM9 12h6M9 16h6',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  sandbox: 'M9 4v6l-5 9h16l-5-9V4M8 4h8',
  projects: 'M4 6h6l2 2h8v11H4z',
  customers: 'M12 12a3.500 3.500 0 100-7 3.500 3.500 0 000 7zM5 20a7 7 0 0114 0',
  catalog: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  checkout: 'M4 5h2l2 10h9l2-7H7M9 19h.5M16 19h.5',
  invoices: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  subscriptions: 'M5 12a7 7 0 0112-5l2 2M19 5v4h-4M19 12a7 7 0 01-12 5l-2-2M5 19v-4h4',
  usage: 'M5 20V10M12 20V4M19 20v-7',
  discounts: 'M4 12V4h8l8 8-8 8zM8 8h.5',
  tax: 'M6 18L18 6M8 10a2 2 0 100-4 2 2 0 000 4zM16 18a2 2 0 100-4 2 2 0 000 4z',
  terminals: 'M7 3h10v18H7zM10 7h4M10 17h4',
  search: 'M11 17a6 6 0 100-12 6 6 0 000 12zM20 20l-4.500-4.500',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 13l4 4L19 7',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  plus: 'M12 5v14M5 12h14',
  back: 'M15 5l-7 7 7 7',
  fold: 'M5 9l7 7 7-7',
  unfold: 'M9 5l7 7-7 7',
  choose: 'M8 9l4-4 4 4M8 15l4 4 4-4',
} as const;

export type IconName = keyof typeof paths;

/** They point along the line, so they turn with it. */
const TURNING: readonly IconName[] = ['back', 'unfold'];

/** Always next to a word, so it needs no label. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const isTurned = direction === 'rtl' && TURNING.includes(name);
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
      <path
        d={paths[name]}
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        transform={isTurned ? 'matrix(-1 0 0 1 24 0)' : undefined}
      />
    </svg>
  );
}
