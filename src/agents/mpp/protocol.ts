import type { Network } from '../../chain/solana/network.ts';

/** The Machine Payments Protocol, method `solana`, intent `charge`: https://paymentauth.org, https://mpp.dev */
export const METHOD = 'solana';
export const INTENT = 'charge';

export const NETWORK_NAMES: Record<Network, string> = {
  mainnet: 'mainnet-beta',
  devnet: 'devnet',
  sandbox: 'localnet',
};

/** Charge that a seller requests, in the terms of the payment method. */
export interface ChargeRequest {
  /** Amount in base units. */
  amount: string;
  /** The mint. */
  currency: string;
  description?: string;
  /** The payment must carry it as its memo, right after the transfer. */
  externalId: string;
  recipient: string;
  methodDetails: {
    network: string;
    decimals: number;
    tokenProgram: string;
    /** The seller pays the network fee, with this key. */
    feePayer?: true;
    feePayerKey?: string;
    /** Saves the client a question to the network. */
    recentBlockhash?: string;
  };
}

/** One offer, as `WWW-Authenticate` carries it and as a credential repeats it. */
export interface Challenge {
  id: string;
  realm: string;
  method: string;
  intent: string;
  /** The request in canonical JSON and base64url, as it was sent. */
  request: string;
  expires: string;
  /** Id that the order will have, if it has no row yet. */
  opaque?: { order: string };
}

/** Proof of a client that it pays. */
export type Proof =
  /** Signed and not sent yet, in base64. */
  | { type: 'transaction'; transaction: string }
  /** Sent by the client itself; its name on chain. */
  | { type: 'signature'; signature: string };

export interface Credential {
  challenge: Challenge;
  proof: Proof;
}
