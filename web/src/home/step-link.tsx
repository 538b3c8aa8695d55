import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link within the text of a step. */
export function StepLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={href} underline="always">
      {children}
    </Anchor>
  );
}
