import { t } from '../words/t.ts';
import { parseMoney } from './money.tsx';

/** The values of a form, read field by field; invalid amounts throw a readable error. */
export interface FormValues {
  /** Trimmed. */
  text(name: string): string;
  /** To the last blank, as passwords are. */
  exact(name: string): string;
  all(name: string): string[];
  /** Null when it was left empty. */
  optional(name: string): string | null;
  isOn(name: string): boolean;
  /** Cents. */
  money(name: string, label: string): bigint;
  optionalMoney(name: string, label: string): bigint | null;
  count(name: string, label: string): bigint;
  optionalCount(name: string, label: string): bigint | null;
  /** What is read otherwise than when the form opened: the rest may have been changed elsewhere meanwhile. */
  changed<Body extends object>(read: (values: FormValues) => Body): Partial<Body>;
}

export function formValues(element: HTMLFormElement, opening?: FormValues | null): FormValues {
  const form = new FormData(element);
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const optional = (name: string) => text(name) || null;
  const money = (name: string, label: string) => {
    const cents = parseMoney(text(name));
    if (cents === undefined) throw new Error(t('{label}: enter an amount such as 12 or 12.50.', { label }));
    return cents;
  };
  const count = (name: string, label: string) => {
    if (!/^\d{1,18}$/.test(text(name))) throw new Error(t('{label}: enter a whole number.', { label }));
    return BigInt(text(name));
  };
  const values: FormValues = {
    text,
    exact: (name) => String(form.get(name) ?? ''),
    all: (name) => form.getAll(name).map(String),
    optional,
    isOn: (name) => form.get(name) !== null,
    money,
    optionalMoney: (name, label) => (optional(name) === null ? null : money(name, label)),
    count,
    optionalCount: (name, label) => (optional(name) === null ? null : count(name, label)),
    changed: (read) => (opening ? differenceOf(read(opening), read(values)) : read(values)),
  };
  return values;
}

function differenceOf<Body extends object>(before: Body, now: Body): Partial<Body> {
  const was = new Map(Object.entries(before));
  const changed = Object.entries(now).filter(([name, value]) => textOf(value) !== textOf(was.get(name)));
  return Object.fromEntries(changed) as Partial<Body>;
}

const textOf = (value: unknown) =>
  JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? String(each) : each));
