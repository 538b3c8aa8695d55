import { locale } from './language.ts';

/** English sentence → the reader's. A sentence that counts has a form for each plural the language has. */
export type Words = Readonly<
  Record<string, string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> | undefined>
>;

declare global {
  /** Set by the script of a language, which runs before everything else; English needs none. */
  var florinWords: Words | undefined;
}

/** Names in braces: `{name}`. */
export type HolesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | HolesOf<Rest>
  : never;

type Filling = string | number | bigint;
type Given<Name extends string> = [Name] extends [never] ? [] : [Readonly<Record<Name, Filling>>];

/** A sentence in the reader's language: `t('Paid by {name}', { name })`. Always a literal: the word lists are made from them. */
export function t<Text extends string>(text: Text, ...[holes]: Given<HolesOf<Text>>): string {
  return fill(sentenceFor(text), holes);
}

/** Translates a word that means two things: `tc('state', 'Open')` is not `tc('action', 'Open')`. */
export function tc<Text extends string>(
  context: string,
  text: Text,
  ...[holes]: Given<HolesOf<Text>>
): string {
  const found = globalThis.florinWords?.[`${text} (${context})`];
  return fill(typeof found === 'string' ? found : text, holes);
}

const plurals = new Intl.PluralRules(locale);

/** A sentence that counts: `tn(days, '{count} day', '{count} days')`. */
export function tn<Text extends string>(
  count: Filling,
  one: string,
  other: Text,
  ...[holes]: Given<Exclude<HolesOf<Text>, 'count'>>
): string {
  const found = globalThis.florinWords?.[other];
  const form = plurals.select(Number(count));
  const text = typeof found === 'object' ? (found[form] ?? found.other!) : form === 'one' ? one : other;
  return fill(text, { ...holes, count: BigInt(count).toLocaleString(locale) });
}

/** The sentence with its holes. */
export function sentenceFor(text: string): string {
  const found = globalThis.florinWords?.[text];
  return typeof found === 'string' ? found : text;
}

/** Each hole is filled once: what is put in may contain braces of its own. */
function fill(text: string, holes: Readonly<Record<string, Filling>> | undefined): string {
  return holes === undefined
    ? text
    : text.replace(/\{(\w+)\}/g, (hole, name) => String(holes[name as string] ?? hole));
}
