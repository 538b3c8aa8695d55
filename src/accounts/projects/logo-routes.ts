import type { Database } from '../../platform/db/database.ts';
import { FILE } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { MAX_IMAGE_BYTES, UPLOAD_TYPES } from '../images/image.ts';
import { newImage } from '../images/store-image.ts';
import { billingRoute } from './billing-route.ts';
import { changeProjectLogo } from './change-project-logo.ts';
import { type ProjectContext, ProjectView, presentProject } from './present.ts';
import { withPendingChange } from './with-pending-changes.ts';

export interface ProjectLogoRoutes extends ProjectContext {
  db: Database;
  clock: Clock;
}

export function projectLogoRoutes(app: App, parts: ProjectLogoRoutes): void {
  const { db, clock } = parts;
  const tag = 'Projects';

  billingRoute(app, {
    method: 'PUT',
    path: '/projects/{projectId}/logo',
    id: 'setProjectLogo',
    sdk: 'projects.setLogo',
    assistant: { withheld: FILE },
    tag,
    summary: 'Set a project’s logo',
    description:
      'The body is the image itself: PNG, JPEG or WebP, at most 256 KiB, 16 to 2048 pixels on each side. Its type is read from its content. The same image again changes nothing.',
    scopes: ['billing:write'],
    upload: { types: UPLOAD_TYPES, limitBytes: MAX_IMAGE_BYTES },
    success: { status: 200, schema: ProjectView, description: 'The project as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, upload }) {
      const logo = newImage(upload);
      const project = await db.transaction((tx) =>
        changeProjectLogo(tx, principal, params.projectId!, logo, clock.now()),
      );
      return presentProject(await withPendingChange(db, project), parts);
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/projects/{projectId}/logo',
    id: 'removeProjectLogo',
    sdk: 'projects.removeLogo',
    assistant: { withheld: FILE },
    tag,
    summary: 'Remove a project’s logo',
    description: 'Its customers see the merchant’s instead. Also 204 if none is set.',
    scopes: ['billing:write'],
    success: { status: 204, description: 'The project has no logo of its own.' },
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params }) {
      await db.transaction((tx) => changeProjectLogo(tx, principal, params.projectId!, null, clock.now()));
    },
  });
}
