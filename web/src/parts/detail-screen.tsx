import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { codeOf } from '../app/florin.ts';
import { t } from '../words/t.ts';
import styles from './detail-screen.module.css';
import { Icon } from './icon.tsx';
import { ScreenTitle } from './screen-title.tsx';
import { Empty, Failed, Loading } from './states.tsx';

export interface DetailScreenProps<Item> {
  /** The first part of its key: what live updates call it. */
  name: string;
  load(id: string): Promise<Item>;
  /** List that the screen leads back to. */
  back: { to: string; label: string };
  title(item: Item): string;
  /** Customer, item or amount: facts that the title does not contain. */
  subtitle?(item: Item): ReactNode;
  badge?(item: Item): ReactNode;
  actions?(item: Item): ReactNode;
  /** Sections with its facts and its history. */
  children(item: Item): ReactNode;
  /** Facts about it: beside the rest, or below where there is no room. */
  aside?(item: Item): ReactNode;
  refetchInterval?: number;
  /** Shown instead of an object that is not found. */
  missing?(id: string): ReactNode;
}

/** One thing, by the id in the address. */
export function DetailScreen<Item>(props: DetailScreenProps<Item>) {
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useQuery({
    queryKey: [props.name, 'one', id],
    queryFn: () => props.load(id),
    refetchInterval: props.refetchInterval,
  });
  return (
    <>
      <Anchor component={Link} to={props.back.to} size="sm" className={styles.back}>
        <Icon name="back" size={14} /> {props.back.label}
      </Anchor>
      {data !== undefined ? (
        <>
          <ScreenTitle
            title={props.title(data)}
            subtitle={props.subtitle?.(data)}
            badge={props.badge?.(data)}
          >
            {props.actions?.(data)}
          </ScreenTitle>
          {props.aside ? (
            <div className={styles.columns}>
              <div>{props.children(data)}</div>
              <div>{props.aside(data)}</div>
            </div>
          ) : (
            props.children(data)
          )}
        </>
      ) : codeOf(error) === 'NOT_FOUND' ? (
        (props.missing?.(id) ?? <NotFound />)
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </>
  );
}

export function NotFound() {
  return (
    <Empty title={t('Page not found')}>{t('The link may be wrong, or this may have been deleted.')}</Empty>
  );
}

export type Fact = readonly [label: string, value: ReactNode];

/** List of facts by name. Facts without a value are left out. */
export function Facts({ of }: { of: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Sums under a table, below its amounts. */
export function Totals({ of }: { of: readonly Fact[] }) {
  return (
    <div className={styles.totals}>
      <Facts of={of} />
    </div>
  );
}

export function Section({
  title,
  children,
  actions,
}: {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
