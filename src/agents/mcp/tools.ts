import type { Principal } from '../../platform/access/principal.ts';
import { isUnavailable } from '../../platform/db/database-errors.ts';
import { bodyValidator } from '../../platform/http/validate.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { ToolContext } from './call-service.ts';
import { operationTools } from './operation-tools.ts';
import { holds, plainSchema } from './operations.ts';
import { sandboxTools } from './sandbox-tools.ts';
import { shopTools } from './shop-tools.ts';
import type { Tool } from './tool.ts';
import { errorResult, type ToolResult } from './tool-result.ts';

const TOOLS: readonly Tool[] = [...shopTools, ...operationTools, ...sandboxTools];

/** The tools this key can use: it sees no others. */
export function listTools(principal: Principal, isSandbox: boolean): Tool[] {
  return TOOLS.filter(
    ({ scopes, anyScope, sandboxOnly = false }) =>
      holds(principal, scopes) &&
      (anyScope === undefined || anyScope.some((scope) => principal.scopes.includes(scope))) &&
      (isSandbox || !sandboxOnly),
  );
}

/** A tool as MCP lists it. */
export function describeTool({ name, title, description, input, annotations }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: plainSchema(input),
    annotations: { title, ...annotations },
  };
}

/** Runs a tool. Whatever is wrong with the input is an answer in the API's words, and nothing has changed. */
export async function runTool(tool: Tool, context: ToolContext, input: unknown): Promise<ToolResult> {
  try {
    const checked = structuredClone(input ?? {});
    bodyValidator(tool.input)(checked);
    return await tool.run(context, checked as never);
  } catch (error) {
    const known = error instanceof AppError ? error : failure(context, tool, error);
    return errorResult({ code: known.code, message: known.message }, known.status);
  }
}

/** Logs an error and hides it from the client; the library would send its text. */
function failure({ app }: ToolContext, { name }: Tool, error: unknown): AppError {
  app.log.error({ err: error, tool: name }, 'an assistant’s call failed');
  return isUnavailable(error) ? new AppError('SERVICE_UNAVAILABLE') : new AppError('INTERNAL_ERROR');
}
