import { readFileSync, writeFileSync } from 'node:fs';
import { fileProblem } from '../../platform/lib/file-problem.ts';
import { Refusal, UsageError } from './io.ts';

/** Reads the file that an option names, or stdin for `-`. */
export function readNamed(option: string, file: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new UsageError(`${option}: ${fileProblem(error, file)}`);
  }
}

export function writeNamed(option: string, file: string, content: string | Buffer): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new Refusal(`${option}: ${fileProblem(error, file, 'write')}`);
  }
}
