import {
  permissions as allPermissions,
  intersectPermissions,
  type Permission,
} from '../../../core/schemas/access/permissions.ts';
import {
  defineEndpoint,
  createParameter,
  describeProblemAnswer,
  type ParameterValues,
} from '../api/endpoint.ts';
import { createRequestError, readValue, splitValues } from '../api/read-request.ts';
import { respond } from '../api/respond.ts';
import type { Grant, KeyCredential } from './guard.ts';
import { makeToken } from './own-token.ts';
import { tokenPath } from './protected-paths.ts';

const maxHours = 24;
const defaultHours = 2;
const hourMs = 3_600_000;

const permissionNames = allPermissions.join(', ');

const permissions = createParameter('query', 'permissions', 1000, {
  isList: true,
  description: `Only these permissions of the credential, separated by commas or in repeated parameters: ${permissionNames}.`,
  expected: `names of permissions: ${permissionNames}`,
  pattern: '^[A-Za-z]+(?:,[A-Za-z]+)*$',
  example: 'read,scan',
});

const projectIds = createParameter('query', 'projectIds', 5000, {
  isList: true,
  description: 'Limits nothing: a token is for all components. For clients of other servers.',
  expected: 'names',
  pattern: '^[^,]+(?:,[^,]+)*$',
  example: '{component}',
});

const expiresInHours = createParameter('query', 'expiresInHours', 20, {
  description: `Hours until it ends. By default ${defaultHours}, or less if the credential ends earlier.`,
  expected: `a number of hours above 0, at most ${maxHours}`,
  pattern: String.raw`^\d+(?:\.\d+)?$`,
  example: '0.5',
});

/** Makes a token for a client with the grant of an access key, or of another token. */
export const tokenEndpoint = defineEndpoint({
  name: 'make-token',
  method: 'POST',
  path: tokenPath,
  summary: 'A short-lived access token from an access key or from another such token.',
  description:
    'The answer is the token itself. Only this index accepts it, like its key, and it ends with its key.',
  parameters: [permissions, projectIds, expiresInHours],
  answers: {
    200: { description: 'The token', mediaType: 'text/plain' },
    403: describeProblemAnswer(
      'A permission is unknown, or the credential has fewer rights, ends earlier, or is not from an access key.',
    ),
  },
  async handle({ request, parameters, settings, grant }) {
    const credential = requireCredential(grant);
    const now = Date.now();
    const rights = {
      key: credential.key,
      permissions: readPermissions(parameters.permissions, credential.permissions),
      expiresAt: readEnd(parameters, credential.expiresAt, now),
    };
    const token = await makeToken(credential.secret, rights, settings.baseUrl, now);
    if (token === undefined) {
      throw createRequestError(403, 'The token comes from too many others: send the access key.');
    }

    return respond(request, 200, token, { 'Content-Type': 'text/plain; charset=utf-8' });
  },
});

/** The credential of a client. Throws a `QuestionError` for a user of an issuer, and for a key that makes no tokens. */
function requireCredential(grant: Grant | undefined): KeyCredential {
  if (!grant?.credential) {
    throw createRequestError(
      403,
      'Tokens are made from access keys only: sign in at the issuer again.',
    );
  }

  const { name, tokenKey } = grant.credential.key;
  if (tokenKey === undefined) {
    throw createRequestError(
      403,
      `The access key ${name} has no tokenKey in its list, so it makes no tokens. Make another key.`,
    );
  }

  return grant.credential;
}

/** The end of the token, not after the end of the credential. Throws a `QuestionError` if the request asks for more. */
function readEnd(parameters: ParameterValues, endOfCredential: number, now: number): number {
  const hours = readValue(expiresInHours, parameters, (text) =>
    Number(text) > 0 && Number(text) <= maxHours ? Number(text) : undefined,
  );
  const end = now + (hours ?? defaultHours) * hourMs;
  if (hours !== undefined && end > endOfCredential) {
    throw createRequestError(
      403,
      `expiresInHours: the credential ends at ${new Date(endOfCredential).toISOString()}.`,
    );
  }

  return Math.min(end, endOfCredential);
}

/**
 * The permissions in a request, with the one that every token has, or else all of the credential. Throws a `QuestionError` for one that is
 * unknown or that the credential lacks.
 */
function readPermissions(
  text: string | undefined,
  granted: readonly Permission[],
): readonly Permission[] {
  if (text === undefined) {
    return granted;
  }

  const names = splitValues(text);
  const refused = names.find((name) => !granted.some((permission) => permission === name));
  if (refused !== undefined) {
    const isKnown = allPermissions.some((permission) => permission === refused);
    const reason = isKnown
      ? `the credential has ${granted.join(', ')}, not ${refused}`
      : `${refused} is unknown; known are ${permissionNames}`;
    throw createRequestError(403, `permissions: ${reason}.`);
  }

  return intersectPermissions({
    permissions: granted.filter((permission) => names.includes(permission)),
  });
}
