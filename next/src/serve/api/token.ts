import * as z from 'zod';
import { createRoute } from './route.ts';
import { intersectPermissions, permissions } from '../../core/schema/access.ts';
import { makeToken } from '../access/tokens.ts';
import { AskError } from '../errors.ts';
import type { Api } from './app.ts';
import { list, needs, problem, problems, query } from './parts.ts';

const maxHours = 24;
const hoursError = { error: `expected a number of hours above 0, at most ${maxHours}` };

const makeTokenRoute = createRoute({
  method: 'post',
  path: '/api/auth/token',
  operationId: 'make-token',
  summary: 'A short-lived access token from an access key or from another token.',
  ...needs('accessDataWithoutAssociatedProject'),
  request: {
    query: query({
      permissions: list('names of permissions')
        .optional()
        .describe(`Fewer than the credential has, of ${permissions.join(', ')}.`),
      projectIds: list('names')
        .optional()
        .describe('Limits nothing: there is no access control by project.'),
      expiresInHours: z.coerce
        .number(hoursError)
        .positive(hoursError)
        .max(maxHours, hoursError)
        .optional()
        .describe('Two, or the rest of the credential, where absent.'),
    }),
  },
  responses: {
    200: { description: 'The token', content: { 'text/plain': { schema: z.string() } } },
    403: problem('The credential has fewer rights, or ends earlier.'),
    ...problems,
  },
});

export function addTokens(api: Api): void {
  api.add(makeTokenRoute, async (call, input) => {
    const { access, baseUrl } = call.get('settings');
    if (!access) {
      throw new AskError(404, 'This index is public: nothing needs a token.');
    }

    const credential = call.get('grant')?.credential;
    if (!credential) {
      throw new AskError(
        403,
        'Tokens are made from access keys only: sign in at the issuer again.',
      );
    }

    const { permissions: wanted = credential.permissions, expiresInHours } = input.query;
    const missing = wanted.find(
      (name) => !credential.permissions.some((granted) => granted === name),
    );
    if (missing !== undefined) {
      throw new AskError(
        403,
        `permissions: the credential has ${credential.permissions.join(', ')}, not ${missing.slice(0, 100)}.`,
      );
    }

    const end = Date.now() + (expiresInHours ?? 2) * 3_600_000;
    if (expiresInHours !== undefined && end > credential.expiresAt) {
      throw new AskError(
        403,
        `expiresInHours: the credential ends at ${new Date(credential.expiresAt).toISOString()}.`,
      );
    }

    const token = await makeToken(
      {
        ...credential,
        permissions: intersectPermissions(credential, {
          permissions: permissions.filter((each) => wanted.includes(each)),
        }),
        expiresAt: Math.min(end, credential.expiresAt),
      },
      baseUrl,
    );
    return call.text(token, 200, { 'Cache-Control': 'no-store' });
  });
}
