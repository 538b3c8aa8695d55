/**
 * JSON without loss: integers keep every digit (a number when it is safe, a bigint otherwise), a repeated
 * key is an error instead of a silent overwrite, and text the database cannot hold (NUL, half a surrogate
 * pair) is refused where it is read.
 */
export class JsonError extends Error {}

export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

const MAX_DEPTH = 32;

export function parseJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new JsonError(`is nested deeper than ${MAX_DEPTH} levels`);
    this.#space();
    const code = this.#text.charCodeAt(this.#at);
    if (code === QUOTE) return this.#string();
    if (code === OPEN_BRACE) return this.#object(depth);
    if (code === OPEN_BRACKET) return this.#array(depth);
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number();
    if (this.#word('true')) return true;
    if (this.#word('false')) return false;
    if (this.#word('null')) return null;
    throw this.#unexpected();
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected();
  }

  #object(depth: number): Json {
    const object: { [key: string]: Json } = {};
    this.#at++;
    this.#space();
    if (this.#take(CLOSE_BRACE)) return object;
    for (;;) {
      this.#space();
      if (this.#text.charCodeAt(this.#at) !== QUOTE) throw this.#unexpected();
      const key = this.#string();
      if (Object.hasOwn(object, key)) throw new JsonError(`has the key "${shorten(key)}" twice`);
      this.#space();
      if (!this.#take(COLON)) throw this.#unexpected();
      const value = this.value(depth + 1);
      if (key === '__proto__') {
        // Plain assignment would set the prototype and hide the property from validation.
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      } else object[key] = value;
      this.#space();
      if (this.#take(COMMA)) continue;
      if (this.#take(CLOSE_BRACE)) return object;
      throw this.#unexpected();
    }
  }

  #array(depth: number): Json {
    const array: Json[] = [];
    this.#at++;
    this.#space();
    if (this.#take(CLOSE_BRACKET)) return array;
    for (;;) {
      array.push(this.value(depth + 1));
      this.#space();
      if (this.#take(COMMA)) continue;
      if (this.#take(CLOSE_BRACKET)) return array;
      throw this.#unexpected();
    }
  }

  #string(): string {
    const start = this.#at + 1;
    let escaped = false;
    for (let at = start; ; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        const raw = this.#text.slice(start, at);
        // JSON.parse knows every escape; it is only used where there is one.
        return checked(escaped ? this.#unescape(raw) : raw);
      }
      if (code === BACKSLASH) {
        escaped = true;
        at++;
      } else if (!(code >= 0x20)) {
        this.#at = at;
        throw this.#unexpected();
      }
    }
  }

  #unescape(raw: string): string {
    try {
      return JSON.parse(`"${raw}"`) as string;
    } catch {
      throw new JsonError('is not valid JSON: bad escape in a string');
    }
  }

  #number(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (!match) throw this.#unexpected();
    this.#at = NUMBER.lastIndex;
    const [token, fraction, exponent] = match;
    return fraction === undefined && exponent === undefined ? integer(token) : decimal(token);
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #unexpected(): JsonError {
    if (this.#at >= this.#text.length) return new JsonError('is not valid JSON: it ends too early');
    return new JsonError(`is not valid JSON: unexpected character at position ${this.#at}`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

function checked(text: string): string {
  if (text.includes('\0')) throw new JsonError('has a NUL character in a string');
  if (!text.isWellFormed()) throw new JsonError('has half a surrogate pair in a string');
  return text;
}

/** More digits than any field takes; also keeps a hostile megadigit integer from costing quadratic time. */
const MAX_DIGITS = 40;

function integer(token: string): number | bigint {
  if (token.length < 16) return Number(token);
  if (token.length > MAX_DIGITS) throw new JsonError(`has a number of more than ${MAX_DIGITS} digits`);
  const exact = BigInt(token);
  const number = Number(token);
  return Number.isSafeInteger(number) ? number : exact;
}

/**
 * 1.0 and 1e2 are integers too: they are kept exactly if they are, as a double if not. A fraction so fine that a
 * double rounds it to an integer is refused, or half a cent would become a whole one.
 */
function decimal(token: string): number | bigint {
  const number = Number(token);
  if (!Number.isFinite(number)) throw new JsonError('has a number out of range');
  if (!Number.isInteger(number)) return number;
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const end = endWithoutZeros(digits);
  if (end === 0 || digits[end - 1] === '-') return number;
  const zeros = Number(exponent) - fraction.length + (digits.length - end);
  if (zeros < 0) throw new JsonError('has a number with more digits than can be kept');
  if (Number.isSafeInteger(number) || end + zeros > MAX_DIGITS) return number;
  return BigInt(digits.slice(0, end) + '0'.repeat(zeros));
}

/** Searched from the end: a pattern would restart at each of a megabyte of zeros, and take minutes. */
function endWithoutZeros(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  return end;
}

function shorten(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}

/** Exact digits out: bigint as a plain integer, everything else as JSON.stringify would. */
export function stringifyJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item) => (typeof item === 'bigint' ? rawJson(item.toString()) : item),
    indent,
  );
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** One text for equal values: keys sorted, no white space. Two bodies are the same when this is. */
export function canonicalJson(value: Json | Date | undefined): string {
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`).join(',')}}`;
  }
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
