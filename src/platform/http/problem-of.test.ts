import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { problemOf } from './problem-of.ts';

const ajv = new Ajv2020({ strict: false, verbose: true });

test.each([
  [{ minLength: 2, maxLength: 2 }, 'DEU', 'must be 2 characters'],
  [{ minLength: 1, maxLength: 1 }, 'DE', 'must be 1 character'],
  [{ minLength: 1, maxLength: 5 }, '', 'must be 1 to 5 characters'],
  [{ maxLength: 1 }, 'DE', 'must be at most 1 character'],
  [{ maxLength: 5 }, 'German', 'must be at most 5 characters'],
  [{ minLength: 1 }, '', 'must not be empty'],
  [{ minLength: 3 }, 'DE', 'must be at least 3 characters'],
  [{ minItems: 1 }, [], 'must not be empty'],
  [{ minItems: 2 }, [1], 'must have at least 2 items'],
  [{ maxItems: 1 }, [1, 2], 'must have at most 1 item'],
  [{ maxItems: 2 }, [1, 2, 3], 'must have at most 2 items'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 property'],
])('%o of %o: %s', (schema, value, problem) => {
  const check = ajv.compile(schema);
  expect(check(value)).toBe(false);
  expect(problemOf(check.errors![0]!)).toBe(problem);
});
