import { type ReactNode, Suspense, useEffect, useState } from 'react';

interface OnceNeededProps {
  isNeeded: boolean;
  children(isOpen: boolean): ReactNode;
}

/** A dialog whose script is fetched when it is first needed. From then on it stays, to fade when it closes. */
export function OnceNeeded({ isNeeded, children }: OnceNeededProps) {
  const [wasNeeded, setWasNeeded] = useState(isNeeded);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  return (
    wasNeeded && (
      <Suspense>
        <Opening isNeeded={isNeeded}>{children}</Opening>
      </Suspense>
    )
  );
}

/** First closed, then open: a dialog notes where the focus was, and gives it back, only if it has seen itself opening. */
function Opening({ isNeeded, children }: OnceNeededProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(isNeeded), [isNeeded]);
  return children(isOpen);
}
