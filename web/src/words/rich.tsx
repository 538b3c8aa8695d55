import { Fragment, type ReactNode } from 'react';
import { type HolesOf, sentenceFor } from './t.ts';

/** A sentence with elements in it: `<T of="Read {guide} first." guide={<a …>the guide</a>} />`. */
export function T<Text extends string>({
  of,
  ...holes
}: { of: Text } & Readonly<Record<HolesOf<Text>, ReactNode>>): ReactNode {
  const given = holes as Readonly<Record<string, ReactNode>>;
  return sentenceFor(of)
    .split(/\{(\w+)\}/)
    .map((part, at) => <Fragment key={at.toString()}>{at % 2 === 1 ? given[part] : part}</Fragment>);
}
