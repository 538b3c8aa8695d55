/** Loaded when the first passkey is used: it would make every start of the service slower. */
export const webauthn = () => import('@simplewebauthn/server');
