import * as z from 'zod';
import { AskError } from '../../ask/ask-error.ts';
import { intersectPermissions, permissions, type Permission } from '../../core/schema/access.ts';
import { makeToken, type Credential } from '../access/guard.ts';
import { listParameter, defineRoute, type Call } from './route.ts';

const hoursError = { error: 'expected a number of hours above 0, at most 24' };

export const issueToken = defineRoute({
  method: 'post',
  path: '/api/auth/token',
  operationId: 'make-token',
  summary:
    'Makes a short-lived access token from an access key, or from a token that was made from one.',
  permission: 'accessDataWithoutAssociatedProject',
  request: {
    query: {
      permissions: listParameter
        .optional()
        .describe(
          `The permissions of the token: some of those that the credential has, of ${permissions.join(', ')}. If absent, all of them.`,
        ),
      projectIds: listParameter
        .optional()
        .describe('Is ignored, because access is not controlled by project.'),
      expiresInHours: z.coerce
        .number(hoursError)
        .positive(hoursError)
        .max(24, hoursError)
        .optional()
        .describe(
          'For how many hours the token is valid, at most 24. If absent, 2 hours, or the remaining time of the credential if that is shorter.',
        ),
    },
  },
  returns: { 'text/plain': z.string() },
  async answer({ call, query }) {
    const credential = requireCredential(call);
    const limited = {
      ...credential,
      permissions: limitPermissions(credential, query.permissions),
      expiresAt: limitLife(credential, query.expiresInHours),
    };
    const token = await makeToken(limited, call.get('settings').baseUrl);
    return call.text(token, 200, { 'Cache-Control': 'no-store' });
  },
});

function requireCredential(call: Call): Credential {
  if (!call.get('settings').access) {
    throw new AskError(404, 'This index is public: nothing needs a token.');
  }

  const grant = call.get('grant');
  if (!grant || !('key' in grant)) {
    throw new AskError(403, 'Tokens are made from access keys only: sign in at the issuer again.');
  }
  return grant;
}

function limitPermissions({ permissions: allowed }: Credential, names?: readonly string[]) {
  const asked = names as readonly Permission[] | undefined;
  const missing = asked?.find((name) => !allowed.includes(name));
  if (missing !== undefined) {
    throw new AskError(
      403,
      `permissions: the credential has ${allowed.join(', ')}, not ${missing.slice(0, 100)}.`,
    );
  }

  return intersectPermissions({ permissions: allowed }, { permissions: asked });
}

/** Returns when the token expires, in milliseconds since 1970. */
function limitLife({ expiresAt }: Credential, hours?: number): number {
  const end = Date.now() + (hours ?? 2) * 3_600_000;
  if (hours !== undefined && end > expiresAt) {
    const instant = new Date(expiresAt).toISOString();
    throw new AskError(403, `expiresInHours: the credential ends at ${instant}.`);
  }

  return Math.min(end, expiresAt);
}
