/**
 * Answers that are odd and yet no error: what strangers may write into a transaction, what nodes of another version
 * or a proxy before them may add, and what is null in their histories. A caller that trips over one is blind.
 */
export const ODD_FORMS = [
  'nulText',
  'loneSurrogate',
  'longText',
  'longInstructions',
  'unknownFields',
  'deepNesting',
  'nullBlockTime',
  'hugeSlot',
  'hugeVersion',
] as const;

export type OddForm = (typeof ODD_FORMS)[number];

type Fields = Record<string, unknown>;

/** The result of getSignaturesForAddress or getTransaction made odd, for these signatures or for all; others stay. */
export function oddResult(
  form: OddForm,
  method: string,
  result: unknown,
  signatures?: readonly string[],
): unknown {
  if (method === 'getSignaturesForAddress' && Array.isArray(result))
    return result.map((entry: Fields) =>
      (signatures?.includes(entry.signature as string) ?? true) ? oddEntry(form, entry) : entry,
    );
  if (method === 'getTransaction' && result !== null) return oddTransaction(form, result as Fields);
  return result;
}

function oddEntry(form: OddForm, entry: Fields): Fields {
  const text = ODD_TEXTS[form];
  if (text !== undefined) return { ...entry, memo: `[${text.length}] ${text}` };
  return oddFields(form, entry);
}

function oddTransaction(form: OddForm, landed: Fields): Fields {
  const text = ODD_TEXTS[form];
  const meta = landed.meta as Fields;
  if (text !== undefined) {
    const lines = text.match(/[\s\S]{1,1000}/g)!.map((line) => `Program log: ${line}`);
    return { ...landed, meta: { ...meta, logMessages: [...(meta.logMessages as string[]), ...lines] } };
  }
  if (form === 'longInstructions')
    return { ...landed, meta: { ...meta, innerInstructions: longInstructions() } };
  if (form === 'hugeVersion') return { ...landed, version: 4_294_967_295 };
  return { ...oddFields(form, landed), meta: oddMeta(form, meta) };
}

/** Far more than the ten kilobytes that a node keeps of a transaction by default. */
const LONG_TEXT_CHARS = 1_000_000;

const ODD_TEXTS: Partial<Record<OddForm, string>> = {
  nulText: 'paid\0in full',
  loneSurrogate: 'half \ud83d of a face, \udc00 of none',
  longText: 'spam '.repeat(LONG_TEXT_CHARS / 5),
};

const MAX_CALLS = 63;
/** Ten kilobytes, the most that one program may hand to another, in base58. */
const CALL_CHARS = 13_984;

/** The most that a single transaction can say, at the price of a single fee. */
function longInstructions(): unknown {
  const data = 'z'.repeat(CALL_CHARS);
  const call = { programIdIndex: 0, accounts: [0], data, stackHeight: 2 };
  return [{ index: 0, instructions: Array(MAX_CALLS).fill(call) }];
}

function oddFields(form: OddForm, fields: Fields): Fields {
  switch (form) {
    case 'nullBlockTime':
      return { ...fields, blockTime: null };
    case 'hugeSlot':
      return { ...fields, slot: 2n ** 64n - 1n };
    case 'unknownFields':
    case 'deepNesting':
      return withAdded(form, fields);
    default:
      return fields;
  }
}

function oddMeta(form: OddForm, meta: Fields): Fields {
  return form === 'unknownFields' || form === 'deepNesting' ? withAdded(form, meta) : meta;
}

const NESTED_LEVELS = 1_000;

function withAdded(form: 'unknownFields' | 'deepNesting', fields: Fields): Fields {
  if (form === 'deepNesting') return { ...fields, extension: nested(NESTED_LEVELS) };
  const added = {
    ...fields,
    '': null,
    constructor: { name: 'Object' },
    toString: 'no function',
    extension: [null, true, 1.5e300, -1, 10n ** 60n, 'text', { cost: { units: 1 } }],
  };
  // Only so is it a property like any other, as it is in the JSON that comes of it.
  Object.defineProperty(added, '__proto__', { value: { slot: 1 }, enumerable: true });
  return added;
}

function nested(levels: number): unknown {
  let value: unknown = 0;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { deeper: value };
  return value;
}
