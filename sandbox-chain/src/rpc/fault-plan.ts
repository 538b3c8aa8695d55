import type { Json } from '../encoding/json.ts';
import type { FaultKind, FaultPlan, FaultRule } from './faults.ts';
import { ODD_FORMS, type OddForm } from './odd-answers.ts';
import { invalidParams } from './rpc-error.ts';

type Check = (value: Json) => boolean;

const isCount: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isShare: Check = (value) => typeof value === 'number' && value >= 0 && value <= 1;
const isText: Check = (value) => typeof value === 'string';
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isInteger: Check = (value) => typeof value === 'number' && Number.isInteger(value);
const isShape: Check = (value) =>
  ['notJson', 'truncated', 'wrongShape', 'nullResult', 'emptyBody'].includes(value as string);
const isFilter: Check = (value) => value === 'before' || value === 'until';
const isOddForm: Check = (value) => ODD_FORMS.includes(value as OddForm);

/** The fields of every rule, and of each kind: those marked true must be there. */
const common: Record<string, Check> = { methods: isTexts, chance: isShare, after: isCount, times: isCount };
const kinds: Record<FaultKind, Record<string, [check: Check, required?: true]>> = {
  rateLimit: { retryAfterSeconds: [isCount] },
  httpError: { status: [isCount] },
  cutConnection: {},
  rpcError: { code: [isInteger], message: [isText] },
  garbage: { shape: [isShape, true] },
  latency: { ms: [isCount, true] },
  hang: {},
  lag: { slots: [isCount, true] },
  pruned: { slots: [isCount, true] },
  lateArchive: { slots: [isCount, true], keptSlots: [isCount] },
  unknownFilter: { filter: [isFilter] },
  silence: {},
  hideSignatures: { signatures: [isTexts], share: [isShare] },
  repeatSignatures: { share: [isShare] },
  reverseOrder: {},
  ignoreUntil: {},
  shortPage: { max: [isCount, true] },
  missingTransaction: { signatures: [isTexts] },
  odd: { form: [isOddForm, true], signatures: [isTexts] },
  dropWebSocket: {},
  loseNotification: {},
  repeatNotification: {},
};

export const FAULT_KINDS = Object.keys(kinds);

/** A plan from another process. A misspelt switch is an error, not a test that passes because nothing broke. */
export function readFaultPlan(value: Json | undefined): FaultPlan {
  const plan = toObject(value, 'a fault plan');
  const { seed = 1, rules = [], ...unknown } = plan;
  for (const key of Object.keys(unknown)) throw invalidParams(`a fault plan has no "${key}"`);
  if (!isInteger(seed)) throw invalidParams('seed must be an integer');
  if (!Array.isArray(rules)) throw invalidParams('rules must be an array');
  return { seed: seed as number, rules: rules.map(readRule) };
}

function readRule(value: Json): FaultRule {
  const { kind, ...fields } = toObject(value, 'a fault rule');
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind))
    throw invalidParams(`there is no fault of kind ${JSON.stringify(kind)}`);
  const own = kinds[kind as FaultKind];
  for (const [key, field] of Object.entries(fields)) {
    const check = common[key] ?? own[key]?.[0];
    if (!check?.(field)) throw invalidParams(`a fault of kind ${kind} cannot have this ${key}`);
  }
  for (const [key, [, required]] of Object.entries(own))
    if (required && fields[key] === undefined) throw invalidParams(`a fault of kind ${kind} needs ${key}`);
  return { kind, ...fields } as FaultRule;
}

function toObject(value: Json | undefined, what: string): { [key: string]: Json } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidParams(`${what} must be an object`);
  return value;
}
