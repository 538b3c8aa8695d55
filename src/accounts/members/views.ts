import { SCOPES } from '../../platform/access/key.ts';
import { ROLES } from '../../platform/access/role.ts';
import {
  Email,
  Flag,
  Int32,
  List,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import type { Member } from './member.ts';
import { LINK_KINDS, type MemberLink } from './member-link.ts';
import type { Passkey } from './passkey-queries.ts';
import { type DashboardSession, SIGN_IN_METHODS } from './session.ts';

export const MemberView = Shape('Member', {
  id: Uuid(),
  email: Email(),
  name: Text(),
  role: OneOf(ROLES),
  isActive: Flag('A member who is not active cannot sign in.'),
  hasPassword: Flag(),
  lastSignedInAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
});

export function presentMember(member: Member) {
  const { id, email, name, role, lastSignedInAt, createdAt } = member;
  const isActive = member.disabledAt === null;
  return {
    id,
    email,
    name,
    role,
    isActive,
    hasPassword: member.passwordHash !== null,
    lastSignedInAt,
    createdAt,
  };
}

export const SessionView = Shape(
  'DashboardSession',
  {
    member: MemberView,
    merchant: Shape(undefined, {
      id: Uuid(),
      name: Nullable(Text()),
      brandColor: Nullable(Text()),
      verificationStatus: Int32({ description: '0 unverified, 1 pending, 2 verified, 3 rejected.' }),
      timeZone: Text({ description: 'In which the dashboard shows every time.' }),
    }),
    environment: OneOf(['mainnet', 'devnet']),
    network: OneOf(['sandbox', 'devnet', 'mainnet']),
    scopes: List(OneOf(SCOPES)),
    csrfToken: Text({ description: 'Send it as X-CSRF-Token with every change.' }),
    stepUpUntil: Nullable(
      Timestamp('Until then no further confirmation is needed; null when one is needed.'),
    ),
    expiresAt: Timestamp('When the session ends at the latest.'),
    passkeysAvailable: Flag('Whether passkeys work here: with a host name and https, or on localhost.'),
    sendsEmails: Flag('Whether this service has a mail server.'),
  },
  { description: 'The signed-in member, and what a page needs first.' },
);

export const SignedInDeviceView = Shape('SignedInDevice', {
  id: Uuid(),
  isCurrent: Flag('The calling session.'),
  method: OneOf(SIGN_IN_METHODS, 'How the member signed in.'),
  address: Text(),
  userAgent: Nullable(Text()),
  createdAt: Timestamp(),
  lastSeenAt: Timestamp('Updated at most once a minute.'),
  expiresAt: Timestamp(),
});

export function presentDevice(session: DashboardSession, currentId: string) {
  const { id, method, address, userAgent, createdAt, lastSeenAt, expiresAt } = session;
  return { id, isCurrent: id === currentId, method, address, userAgent, createdAt, lastSeenAt, expiresAt };
}

export const PasskeyView = Shape('Passkey', {
  id: Uuid(),
  name: Text(),
  isSynced: Flag('Synced by a password manager or an account, so it outlives the device.'),
  createdAt: Timestamp(),
  lastUsedAt: Nullable(Timestamp()),
});

export function presentPasskey({ id, name, isSynced, createdAt, lastUsedAt }: Passkey) {
  return { id, name, isSynced, createdAt, lastUsedAt };
}

const invitationFields = {
  id: Uuid(),
  email: Email(),
  role: OneOf(ROLES),
  createdAt: Timestamp(),
  expiresAt: Timestamp(),
};

export const InvitationView = Shape('Invitation', invitationFields);

export const MadeInvitationView = Shape('NewInvitation', {
  ...invitationFields,
  url: Text({
    max: 2_048,
    description: 'Hand it over to the invited person. It is shown only once, and works once.',
  }),
  isMailed: Flag('Whether the mail server accepted the e-mail to the invited person.'),
});

export function presentInvitation({ id, email, role, createdAt, expiresAt }: MemberLink) {
  return { id, email, role, createdAt, expiresAt };
}

export const ResetLinkView = Shape('ResetLink', {
  url: Text({
    max: 2_048,
    description: 'Hand it over to the member. It is shown only once, and works once.',
  }),
  expiresAt: Timestamp(),
});

export const OpenLinkView = Shape('MemberLink', {
  kind: OneOf(LINK_KINDS),
  merchantName: Nullable(Text()),
  email: Nullable(Email('Who it is for; null: send it when using the link.')),
  role: Nullable(OneOf(ROLES)),
  expiresAt: Timestamp(),
});

const Descriptor = Shape(undefined, { id: Text(), type: Text(), transports: Optional(List(Text())) });

export const RequestOptionsView = Shape(
  'PasskeyRequestOptions',
  {
    challenge: Text(),
    timeout: Int32(),
    rpId: Text(),
    allowCredentials: List(Descriptor),
    userVerification: Text(),
  },
  { description: 'For `navigator.credentials.get()`, through parseRequestOptionsFromJSON().' },
);

export const CreationOptionsView = Shape(
  'PasskeyCreationOptions',
  {
    challenge: Text(),
    rp: Shape(undefined, { id: Text(), name: Text() }),
    user: Shape(undefined, { id: Text(), name: Text(), displayName: Text() }),
    pubKeyCredParams: List(Shape(undefined, { alg: Int32(), type: Text() })),
    timeout: Int32(),
    excludeCredentials: List(Descriptor),
    authenticatorSelection: Shape(undefined, {
      residentKey: Text(),
      requireResidentKey: Flag(),
      userVerification: Text(),
    }),
    attestation: Text(),
  },
  { description: 'For `navigator.credentials.create()`, through parseCreationOptionsFromJSON().' },
);
