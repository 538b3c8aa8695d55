import type { SearchResult } from '@florin/sdk';
import { Kbd, Loader, Paper } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { KIND_NAMES } from '../exceptions/kinds.ts';
import { Icon } from '../parts/icon.tsx';
import { moneyText, wantedText } from '../parts/money-text.ts';
import { PlainInput } from '../parts/plain-field.tsx';
import { Status } from '../parts/status.tsx';
import { t } from '../words/t.ts';
import { florin, messageOf } from './florin.ts';
import { addressOf, inGroups } from './found.ts';
import styles from './search-box.module.css';

const PAUSE_MS = 120;

/** Finds anything while it is typed: arrows choose, Enter opens. */
export function SearchBox() {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const { found, error, isCurrent } = useFound(text);
  const navigate = useNavigate();
  const listId = useId();

  const open = (one: SearchResult) => {
    const { to, search = {} } = addressOf(one);
    void navigate({ to, search: search as never });
    setText('');
    setOpen(false);
  };
  const [isEager, openFirst] = useEager(isCurrent, () => found[0] && open(found[0]));
  const type = (typed: string) => {
    setText(typed);
    setChosen(0);
    setOpen(true);
    openFirst(false);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) setChosen((chosen + step + found.length) % found.length);
    else if (event.key === 'Enter' && isCurrent) found[chosen] && open(found[chosen]);
    else if (event.key === 'Enter') openFirst(text.trim() !== '');
    else return;
    event.preventDefault();
  };

  const isShown = isOpen && text.trim() !== '' && (isCurrent || found.length > 0);
  return (
    <search className={styles.box}>
      <PlainInput
        role="combobox"
        aria-label={t('Search')}
        aria-expanded={isShown}
        aria-autocomplete="list"
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={isShown && found[chosen] ? listId + found[chosen].id : undefined}
        placeholder={t('Order, e-mail, amount, transaction …')}
        before={<Icon name="search" />}
        after={isEager || (text !== '' && !isCurrent) ? <Loader size={12} /> : <Kbd size="xs">/</Kbd>}
        data-search
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      {isShown && (
        <Paper className={styles.dropdown} shadow="md" withBorder>
          <Found listId={listId} found={found} chosen={found[chosen]} open={open} />
          {found.length === 0 && <p role="status">{error ? messageOf(error) : NOTHING_FOUND}</p>}
        </Paper>
      )}
    </search>
  );
}

const NOTHING_FOUND = t(
  'No results. Part of an order, name or number is enough; references and transactions must be complete.',
);

/** Enter before the answer arrives opens its first result. */
function useEager(isCurrent: boolean, run: () => void): [isEager: boolean, set: (isEager: boolean) => void] {
  const [isEager, setEager] = useState(false);
  const arrive = useEffectEvent(() => {
    if (isEager) run();
    setEager(false);
  });
  useEffect(() => {
    if (isCurrent) arrive();
  }, [isCurrent]);
  return [isEager, setEager];
}

interface FoundProps {
  listId: string;
  found: readonly SearchResult[];
  chosen: SearchResult | undefined;
  open(one: SearchResult): void;
}

function Found({ listId, found, chosen, open }: FoundProps) {
  return (
    <div role="listbox" id={listId} aria-label={t('Search results')} className={styles.options}>
      {inGroups(found).map(([label, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox.
        <div key={label} role="group" aria-label={label}>
          <div className={styles.kind} aria-hidden>
            {label}
          </div>
          {members.map((one) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
            <div
              key={one.id}
              role="option"
              id={listId + one.id}
              aria-selected={one === chosen}
              ref={one === chosen ? scrollTo : undefined}
              className={styles.option}
              // Pressing would take the focus from the field, which closes the list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => open(one)}
            >
              <Line found={one} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

function Line({ found: { type, id, title, detail, status, amountCents } }: { found: SearchResult }) {
  const name =
    type === 'exception' ? KIND_NAMES[title as keyof typeof KIND_NAMES] : (title ?? `${id.slice(0, 8)}…`);
  return (
    <>
      <span className={styles.name}>{name}</span>
      <span className={styles.detail}>{detail !== title && detail}</span>
      {amountCents !== null && <span className="money">{moneyText(amountCents)}</span>}
      {status && <Status of={status} />}
    </>
  );
}

/** The results of the text. While a longer text is loading, the previous results stay. */
function useFound(text: string) {
  const wanted = text.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['search', asked],
    queryFn: () => florin.search.find({ q: wantedText(asked) }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = wanted !== '' && wanted === asked && !isPlaceholderData && !isFetching;
  const found = wanted === '' ? [] : inGroups(data?.data ?? []).flatMap(([, members]) => members);
  return { found, error, isCurrent };
}
