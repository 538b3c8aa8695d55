import type { App } from '../../platform/http/route.ts';
import { List, Name, Optional, Shape } from '../../platform/http/schema.ts';
import { addPasskey, createPasskeyOptions } from './add-passkey.ts';
import { removePasskey, renamePasskey } from './change-passkey.ts';
import { AttestationBody, readAttestation } from './credential.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { type MemberParts, momentOf } from './member-parts.ts';
import { listPasskeys } from './passkey-queries.ts';
import { CreationOptionsView, PasskeyView, presentPasskey } from './views.ts';

const AddBody = Shape('AddPasskeyRequest', {
  name: Optional(Name({ description: 'To recognize it by. Default: Passkey.' })),
  credential: AttestationBody,
});
const RenameBody = Shape('RenamePasskeyRequest', { name: Name() });

/** A member's own passkeys. */
export function passkeyRoutes(app: App, parts: MemberParts): void {
  const { db, publicUrl } = parts;

  dashboardRoute(app, {
    method: 'GET',
    path: '/passkeys',
    id: 'listPasskeys',
    sdk: 'passkeys.list',
    summary: 'List your own passkeys',
    success: { status: 200, schema: List(PasskeyView), description: 'Newest first.' },
    errors: [],
    async handle({ principal, member }) {
      return (await listPasskeys(db, principal.merchantId, member.id)).map(presentPasskey);
    },
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/passkeys/options',
    id: 'startPasskey',
    sdk: 'passkeys.start',
    summary: 'Start adding a passkey',
    description: 'Options for the browser. Valid for one response, within 5 minutes.',
    stepUp: true,
    success: { status: 200, schema: CreationOptionsView, description: 'The options.' },
    errors: ['INVALID_STATE'],
    handle({ principal: { merchantId, callerId: sessionId }, member }) {
      const owner = { merchantId, memberId: member.id, sessionId, publicUrl: publicUrl() };
      return createPasskeyOptions(db, owner, momentOf(parts).now);
    },
  });

  dashboardRoute(app, {
    method: 'POST',
    path: '/passkeys',
    id: 'addPasskey',
    sdk: 'passkeys.add',
    summary: 'Add a passkey',
    stepUp: true,
    body: AddBody,
    success: { status: 201, schema: PasskeyView, description: 'From now on it signs the member in.' },
    errors: ['INVALID_STATE'],
    async handle({ principal: { merchantId, callerId: sessionId }, member, body }) {
      const owner = { merchantId, memberId: member.id, sessionId, publicUrl: publicUrl() };
      const given = { attestation: readAttestation(body.credential), name: body.name ?? 'Passkey' };
      return presentPasskey(await addPasskey(db, owner, given, momentOf(parts)));
    },
  });

  dashboardRoute(app, {
    method: 'PATCH',
    path: '/passkeys/{passkeyId}',
    id: 'renamePasskey',
    sdk: 'passkeys.rename',
    summary: 'Rename a passkey',
    body: RenameBody,
    success: { status: 200, schema: PasskeyView, description: 'The passkey as it is now.' },
    errors: ['NOT_FOUND'],
    async handle({ principal: { merchantId }, member, params, body }) {
      const passkeyId = params.passkeyId!.toLowerCase();
      const change = { merchantId, memberId: member.id, passkeyId, moment: momentOf(parts) };
      return presentPasskey(await db.transaction((tx) => renamePasskey(tx, change, body.name)));
    },
  });

  dashboardRoute(app, {
    method: 'DELETE',
    path: '/passkeys/{passkeyId}',
    id: 'removePasskey',
    sdk: 'passkeys.remove',
    summary: 'Remove a passkey',
    stepUp: true,
    success: { status: 204, description: 'It can no longer be used to sign in.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal: { merchantId }, member, params }) {
      const passkeyId = params.passkeyId!.toLowerCase();
      const change = { merchantId, memberId: member.id, passkeyId, moment: momentOf(parts) };
      await db.transaction((tx) => removePasskey(tx, change));
    },
  });
}
