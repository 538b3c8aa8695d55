import { useProjects } from '../billing/use-projects.ts';
import type { IconName } from '../parts/icon.tsx';
import { type Can, useCan } from './session.ts';

export interface Place {
  to: string;
  label: string;
  icon: IconName;
  /** Pressed after `g`. */
  key: string;
  isFor?(whom: Whom): boolean;
}

interface Whom extends Can {
  /** One is nothing to choose from: it is reached from the settings. */
  hasProjects: boolean;
}

export interface PlaceGroup {
  title?: string;
  places: readonly Place[];
  /** Closed until it is opened. */
  isFolded?: boolean;
}

/** The side bar and the shortcuts, group by group: what a shop needs every day first, what developers need last. */
const groups: readonly PlaceGroup[] = [
  {
    places: [
      { to: '/', label: 'Home', icon: 'home', key: 'h' },
      { to: '/payments', label: 'Payments', icon: 'payments', key: 'p' },
      { to: '/customers', label: 'Customers', icon: 'customers', key: 'c' },
    ],
  },
  {
    title: 'Get paid',
    places: [
      { to: '/payment-links', label: 'Payment links', icon: 'links', key: 'l' },
      { to: '/invoices', label: 'Invoices', icon: 'invoices', key: 'i' },
      { to: '/subscriptions', label: 'Subscriptions', icon: 'subscriptions', key: 'b' },
      { to: '/checkout-sessions', label: 'Checkouts', icon: 'checkout', key: 'o' },
      { to: '/terminals', label: 'Terminals', icon: 'terminals', key: 'd' },
    ],
  },
  {
    title: 'What you sell',
    places: [
      { to: '/catalog', label: 'Catalog', icon: 'catalog', key: 't' },
      { to: '/discounts', label: 'Discounts', icon: 'discounts', key: 'm' },
      { to: '/usage', label: 'Usage', icon: 'usage', key: 'u' },
    ],
  },
  {
    title: 'Books',
    places: [
      { to: '/refunds', label: 'Refunds', icon: 'refunds', key: 'f' },
      { to: '/exceptions', label: 'Exceptions', icon: 'exceptions', key: 'e' },
      { to: '/tax', label: 'Tax', icon: 'tax', key: 'v' },
    ],
  },
  {
    title: 'Your shop',
    places: [
      {
        to: '/projects',
        label: 'Projects',
        icon: 'projects',
        key: 'r',
        isFor: ({ hasProjects }) => hasProjects,
      },
      { to: '/settings', label: 'Settings', icon: 'settings', key: 's' },
      { to: '/notifications', label: 'Notifications', icon: 'notifications', key: 'n' },
      { to: '/audit', label: 'Audit log', icon: 'audit', key: 'a', isFor: ({ seeKeys }) => seeKeys },
    ],
  },
  {
    title: 'Developers',
    isFolded: true,
    places: [
      { to: '/api-keys', label: 'API keys', icon: 'keys', key: 'k', isFor: ({ seeKeys }) => seeKeys },
      { to: '/webhooks', label: 'Webhooks', icon: 'webhooks', key: 'w' },
      {
        to: '/sandbox',
        label: 'Sandbox',
        icon: 'sandbox',
        key: 'x',
        isFor: ({ playSandbox }) => playSandbox,
      },
    ],
  },
];

/** Where the signed-in member can go. */
export function usePlaces(): PlaceGroup[] {
  const can = useCan();
  const { all } = useProjects();
  const whom = { ...can, hasProjects: all.size > 1 };
  return groups.map((group) => ({
    ...group,
    places: group.places.filter(({ isFor }) => isFor?.(whom) ?? true),
  }));
}
