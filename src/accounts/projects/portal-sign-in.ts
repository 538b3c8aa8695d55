import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Project, ProjectSettings } from './project.ts';

/** Path of the page where customers of a project request a link to their portal. */
export function signInPath(projectId: string): string {
  return `/portal/sign-in/${projectId}`;
}

/** True if customers can sign in: the merchant wants it, and there is a mail server. */
export function offersSignIn(
  { settings }: Pick<Project, 'settings'>,
  { queuesEmails }: { queuesEmails: boolean },
): boolean {
  return settings.portalSignIn && queuesEmails;
}

/** Nobody could sign in where no e-mail is sent. */
export function requireMailServer(
  { queuesEmails }: Tx,
  before: ProjectSettings,
  after: ProjectSettings,
): void {
  if (after.portalSignIn && !before.portalSignIn && !queuesEmails)
    throw new AppError('INVALID_STATE', {
      message: 'This service has no mail server, so customers cannot sign in by e-mail.',
    });
}
