import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type SubmitEvent, useRef, useState } from 'react';
import { startOfDay } from '../app/time-zone.ts';
import { t, tc } from '../words/t.ts';
import styles from './list-filters.module.css';
import { moneyText, plainMoney, readPlainMoney, requireMoney } from './money-text.ts';
import { words } from './status.tsx';
import { firstOf, useAddressSearch } from './use-search.ts';

export type Filter =
  | {
      kind: 'choice';
      name: string;
      label: string;
      options: readonly string[];
      /** Words for options that are not words themselves. */
      labels?: Readonly<Record<string, string>>;
      /** Label while nothing is chosen, if that is none of the options. */
      none?: string;
    }
  | { kind: 'text'; name: string; label: string; placeholder?: string }
  | { kind: 'date'; name: string; label: string }
  /** Typed as the reader's language writes it, in the address as every language reads it. */
  | { kind: 'money'; name: string; label: string };

/** Filters that live in the address. A text counts when it is sent or left. */
export function ListFilters({ filters }: { filters: readonly Filter[] }) {
  const [search, change] = useAddressSearch();
  const isFiltered = filters.some(({ name }) => search[name] !== undefined);
  const [isOpen, setOpen] = useState(isFiltered);
  return (
    <>
      <Button
        hiddenFrom="sm"
        variant="default"
        size="xs"
        mb="sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? t('Hide filters') : t('Filters')}
      </Button>
      <Group gap="xs" align="end" mb="sm" className={styles.filters} data-open={isOpen}>
        {filters.map((filter) => (
          <Field
            key={`${filter.name}=${firstOf(search[filter.name]) ?? ''}`}
            filter={filter}
            value={firstOf(search[filter.name]) ?? ''}
            onChange={(value) => change({ [filter.name]: value || undefined })}
          />
        ))}
        {isFiltered && (
          <Button
            variant="subtle"
            size="xs"
            onClick={() => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
          >
            {t('Clear')}
          </Button>
        )}
      </Group>
    </>
  );
}

interface FieldProps {
  filter: Filter;
  value: string;
  onChange(value: string): void;
}

function Field({ filter, value, onChange }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState(() => problemOf(filter, value));
  if (filter.kind === 'choice') {
    return (
      <NativeSelect
        size="xs"
        label={filter.label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          { value: '', label: filter.none ?? t('Any') },
          ...filter.options.map((option) => ({
            value: option,
            label: filter.labels?.[option] ?? words(option),
          })),
        ]}
      />
    );
  }
  const { shown, read } = writingOf(filter);
  const send = (event?: SubmitEvent<HTMLFormElement>) => {
    event?.preventDefault();
    try {
      const text = read(input.current?.value.trim() ?? '');
      setProblem(undefined);
      if (text !== value) onChange(text);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form onSubmit={send}>
      <TextInput
        ref={input}
        size="xs"
        type={filter.kind === 'date' ? 'date' : 'text'}
        label={filter.label}
        defaultValue={shown(value)}
        placeholder={placeholderOf(filter)}
        error={problem}
        onBlur={() => send()}
      />
    </form>
  );
}

/** Converts a filter's value between the address and the screen. */
function writingOf({ kind, label }: Filter) {
  const asItIs = (text: string) => text;
  if (kind !== 'money') return { shown: asItIs, read: asItIs };
  return {
    shown: (text: string) => {
      const cents = readPlainMoney(text);
      return cents === undefined ? text : moneyText(cents);
    },
    read: (text: string) => (text === '' ? '' : plainMoney(requireMoney(label, text))),
  };
}

function problemOf({ kind, label }: Filter, value: string): string | undefined {
  const isWrong = kind === 'money' && value !== '' && readPlainMoney(value) === undefined;
  return isWrong ? t('{label}: enter an amount such as 12 or 12.50.', { label }) : undefined;
}

function placeholderOf(filter: Filter): string | undefined {
  if (filter.kind === 'money') return moneyText(1250);
  return filter.kind === 'text' ? filter.placeholder : undefined;
}

/** An amount in an address that is none finds nothing: the field says why. */
export const centsIn = (text: string | undefined) =>
  text === undefined ? undefined : (readPlainMoney(text) ?? -1n);

/** Returns the range as whole days of the merchant's time zone, as a list query expects them. */
export function createdRange(search: Record<string, string | string[]>): {
  createdFrom?: Date;
  createdTo?: Date;
} {
  const from = startOfDay(firstOf(search.from));
  const to = startOfDay(firstOf(search.to), 1);
  return { ...(from && { createdFrom: from }), ...(to && { createdTo: to }) };
}

export const DATE_FILTERS: readonly Filter[] = [
  { kind: 'date', name: 'from', label: tc('time span', 'From') },
  { kind: 'date', name: 'to', label: tc('time span', 'To') },
];
