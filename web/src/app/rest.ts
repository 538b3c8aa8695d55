import { online } from './idle.ts';

/** One after the other, so that what a person asks for meanwhile comes first. One that fails is fetched again when it is needed. */
export async function fetchRest(): Promise<void> {
  for (const fetch of REST) {
    await online();
    await fetch().catch(() => {});
  }
}

const REST: readonly (() => Promise<unknown>)[] = [
  () => import('./button-menu.tsx'),
  () => import('../parts/form-dialog.tsx'),
  () => import('./step-up.tsx'),
  () => import('./sign-in-again.tsx'),
  () => import('../payments/payments-screen.tsx'),
  () => import('../payments/payment-screen.tsx'),
  () => import('../customers/customers-screen.tsx'),
  () => import('../invoices/invoices-screen.tsx'),
  () => import('../payment-links/payment-links-screen.tsx'),
  () => import('./shortcut-list.tsx'),
];
