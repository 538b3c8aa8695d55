import { dirname } from 'node:path';

const CODES = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'EEXIST', 'ENOSPC', 'EDQUOT', 'EROFS'];

/** True if an error comes from a file. The socket of a database can be missing or closed to a user, too. */
export function isFileProblem(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && CODES.includes(code) && syscall !== 'connect';
}

/** Says why a file could not be read or written, as a person would. Errors of Node name a system call instead. */
export function fileProblem(error: unknown, file: string, purpose: 'read' | 'write' = 'read'): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return purpose === 'read'
        ? `there is no file ${file}`
        : `there is no folder ${dirname(file)} to write ${file} to`;
    case 'ENOTDIR':
      return `a part of ${file} is a file, not a folder`;
    case 'EISDIR':
      return `${file} is a folder, not a file`;
    case 'EACCES':
    case 'EPERM':
      return `this user has no permission to ${purpose} ${file}`;
    case 'EEXIST':
      return `${file} already exists; choose another name`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `there is no space left to write ${file}`;
    case 'EROFS':
      return `${file} is on a disk that cannot be written`;
    default:
      return `${file} cannot be ${purpose === 'read' ? 'read' : 'written'}: ${message}`;
  }
}
