import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Everything that waits, in the order in which it is served. */
function drain(turns: Turns<string>): string[] {
  const served = [];
  for (let item = turns.next(); item !== undefined; item = turns.next()) served.push(item);
  return served;
}

test('each name has one turn, however much another has added', () => {
  const turns = new Turns<string>();
  for (const name of ['flood', 'flood', 'flood', 'busy', 'busy', 'quiet']) turns.add([name], name);
  expect(turns.isEmpty).toBe(false);
  expect(drain(turns)).toEqual(['flood', 'busy', 'quiet', 'flood', 'busy', 'flood']);
  expect(turns.isEmpty).toBe(true);
});

test('parts of a name take their turns within its turns, however many there are', () => {
  const turns = new Turns<string>();
  for (let client = 0; client < 4; client++)
    for (let call = 0; call < 2; call++) turns.add(['A', `client ${client}`], `A${client}`);
  turns.add(['B', 'client 0'], 'B');
  turns.add(['C'], 'C');
  turns.add(['B', 'client 0'], 'B');
  expect(drain(turns)).toEqual(['A0', 'B', 'C', 'A1', 'B', 'A2', 'A3', 'A0', 'A1', 'A2', 'A3']);
});
