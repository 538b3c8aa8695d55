import { cloneElement, lazy, type ReactElement, type ReactNode, useState, useTransition } from 'react';
import type { IconName } from '../parts/icon.tsx';

const ButtonMenu = lazy(() => import('./button-menu.tsx'));

export interface LateMenuProps {
  button: ReactElement<Record<string, unknown>>;
  width: number;
  /** Above the items. */
  heading?: ReactNode;
  items: () => readonly MenuItem[];
}

export interface MenuItem {
  label: string;
  icon?: IconName;
  run(): void;
}

/**
 * A button with a menu, whose script is fetched when the button is first pressed: what places a menu is large. Until
 * it is here the button stays, with its focus.
 */
export function LateMenu(props: LateMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const [isOnItsWay, begin] = useTransition();
  if (isWanted) return <ButtonMenu {...props} />;
  return cloneElement(props.button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    'aria-busy': isOnItsWay,
    onClick: () => begin(() => setWanted(true)),
  });
}
