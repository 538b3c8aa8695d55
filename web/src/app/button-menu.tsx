import { Menu } from '@mantine/core';
import { cloneElement, useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { LateMenuProps } from './late-menu.tsx';

/** Opens as soon as it is here. It takes the place of the button that was pressed, and its focus unless that has moved on. */
export default function ButtonMenu({ button, width, heading, items }: LateMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) target.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu
      position="bottom-end"
      width={width}
      withInitialFocusPlaceholder={false}
      opened={isOpen}
      onChange={setOpen}
    >
      <Menu.Target>{cloneElement(button, { ref: target })}</Menu.Target>
      <Menu.Dropdown>
        {heading && <Menu.Label>{heading}</Menu.Label>}
        {items().map(({ label, icon, run }) => (
          <Menu.Item key={label} leftSection={icon && <Icon name={icon} />} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
