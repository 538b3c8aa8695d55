import { GENESIS_HASHES, type Network } from '../../chain/solana/network.ts';

/** x402, version 2, scheme `exact` on Solana: https://github.com/x402-foundation/x402 */
export const X402_VERSION = 2;
export const SCHEME = 'exact';

const ID_LENGTH = 32;
const networkId = (genesisHash: string) => `solana:${genesisHash.slice(0, ID_LENGTH)}`;

/** Clients know no other networks, so the sandbox calls itself devnet, whose mint it has too. */
export const NETWORK_IDS: Record<Network, string> = {
  mainnet: networkId(GENESIS_HASHES.mainnet),
  devnet: networkId(GENESIS_HASHES.devnet),
  sandbox: networkId(GENESIS_HASHES.devnet),
};

/** Payment that a seller requires. */
export interface PaymentRequirements {
  scheme: string;
  network: string;
  /** Amount in base units. */
  amount: string;
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Record<string, unknown>;
}

export interface ResourceInfo {
  url: string;
  description: string;
  mimeType: string;
}

/** The answer 402. */
export interface PaymentRequired {
  x402Version: typeof X402_VERSION;
  error: string;
  resource: ResourceInfo;
  accepts: PaymentRequirements[];
  extensions: Record<string, unknown>;
}

/** Payment that a client sends, as far as we look at it. */
export interface PaymentPayload {
  accepted: PaymentRequirements;
  /** Base64, signed by the payer alone. */
  transaction: string;
  /** Chosen by the client: the same one is the same payment. */
  paymentId: string | null;
}

export interface SettleResponse {
  success: boolean;
  errorReason?: string;
  errorMessage?: string;
  payer: string;
  /** Its signature; empty where nothing was sent. */
  transaction: string;
  network: string;
  amount?: string;
}

/** The protocol's own names of what can be wrong, as the reference implementation spells them. */
export const ERRORS = {
  version: 'invalid_x402_version',
  payload: 'invalid_payload',
  requirements: 'invalid_payment_requirements',
  network: 'invalid_network',
  scheme: 'unsupported_scheme',
  state: 'invalid_transaction_state',
  funds: 'insufficient_funds',
  pending: 'settlement_pending',
  duplicate: 'duplicate_settlement',
  unexpected: 'unexpected_settle_error',
  svmScheme: 'invalid_exact_svm_unsupported_scheme',
  svmNetwork: 'invalid_exact_svm_network_mismatch',
  feePayerMissing: 'invalid_exact_svm_payload_missing_fee_payer',
  feePayerUnknown: 'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
  feePayerMismatch: 'invalid_exact_svm_fee_payer_mismatch',
  feePayerTransferring: 'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
  undecodable: 'invalid_exact_svm_payload_transaction_could_not_be_decoded',
  signature: 'invalid_exact_svm_payload_signature_invalid',
  signers: 'invalid_exact_svm_payload_excessive_signers',
  lookupTables: 'invalid_exact_svm_smart_wallet_alt_resolution_not_available',
  length: 'invalid_exact_svm_payload_transaction_instructions_length',
  computeLimit: 'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
  computeLimitTooHigh:
    'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high',
  computePrice: 'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
  computePriceTooHigh:
    'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
  noTransfer: 'invalid_exact_svm_payload_no_transfer_instruction',
  mint: 'invalid_exact_svm_payload_mint_mismatch',
  recipient: 'invalid_exact_svm_payload_recipient_mismatch',
  amount: 'invalid_exact_svm_payload_amount_mismatch',
  unknownInstruction: [
    'invalid_exact_svm_payload_unknown_fourth_instruction',
    'invalid_exact_svm_payload_unknown_fifth_instruction',
    'invalid_exact_svm_payload_unknown_sixth_instruction',
    'invalid_exact_svm_payload_unknown_seventh_instruction',
  ],
  memoCount: 'invalid_exact_svm_payload_memo_count',
  memo: 'invalid_exact_svm_payload_memo_mismatch',
  simulation: 'invalid_exact_svm_transaction_simulation_failed',
  failed: 'invalid_exact_svm_transaction_failed',
} as const;

/** Reason why a payment is not taken: the protocol's code for programs, and a sentence for the people behind them. */
export interface Refusal {
  reason: string;
  message: string;
  payer?: string;
}

export function isRefusal(value: object): value is Refusal {
  return 'reason' in value;
}
