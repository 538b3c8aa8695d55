import {
  HandlerValidated,
  List,
  Nullable,
  Optional,
  Shape,
  type Static,
  Text,
} from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';

const Encoded = (description?: string) => Text({ max: 16_384, ...(description && { description }) });

const common = {
  id: Text({ max: 2_048 }),
  rawId: Text({ max: 2_048 }),
  type: Text({ description: '`public-key`.' }),
  authenticatorAttachment: Optional(Nullable(Text())),
  clientExtensionResults: Optional(Shape(undefined, {})),
};

/** Browsers add fields as they please, so only the needed ones are checked here. */
export const AssertionBody = HandlerValidated(
  Shape(
    'PasskeyAssertion',
    {
      ...common,
      response: Shape(undefined, {
        clientDataJSON: Encoded(),
        authenticatorData: Encoded(),
        signature: Encoded(),
        userHandle: Optional(Nullable(Encoded())),
      }),
    },
    { description: 'The result of `navigator.credentials.get()`, as its toJSON() writes it.' },
  ),
);

export const AttestationBody = HandlerValidated(
  Shape(
    'PasskeyAttestation',
    {
      ...common,
      response: Shape(undefined, {
        clientDataJSON: Encoded(),
        attestationObject: Encoded(),
        transports: Optional(List(Text())),
      }),
    },
    { description: 'The result of `navigator.credentials.create()`, as its toJSON() writes it.' },
  ),
);

interface Given {
  id: string;
  rawId: string;
  type: 'public-key';
  clientExtensionResults: Record<string, never>;
}

export interface Assertion extends Given {
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string };
}

export interface Attestation extends Given {
  response: { clientDataJSON: string; attestationObject: string; transports: string[] };
}

/** Only what is needed of it, or a clear 400. */
export function readAssertion(given: Static<typeof AssertionBody>): Assertion {
  const { common, response } = readGiven(given);
  const { userHandle } = response;
  return {
    ...common,
    response: {
      clientDataJSON: text(response, 'clientDataJSON'),
      authenticatorData: text(response, 'authenticatorData'),
      signature: text(response, 'signature'),
      ...(typeof userHandle === 'string' && userHandle !== '' && { userHandle }),
    },
  };
}

export function readAttestation(given: Static<typeof AttestationBody>): Attestation {
  const { common, response } = readGiven(given);
  const transports = Array.isArray(response.transports) ? response.transports : [];
  return {
    ...common,
    response: {
      clientDataJSON: text(response, 'clientDataJSON'),
      attestationObject: text(response, 'attestationObject'),
      transports: transports
        .filter((name) => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name))
        .slice(0, 8),
    },
  };
}

function readGiven(given: unknown): { common: Given; response: Record<string, unknown> } {
  const credential = record(given, 'credential');
  const id = text(credential, 'id');
  if (text(credential, 'rawId') !== id) throw badField('credential', 'must have the same id and rawId');
  const common: Given = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  return { common, response: record(credential.response, 'credential.response') };
}

function record(value: unknown, field: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw badField(field, 'must be an object');
}

const BASE64URL = /^[\w-]{1,16384}$/;

function text(from: Record<string, unknown>, name: string): string {
  const value = from[name];
  if (typeof value === 'string' && BASE64URL.test(value)) return value;
  throw badField(`credential.${name}`, 'must be base64url text');
}
