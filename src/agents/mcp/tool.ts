import type { Scope } from '../../platform/access/key.ts';
import type { Static, TSchema } from '../../platform/http/schema.ts';
import type { ToolContext } from './call-service.ts';
import type { ToolResult } from './tool-result.ts';

/**
 * Hints that a client may rely on before it calls: each is true of the tool, and none promises less than what binds
 * us.
 */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  input: TSchema;
  annotations: Annotations;
  /** Listed for keys that hold these. */
  scopes: readonly Scope[];
  /** Listed for keys that hold one of these. */
  anyScope?: readonly Scope[];
  sandboxOnly?: boolean;
  run(context: ToolContext, input: never): Promise<ToolResult>;
}

/** Changes nothing, and stays within Florin. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds something, once for each purpose. A customer may be sent an e-mail because of it. */
export const CREATES: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

export function tool<Input extends TSchema>(
  spec: Omit<Tool, 'input' | 'run'> & {
    input: Input;
    run(context: ToolContext, input: Static<Input>): Promise<ToolResult>;
  },
): Tool {
  return spec as unknown as Tool;
}
