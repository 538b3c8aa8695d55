import type { IconName } from '../parts/icon.tsx';
import type { Can } from './session.ts';

export interface Place {
  to: string;
  label: string;
  icon: IconName;
  /** Pressed after `g`. */
  key: string;
  isFor?(can: Can): boolean;
}

/** The side bar and the shortcuts, group by group. */
export const places: readonly { title?: string; places: readonly Place[] }[] = [
  {
    places: [
      { to: '/', label: 'Home', icon: 'home', key: 'h' },
      { to: '/payments', label: 'Payments', icon: 'payments', key: 'p' },
    ],
  },
];
