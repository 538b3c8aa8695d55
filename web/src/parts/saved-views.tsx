import type { SavedView } from '@florin/sdk';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import type { Search } from '../app/search.ts';
import { useCan, useSession } from '../app/session.ts';
import { t, tc } from '../words/t.ts';
import { ActionDialogButton } from './action-dialog-button.tsx';
import type { Filter } from './list-filters.tsx';
import styles from './saved-views.module.css';
import { useAddressSearch } from './use-search.ts';

/** Filters of this list that were saved under a name, as tabs; and a way to save what is filtered now. */
export function SavedViews({ list, filters }: { list: SavedView['list']; filters: readonly Filter[] }) {
  const [search, change] = useAddressSearch();
  const { data = [] } = useQuery({
    queryKey: ['saved-views'],
    queryFn: () => florin.dashboard.listSavedViews(),
  });
  const views = data.filter((view) => view.list === list);
  const now = queryOf(search, filters);
  const shown = views.find(({ query }) => query === now);
  if (views.length === 0 && now === '') return null;
  const open = (query: string) => change({ ...emptyOf(filters), ...searchOf(query) }, true);
  return (
    <nav className={styles.views} aria-label={t('Saved views')}>
      {views.length > 0 && <Tab name={tc('views', 'All')} isShown={now === ''} onOpen={() => open('')} />}
      {views.map((view) => (
        <Tab key={view.id} name={view.name} isShown={view === shown} onOpen={() => open(view.query)} />
      ))}
      {shown ? (
        <Manage view={shown} onGone={() => open('')} />
      ) : (
        now !== '' && <Save list={list} query={now} />
      )}
    </nav>
  );
}

function Tab({ name, isShown, onOpen }: { name: string; isShown: boolean; onOpen(): void }) {
  return (
    <Button
      variant={isShown ? 'light' : 'subtle'}
      size="compact-sm"
      aria-current={isShown ? 'page' : undefined}
      onClick={onOpen}
    >
      {name}
    </Button>
  );
}

const REFRESH = ['saved-views'];
const SMALL = { variant: 'default', size: 'compact-xs' } as const;

function Save({ list, query }: { list: SavedView['list']; query: string }) {
  const can = useCan();
  return (
    <ActionDialogButton
      label={t('Save this view')}
      submit={t('Save')}
      button={SMALL}
      action={{
        run: (given) =>
          florin.dashboard.saveView({
            ...{ list, query, name: given.text('name') },
            isShared: given.isOn('isShared'),
          }),
        refresh: REFRESH,
      }}
    >
      <NameField />
      {can.change && <Checkbox name="isShared" label={t('Share with the team')} />}
    </ActionDialogButton>
  );
}

function NameField({ name }: { name?: string }) {
  return (
    <TextInput label={t('Name')} name="name" defaultValue={name} maxLength={60} required data-autofocus />
  );
}

/** One's own, and for owners what others share. */
function Manage({ view, onGone }: { view: SavedView; onGone(): void }) {
  const can = useCan();
  const { member } = useSession();
  if (!view.isOwn && member.role !== 'owner') return null;
  return (
    <>
      <ActionDialogButton
        label={t('Rename view')}
        submit={t('Save')}
        button={SMALL}
        action={{
          run: (given) =>
            florin.dashboard.updateSavedView(view.id, {
              name: given.text('name'),
              ...(can.change && { isShared: given.isOn('isShared') }),
            }),
          refresh: REFRESH,
        }}
      >
        <NameField name={view.name} />
        {can.change && (
          <Checkbox name="isShared" label={t('Share with the team')} defaultChecked={view.isShared} />
        )}
      </ActionDialogButton>
      <ActionDialogButton
        label={t('Delete view')}
        submit={t('Delete')}
        isDangerous
        button={SMALL}
        explanation={
          view.isShared ? t('Your team no longer sees it either.') : t('The list itself stays as it is.')
        }
        action={{ run: () => florin.dashboard.deleteSavedView(view.id), refresh: REFRESH, onDone: onGone }}
      />
    </>
  );
}

/** The filters that are set, always in the order of their names, so that equal ones are equal texts. */
function queryOf(search: Search, filters: readonly Filter[]): string {
  const parameters = filters
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => [search[name] ?? []].flat().map((value) => [name, value] as [string, string]));
  return new URLSearchParams(parameters).toString();
}

function searchOf(query: string): Record<string, string | string[]> {
  const all = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(all.keys())].map((name) => {
      const values = all.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

function emptyOf(filters: readonly Filter[]): Record<string, undefined> {
  return Object.fromEntries(filters.map(({ name }) => [name, undefined]));
}
