import { expect, test } from 'vitest';
import { fileProblem } from './file-problem.ts';

test.each([
  ['ENOENT', 'read', 'there is no file a/b'],
  ['ENOENT', 'write', 'there is no folder a to write a/b to'],
  ['ENOTDIR', 'read', 'a part of a/b is a file, not a folder'],
  ['EISDIR', 'read', 'a/b is a folder, not a file'],
  ['EACCES', 'read', 'this user has no permission to read a/b'],
  ['EACCES', 'write', 'this user has no permission to write a/b'],
  ['ENOSPC', 'write', 'there is no space left to write a/b'],
  ['EIO', 'read', 'a/b cannot be read: EIO: the disk'],
  ['EIO', 'write', 'a/b cannot be written: EIO: the disk'],
] as const)('%s when it is to be %s', (code, purpose, text) => {
  expect(fileProblem(Object.assign(new Error(`${code}: the disk`), { code }), 'a/b', purpose)).toBe(text);
});
