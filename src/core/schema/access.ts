import * as z from 'zod';
import { checked, matching, optional, DaySchema, OneLine, ServiceUrl } from './scalars.ts';

/**
 * The permission to read data that belongs to no project. Every credential has this permission, because the specification of the API
 * requires it if access is not restricted to single projects (test/specification/README.md).
 */
export const commonPermission = 'accessDataWithoutAssociatedProject';

/**
 * The permissions of a user.
 * - `read`: requests to the REST API
 * - `export`: the stream of runs (`/build-export/`)
 * - `mcp`: requests of AI agents
 * - `scan`: policy scans, and signed statements about releases
 */
export const permissions = ['read', 'export', 'mcp', 'scan', commonPermission] as const;
export type Permission = (typeof permissions)[number];

const Permissions = z
  .array(z.enum(permissions))
  .optional()
  .describe('What the user may do. If absent, everything. For example, ["read", "scan"].');

/** Returns the permissions that all the given lists contain, and `commonPermission`. An absent list stands for all permissions. */
export function intersectPermissions(
  ...limits: readonly { permissions?: readonly Permission[] | undefined }[]
): Permission[] {
  return permissions.filter(
    (permission) =>
      permission === commonPermission ||
      limits.every(({ permissions: allowed }) => allowed?.includes(permission) ?? true),
  );
}

const Domain = matching(
  /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/,
  'a domain such as example.com, without @ and *',
);

/** Tells whether a key is secret. Only private and symmetric keys have these members (RFC 7518, section 6). */
const isSecretKey = (key: object) => ['d', 'k', 'p', 'q'].some((member) => member in key);

/** The public keys of an issuer (RFC 7517): an object, or its JSON text. */
const JwkSet = z.preprocess(
  readJson,
  z
    .object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) }, 'expected {"keys": […]}')
    .refine(
      ({ keys }) => !keys.some(isSecretKey),
      'holds a secret key. Remove it here, and replace the key at the issuer',
    ),
);

function readJson(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}

const jwtKeys = ['jwksUri', 'jwkSet', 'allowedJwtAudiences', 'allowedJwtTypes'] as const;

const Issuer = checked(
  z.strictObject({
    uri: ServiceUrl.describe(
      "The issuer's URL, as in the claim iss of its tokens. For example, https://login.example.com.",
    ),
    accessTokenFormat: z
      .enum(['jwt', 'opaque'])
      .describe('jwt: signed tokens. opaque: tokens that only the issuer can read.'),
    ...optional({
      jwksUri: ServiceUrl.describe('The URL at which the issuer publishes its public keys.'),
      jwkSet: JwkSet.describe('Instead of jwksUri: the public keys of the issuer (RFC 7517).'),
      allowedJwtAudiences: z
        .array(OneLine)
        .describe(
          'Which values of the claim aud are accepted: <releasesUrl>/mcp, or the ids of clients.',
        ),
      restrictByJwtAudience: z
        .boolean()
        .describe(
          'If false, tokens that the issuer made for another service are accepted, too. This is unsafe.',
        ),
      allowedJwtTypes: z
        .array(OneLine)
        .min(1)
        .describe('Which values of the header typ are accepted. For example, at+jwt.'),
    }),
    allowedDomains: z
      .array(Domain)
      .default([])
      .describe('Which e-mail domains users may have. For example, example.com.'),
    restrictByDomain: z
      .boolean()
      .default(true)
      .describe('If false, an e-mail address may have any domain.'),
    claimMapping: z
      .enum(['email', 'sub', 'preferredUsername'])
      .default('email')
      .describe(
        'Which claim of a token names the user. email is compared with the email of users, the others with username.',
      ),
    requireEmailVerified: z
      .boolean()
      .default(false)
      .describe('If true, the issuer must have verified the e-mail address.'),
  }),
  (issuer, reject) => {
    const { jwksUri, jwkSet, allowedJwtAudiences = [], restrictByJwtAudience = true } = issuer;
    const isJwt = issuer.accessTokenFormat === 'jwt';
    if (isJwt && (jwksUri === undefined) === (jwkSet === undefined)) {
      const hint = jwksUri === undefined ? '' : ', not both';
      reject(['jwksUri'], `configure jwkSet or jwksUri${hint}`);
    }

    const expected = 'expected either at least one';
    if (isJwt && restrictByJwtAudience !== allowedJwtAudiences.length > 0) {
      reject(['allowedJwtAudiences'], `${expected} audience, or "restrictByJwtAudience": false`);
    }
    if (issuer.restrictByDomain !== issuer.allowedDomains.length > 0) {
      reject(['allowedDomains'], `${expected} domain, or "restrictByDomain": false`);
    }

    for (const key of jwtKeys.filter((each) => !isJwt && issuer[each] !== undefined)) {
      reject(
        [key],
        'is only for accessTokenFormat jwt: nobody but its issuer can read an opaque token',
      );
    }
  },
);
export type Issuer = z.infer<typeof Issuer>;

