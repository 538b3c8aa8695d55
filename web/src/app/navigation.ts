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
      { to: '/refunds', label: 'Refunds', icon: 'refunds', key: 'f' },
      { to: '/exceptions', label: 'Exceptions', icon: 'exceptions', key: 'e' },
      { to: '/payment-links', label: 'Payment links', icon: 'links', key: 'l' },
    ],
  },
  {
    title: 'Billing',
    places: [
      { to: '/customers', label: 'Customers', icon: 'customers', key: 'c' },
      { to: '/subscriptions', label: 'Subscriptions', icon: 'subscriptions', key: 'b' },
      { to: '/invoices', label: 'Invoices', icon: 'invoices', key: 'i' },
      { to: '/checkout-sessions', label: 'Checkouts', icon: 'checkout', key: 'o' },
      { to: '/usage', label: 'Usage', icon: 'usage', key: 'u' },
      { to: '/catalog', label: 'Catalog', icon: 'catalog', key: 't' },
      { to: '/discounts', label: 'Discounts', icon: 'discounts', key: 'm' },
      { to: '/projects', label: 'Projects', icon: 'projects', key: 'r' },
      { to: '/terminals', label: 'Terminals', icon: 'terminals', key: 'd' },
    ],
  },
  {
    title: 'Developers',
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
  {
    title: 'Account',
    places: [
      { to: '/settings', label: 'Settings', icon: 'settings', key: 's' },
      { to: '/notifications', label: 'Notifications', icon: 'notifications', key: 'n' },
      { to: '/audit', label: 'Audit log', icon: 'audit', key: 'a', isFor: ({ seeKeys }) => seeKeys },
    ],
  },
];
