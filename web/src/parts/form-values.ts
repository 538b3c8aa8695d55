import { t } from '../words/t.ts';
import { requireMoney } from './money.tsx';
import { typedFigures } from './typed-figures.ts';

/** The values of a form, read field by field; invalid amounts throw a readable error. */
export interface FormValues {
  /** Trimmed. */
  text(name: string): string;
  /** Trimmed, with the digits of any script as 0 to 9. */
  figures(name: string): string;
  /** Returns a value to the last blank, as passwords are. */
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
  /**
   * Returns values that differ from those at the opening of the form: others may have been changed elsewhere
   * meanwhile.
   */
  changed<Body extends object>(read: (values: FormValues) => Body): Partial<Body>;
}

export function formValues(element: HTMLFormElement, opening?: FormValues | null): FormValues {
  const form = new FormData(element);
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const optional = (name: string) => text(name) || null;
  const figures = (name: string) => typedFigures(text(name));
  const money = (name: string, label: string) => requireMoney(label, text(name));
  const count = (name: string, label: string) => {
    if (!/^\d{1,18}$/.test(figures(name))) throw new Error(t('{label}: enter a whole number.', { label }));
    return BigInt(figures(name));
  };
  const values: FormValues = {
    text,
    figures,
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
