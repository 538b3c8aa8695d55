import { Fragment, type ReactNode } from 'react';

/** Mira Holm · Analytics Pro: without what there is none of, each in its own direction of writing. */
export function Dotted({ of }: { of: readonly ReactNode[] }) {
  const parts = of.filter((part) => part !== null && part !== undefined && part !== false && part !== '');
  return (
    <>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line keep their places.
        <Fragment key={at}>
          {at > 0 && ' · '}
          <bdi>{part}</bdi>
        </Fragment>
      ))}
    </>
  );
}
