import { type Principal, requireWriter } from '../../platform/access/principal.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { countViews, deleteView, hasNamesake, insertView } from './queries.ts';
import { MAX_VIEWS, requireName, requireQuery, type SavedView, savedViews } from './saved-view.ts';

type Terms = Pick<SavedView, 'list' | 'name' | 'query' | 'isShared'>;

/** Keeps a member's filters under a name. What others see, only a member who may change things shares. */
export async function saveView(tx: Tx, principal: Principal, terms: Terms, now: Date): Promise<SavedView> {
  const { merchantId } = principal;
  const memberId = principal.member!.id;
  if (terms.isShared) requireWriter(principal);
  requireName(terms.name);
  const query = requireQuery(terms.query);
  if ((await countViews(tx, merchantId, memberId)) >= BigInt(MAX_VIEWS))
    throw refusal(`A member has at most ${MAX_VIEWS} saved views; delete some first.`);
  const view: SavedView = { id: newId(now), merchantId, memberId, ...terms, query, createdAt: now };
  if (!(await insertView(tx, view))) throw namesake();
  return view;
}

export async function changeView(
  tx: Tx,
  principal: Principal,
  id: string,
  change: Partial<Pick<SavedView, 'name' | 'isShared'>>,
): Promise<SavedView> {
  if (change.name !== undefined) requireName(change.name);
  const before = await lockChangeable(tx, principal, id);
  const view = { ...before, ...change };
  if (view.isShared && !before.isShared) requireWriter(principal);
  if (await hasNamesake(tx, view)) throw namesake();
  await savedViews.store(tx, view, ['name', 'isShared']);
  return view;
}

export async function removeView(tx: Tx, principal: Principal, id: string): Promise<void> {
  await deleteView(tx, await lockChangeable(tx, principal, id));
}

/** One's own; an owner may also tidy up what others share. */
async function lockChangeable(tx: Tx, { merchantId, member }: Principal, id: string): Promise<SavedView> {
  const view = await savedViews.find(tx, { merchantId, id }, 'for update');
  const isOwn = view?.memberId === member!.id;
  if (!view || !(isOwn || view.isShared)) throw new AppError('NOT_FOUND');
  if (!isOwn && member!.role !== 'owner')
    throw new AppError('INSUFFICIENT_ROLE', {
      message: 'Only who saved a view, or an owner, can change or delete it.',
    });
  return view;
}

function namesake(): AppError {
  return refusal('You have a view of this name for this list.');
}

function refusal(message: string): AppError {
  return new AppError('INVALID_STATE', { message });
}
