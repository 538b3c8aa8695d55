import { expect } from 'vitest';
import { SoftAuthenticator } from '../../test/support/authenticator.ts';
import type { DashboardSession, Florin, FlorinOptions } from '../src/florin.ts';
import { type CookieClient, cookieClient } from './cookie-client.ts';

type NewClient = (options: Partial<FlorinOptions>) => Florin;

const PASSWORD = 'correct horse battery staple';
const tokenIn = ({ url }: { url: string }) => url.split('/').pop()!;

/** Somebody at a browser of their own, once `enter` has signed them in. */
async function visit(
  client: NewClient,
  enter: (florin: Florin) => Promise<DashboardSession>,
): Promise<CookieClient> {
  const browser = cookieClient(client);
  browser.csrfToken = (await enter(browser.florin)).csrfToken;
  return browser;
}

/** The first owner, from the operator's link on: their account and what only they may do for the merchant. */
export async function settleIn(client: NewClient, setupToken: string, email: string): Promise<Florin> {
  const { florin } = await visit(client, async ({ dashboard }) => {
    expect(await dashboard.openLink({ token: setupToken })).toMatchObject({ kind: 'setup', email: null });
    return dashboard.useLink({ token: setupToken, email, name: 'Olive', password: 'not for long, this one' });
  });
  expect((await florin.dashboard.updateMe({ name: 'Olive Oil' })).name).toBe('Olive Oil');
  await florin.dashboard.changePassword({ newPassword: PASSWORD });
  const session = await florin.dashboard.stepUp({ password: PASSWORD });
  expect(session).toMatchObject({ member: { email, role: 'owner' }, passkeysAvailable: true });
  expect(await florin.dashboard.retrieveSession()).toEqual(session);

  // The merchant's own operations go by cookie as they go by key.
  expect(await florin.merchant.updateBrand({ brandColor: '#0B6B57' })).toMatchObject({
    brandColor: '#0b6b57',
  });
  expect((await florin.merchant.update({ timeZone: 'Europe/Berlin' })).timeZone).toBe('Europe/Berlin');
  expect((await florin.merchant.retrieveBrand()).brandColor).toBe('#0b6b57');
  expect(await florin.dashboard.retrieveSecurity()).toMatchObject({ requirePasskeys: false });
  await expect(florin.dashboard.updateSecurity({ requirePasskeys: true })).rejects.toMatchObject({
    status: 409,
  });
  expect(await florin.dashboard.updateSecurity({ requirePasskeys: false })).toMatchObject({
    requirePasskeys: false,
  });
  const actor = `member:${session.member.id}`;
  const [entry] = await florin.merchant.listAuditEntries({ actor, limit: 1 }).toArray({ limit: 1 });
  expect(entry).toMatchObject({ actor, actorName: 'Olive Oil' });
  return florin;
}

/** A passkey is added, signs its owner in on a second machine, confirms them, and goes. */
export async function usePasskeys(client: NewClient, florin: Florin, origin: string): Promise<void> {
  const device = new SoftAuthenticator();
  const credential = device.create(await florin.passkeys.start(), origin);
  const { id } = await florin.passkeys.add({ credential });
  expect((await florin.passkeys.rename(id, { name: 'Laptop' })).name).toBe('Laptop');
  expect((await florin.passkeys.list()).map((passkey) => passkey.name)).toEqual(['Laptop']);

  const second = await visit(client, async ({ dashboard }) => {
    const asked = await dashboard.startPasskeySignIn();
    return dashboard.signInWithPasskey({ credential: device.get(asked, origin) });
  });
  const asked = await second.florin.dashboard.startPasskeyStepUp();
  const confirmed = await second.florin.dashboard.stepUp({ credential: device.get(asked, origin) });
  expect(confirmed.stepUpUntil).not.toBeNull();

  const elsewhere = (await florin.dashboard.listSessions()).find(({ method }) => method === 'passkey');
  expect(elsewhere?.isCurrent).toBe(false);
  await florin.dashboard.endSession(elsewhere!.id);
  await expect(second.florin.dashboard.retrieveSession()).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' });
  await florin.passkeys.remove(id);
  expect(await florin.passkeys.list()).toEqual([]);
}

/** Somebody is invited, comes in, gets another role, forgets the password, and leaves. */
export async function keepMembers(client: NewClient, { members, invitations }: Florin): Promise<void> {
  const wrong = await invitations.create({ email: 'dvo@shop.example', role: 'owner' });
  await invitations.withdraw(wrong.id);
  const invited = await invitations.create({ email: 'dev@shop.example', role: 'developer' });
  expect((await invitations.list()).map(({ id }) => id)).toEqual([invited.id]);
  const guest = await visit(client, ({ dashboard }) =>
    dashboard.useLink({ token: tokenIn(invited), name: 'Dev', password: PASSWORD }),
  );
  const { id } = (await members.list()).find(({ email }) => email === invited.email)!;
  await expect(guest.florin.members.update(id, { role: 'owner' })).rejects.toMatchObject({
    code: 'INSUFFICIENT_ROLE',
  });
  expect((await members.update(id, { role: 'viewer' })).role).toBe('viewer');
  const token = tokenIn(await members.createResetLink(id));
  const back = await visit(client, ({ dashboard }) => dashboard.useLink({ token, password: `${PASSWORD}!` }));
  expect((await back.florin.dashboard.retrieveSession()).scopes).toEqual(['billing:read', 'payments:read']);
  await members.remove(id);
  await expect(back.florin.dashboard.retrieveSession()).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' });
}

/** In by password on another machine and out again; then out on every machine. */
export async function signOff(client: NewClient, florin: Florin, email: string): Promise<void> {
  const second = await visit(client, ({ dashboard }) => dashboard.signIn({ email, password: PASSWORD }));
  const { wallet } = await second.florin.dashboard.retrieveOnboarding();
  const seen = await second.florin.dashboard.confirmWallet({ payoutAddress: wallet.payoutAddress! });
  expect(seen).toMatchObject({ wallet: { isSeenInWallet: true, provenBy: 'signature' } });
  const { dashboard } = florin;
  const view = await dashboard.saveView({ list: 'intents', name: 'Paid', query: 'status=succeeded' });
  expect((await dashboard.updateSavedView(view.id, { isShared: true })).isShared).toBe(true);
  expect(await dashboard.listSavedViews()).toMatchObject([{ id: view.id, isOwn: true }]);
  await dashboard.deleteSavedView(view.id);
  await second.florin.dashboard.signOut();
  await expect(second.florin.dashboard.retrieveSession()).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' });
  await florin.dashboard.signOutEverywhere();
  await expect(florin.dashboard.retrieveSession()).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED' });
}
