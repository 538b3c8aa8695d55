import { AsyncLocalStorage } from 'node:async_hooks';
import { actorVia } from '../audit/record.ts';
import type { Agent, Principal } from './principal.ts';

const calls = new AsyncLocalStorage<Agent>();

/** Requests injected by `call` are an assistant's. Nothing in a request from outside can claim or deny that. */
export function asAgent<Result>(agent: Agent, call: () => Promise<Result>): Promise<Result> {
  return calls.run(agent, call);
}

/** The caller, marked where an assistant acts for them. */
export function withAgent(principal: Principal): Principal {
  const agent = calls.getStore();
  if (!agent) return principal;
  return { ...principal, agent, actor: actorVia(principal.actor, agent.client) };
}