const UserName = z.string().regex(/^[^\s:"\\\p{Cc}]{1,100}$/u);

const User = z.strictObject({
  username: UserName.describe(
    "The user's name. It is compared with a token's claim if claimMapping is sub or preferredUsername.",
  ),
  email: z
    .string()
    .regex(/^[^\s@"\\\p{Cc}]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/u)
    .optional()
    .describe('The e-mail address. It is compared with a token if claimMapping is email.'),
  permissions: Permissions,
});
export type User = z.infer<typeof User>;

/**
 * `site/access.json`: who may send requests to the Worker. The names of its JSON keys come from the specification of the API
 * (test/specification/README.md).
 */
export const AccessConfig = checked(
  z.strictObject({
    $schema: z.string().optional(),
    users: z.array(User).min(1).describe('Who may send requests to the API.'),
    mcpServer: z
      .strictObject({
        accessKeys: z
          .strictObject({
            enabled: z
              .boolean()
              .describe('Whether access keys are accepted at /mcp, the MCP endpoint.'),
          })
          .default({ enabled: true }),
      })
      .prefault({}),
    accessControl: z
      .strictObject({
        externalOauth: z
          .strictObject({
            issuers: z
              .array(Issuer)
              .default([])
              .describe('The identity providers with which people sign in.'),
            opaqueTokenFanOut: z
              .boolean()
              .default(false)
              .describe(
                'If true, several opaque issuers are allowed. Each of them then receives tokens of the others.',
              ),
          })
          .prefault({}),
      })
      .prefault({}),
  }),
  ({ users, mcpServer, accessControl }, reject) => {
    const { issuers, opaqueTokenFanOut } = accessControl.externalOauth;
    const opaque = issuers.filter(({ accessTokenFormat }) => accessTokenFormat === 'opaque');
    if (opaque.length > 1 && !opaqueTokenFanOut) {
      reject(
        ['accessControl', 'externalOauth', 'opaqueTokenFanOut'],
        'expected true with several opaque issuers: each of them receives the tokens of the others',
      );
    }
    if (!mcpServer.accessKeys.enabled && issuers.length === 0) {
      reject(
        ['mcpServer', 'accessKeys', 'enabled'],
        'without keys and issuers nobody could use /mcp: name an issuer in accessControl.externalOauth',
      );
    }
    if (isRepeated(issuers.map(({ uri }) => uri.replace(/\/$/, '')))) {
      reject(['accessControl', 'externalOauth', 'issuers'], 'expected each "uri" once');
    }
    for (const key of ['username', 'email'] as const) {
      if (isRepeated(users.flatMap((user) => user[key]?.toLowerCase() ?? []))) {
        reject(['users'], `expected each "${key}" once`);
      }
    }
  },
);
export type AccessConfig = z.infer<typeof AccessConfig>;

function isRepeated(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}

export const accessKeyPrefix = 'release_index_';

/** An access key as it is stored. It is a secret, because tokens are signed with its digest. */
export const AccessKey = z.strictObject({
  /** The name of the key. By default it is the user's name. */
  name: UserName,
  user: z.string().min(1),
  /** The last day (UTC) on which the key is valid. */
  expires: DaySchema,
  /** The SHA-256 of the whole access key, in lower-case hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  permissions: Permissions,
});
export type AccessKey = z.infer<typeof AccessKey>;
