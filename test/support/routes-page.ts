import type { RouteDescription } from '../../src/platform/http/route.ts';

/**
 * src/routes.txt: what each route's declaration says about who may call it and how, one line a route, to be read when it
 * changes. Lines stay where they are, because the client has its methods in this order; a new one follows the last of
 * its resource.
 */
export function routesPage(routes: readonly RouteDescription[], page: string): string {
  const cells = new Map(routes.map((route) => [route.id, cellsOf(route)]));
  for (const { id } of routes) if (isTwin(id, cells)) cells.delete(id);
  const ids = page.split('\n').map((line) => line.split(/ {2,}/)[1]!);
  const kept = ids.filter((id) => cells.has(id));
  const order = kept.map((id) => cells.get(id)!);
  for (const [id, row] of cells) if (!kept.includes(id)) order.splice(placeOf(row, order), 0, row);
  return `${HEAD}${order.map(lineOf).join('')}`;
}

const HEAD = `# Every route, as it is declared: written by npm run openapi, read by the client's generator and the command line.
# Read what changes here: who may call it, with which scopes and roles, and what AI assistants may do with it.
#
`;

const WIDTHS = [64, 29, 34, 30, 25, 6, 8, 10];

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0)).join('  ')}\n`;
}

function placeOf([, , name]: readonly string[], rows: readonly string[][]): number {
  const resource = `${name!.split('.')[0]}.`;
  const last = rows.findLastIndex((row) => row[2]!.startsWith(resource));
  return last === -1 ? rows.length : last + 1;
}

/** Version 1 of an operation has no line: it is the same as version 2, or a line of its own shows that it is not. */
function isTwin(id: string, rows: ReadonlyMap<string, readonly string[]>): boolean {
  const [call, , ...said] = rows.get(id)!;
  const [secondCall, , ...saidBySecond] = rows.get(id.replace(/V1$/, '')) ?? [];
  return (
    secondCall?.replace('/api/v2/', '/api/') === call &&
    call !== secondCall &&
    said.join() === saidBySecond.join()
  );
}

function cellsOf(route: RouteDescription): string[] {
  const { method, path, id, sdk, errors } = route;
  return [
    `${method} ${path}`,
    id,
    sdk!,
    callersOf(route),
    membersOf(route),
    proofOf(route),
    errors.includes('MERCHANT_NOT_VERIFIED') ? 'verified' : '–',
    repeatOf(route),
    assistantOf(route),
  ];
}

function callersOf({ scopes, keyless, dashboard, portal }: RouteDescription): string {
  if (dashboard) return 'members';
  if (portal) return 'customers';
  if (!scopes) return 'anybody';
  const needed = scopes.length === 4 ? 'all scopes' : scopes.join(' ') || 'any key';
  return keyless ? `${needed} or anybody` : needed;
}

function membersOf({ members }: RouteDescription): string {
  return members ? members.roles.map((role) => `${role}s`).join(' ') : '–';
}

/** True if a member must have proved just now who they are. */
function proofOf({ members, errors }: RouteDescription): string {
  if (members?.stepUp) return 'proof';
  return errors.includes('STEP_UP_REQUIRED') ? 'proof for some bodies' : '–';
}

function repeatOf({ idempotency, repeatable }: RouteDescription): string {
  if (idempotency) return `key: ${idempotency}`;
  return repeatable ? 'repeatable' : '–';
}

function assistantOf({ assistant }: RouteDescription): string {
  if (assistant === undefined) return '–';
  if (typeof assistant === 'string') return assistant;
  if ('withheld' in assistant) return `withheld: ${assistant.withheld}`;
  const { refused = [], refusedWith = {}, destructive, note, storedAs } = assistant.write;
  const rules = [
    ...(destructive ? ['destructive'] : []),
    ...(storedAs ? [`stored as ${storedAs}`] : []),
    ...(refused.length > 0 ? [`not ${refused.join(', ')}`] : []),
    ...Object.entries(refusedWith).map(([field, others]) => `not ${field} with ${others.join(' or ')}`),
    ...(note ? [note] : []),
  ];
  return `write: ${rules.join('; ')}`;
}
