import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@florin/sdk';
import { t } from '../words/t.ts';

/** Fetched when a passkey is used, not before. */
const library = () => import('@simplewebauthn/browser');

/** Lets the person pick a passkey. */
export async function passkeyAnswer(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await library();
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return (await startAuthentication({ optionsJSON }).catch(explain)) as unknown as PasskeyAssertion;
}

/** Lets the person make a passkey. */
export async function newPasskey(options: PasskeyCreationOptions): Promise<PasskeyAttestation> {
  const { startRegistration } = await library();
  const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'];
  return (await startRegistration({ optionsJSON }).catch(explain)) as unknown as PasskeyAttestation;
}

/** Browsers report a canceled prompt in words for programmers. */
function explain(error: unknown): never {
  const { name } = error as Error;
  if (name === 'NotAllowedError' || name === 'AbortError') throw new Error(t('No passkey was used.'));
  if (name === 'InvalidStateError') throw new Error(t('This device already has a passkey for this account.'));
  throw error;
}
