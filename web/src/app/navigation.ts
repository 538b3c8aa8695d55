import { useProjects } from '../billing/use-projects.ts';
import type { IconName } from '../parts/icon.tsx';
import { t, tc } from '../words/t.ts';
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
  /** Closed until it is opened, which the browser remembers under this name. */
  folded?: string;
}

/** The side bar and the shortcuts, group by group: what a shop needs every day first, what developers need last. */
const groups: readonly PlaceGroup[] = [
  {
    places: [
      { to: '/', label: t('Home'), icon: 'home', key: 'h' },
      { to: '/payments', label: t('Payments'), icon: 'payments', key: 'p' },
      { to: '/customers', label: t('Customers'), icon: 'customers', key: 'c' },
    ],
  },
  {
    title: t('Get paid'),
    places: [
      { to: '/payment-links', label: t('Payment links'), icon: 'links', key: 'l' },
      { to: '/invoices', label: t('Invoices'), icon: 'invoices', key: 'i' },
      { to: '/subscriptions', label: t('Subscriptions'), icon: 'subscriptions', key: 'b' },
      { to: '/checkout-sessions', label: t('Checkouts'), icon: 'checkout', key: 'o' },
      { to: '/terminals', label: t('Terminals'), icon: 'terminals', key: 'd' },
    ],
  },
  {
    title: t('What you sell'),
    places: [
      { to: '/catalog', label: t('Catalog'), icon: 'catalog', key: 't' },
      { to: '/discounts', label: t('Discounts'), icon: 'discounts', key: 'm' },
      { to: '/usage', label: t('Usage'), icon: 'usage', key: 'u' },
    ],
  },
  {
    title: tc('accounting', 'Books'),
    places: [
      { to: '/refunds', label: t('Refunds'), icon: 'refunds', key: 'f' },
      { to: '/exceptions', label: t('Exceptions'), icon: 'exceptions', key: 'e' },
      { to: '/tax', label: t('Tax'), icon: 'tax', key: 'v' },
    ],
  },
  {
    title: t('Your shop'),
    places: [
      {
        to: '/projects',
        label: t('Projects'),
        icon: 'projects',
        key: 'r',
        isFor: ({ hasProjects }) => hasProjects,
      },
      { to: '/settings', label: t('Settings'), icon: 'settings', key: 's' },
      { to: '/notifications', label: t('Notifications'), icon: 'notifications', key: 'n' },
      { to: '/audit', label: t('Audit log'), icon: 'audit', key: 'a', isFor: ({ seeKeys }) => seeKeys },
    ],
  },
  {
    title: t('Developers'),
    folded: 'Developers',
    places: [
      { to: '/api-keys', label: t('API keys'), icon: 'keys', key: 'k', isFor: ({ seeKeys }) => seeKeys },
      { to: '/webhooks', label: t('Webhooks'), icon: 'webhooks', key: 'w' },
      { to: '/request-log', label: t('Request log'), icon: 'requests', key: 'q' },
      {
        to: '/sandbox',
        label: t('Sandbox'),
        icon: 'sandbox',
        key: 'x',
        isFor: ({ playSandbox }) => playSandbox,
      },
    ],
  },
];

/** Returns the places that the signed-in member can open. */
export function usePlaces(): PlaceGroup[] {
  const can = useCan();
  const { all } = useProjects();
  const whom = { ...can, hasProjects: all.size > 1 };
  return groups.map((group) => ({
    ...group,
    places: group.places.filter(({ isFor }) => isFor?.(whom) ?? true),
  }));
}
