import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/route.ts';
import { noteError } from '../../platform/http/server.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import type { PreparedPayment } from './prepare-payment.ts';

/**
 * Solana Pay's transaction request: a wallet asks who requests the payment, then for the transaction to sign. Wallets
 * call from any origin, and show an error's `message`, so it replaces the envelope here.
 */
export function transactionRequest(
  app: App,
  url: string,
  icon: () => string,
  prepare: (id: string, account: string) => Promise<PreparedPayment>,
): void {
  const manners = { onRequest: allowAnyOrigin, errorHandler: answerWallet };
  app.get(url, manners, async (request) => ({
    label: (await prepare(idOf(request), '')).label,
    icon: icon(),
  }));
  app.post(url, manners, async (request) => {
    const { transaction, message } = await prepare(idOf(request), accountOf(request));
    return { transaction, message };
  });
  app.options(url, manners, (_request, reply) => reply.code(204).send());
}

function allowAnyOrigin(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply
    .header('Access-Control-Allow-Origin', '*')
    .header('Access-Control-Allow-Methods', 'GET, POST, OPTIONS')
    .header('Access-Control-Allow-Headers', 'Content-Type, Accept, Cache-Control')
    .header('Access-Control-Max-Age', '86400');
  done();
}

function answerWallet(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message } = noteError(error, request, reply);
  // A refusal from before the route's own handler must reach the wallet as well.
  allowAnyOrigin(request, reply, () => {});
  reply.code(status).send({ message });
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!isUuid(id)) throw new AppError('NOT_FOUND');
  return id.toLowerCase();
}

function accountOf(request: FastifyRequest): string {
  const account = (request.body as { account?: unknown } | null | undefined)?.account;
  if (typeof account !== 'string' || account === '') throw badField('account', 'is required');
  return account;
}
