import * as z from 'zod';
import {
  checked,
  createLineSchema,
  createSchemaKey,
  documented,
  optionalKey,
  type Reject,
} from '../scalars.ts';
import { limitFields } from './access-keys.ts';
import { Domain, TokenIssuer } from './token-issuer.ts';
import { isObject } from '../../model/objects.ts';

const Username = z
  .string()
  .max(100)
  .regex(/^[^\s:"\\\p{Cc}]+$/u, {
    error: 'expected a user name without white space, colon, quotes and backslash',
  });

const Email = z
  .string()
  .max(254)
  .regex(/^[^\s@"\\\p{Cc}]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/u, {
    error: 'expected an e-mail address such as jane@example.com',
  });

const Claim = z.strictObject({
  name: documented(createLineSchema(200), 'Name of a claim at the top of the token.', 'groups'),
  value: documented(createLineSchema(200), 'Its value, or one of its values.', 'build-team'),
});

const User = z.strictObject({
  username: documented(
    Username,
    'The name under which access keys are given to this person or group.',
    'jane',
  ),
  email: optionalKey(
    Email,
    'The address that matches tokens to this person, ignoring case. Each user has email, domain or claim.',
    'jane@example.com',
  ),
  domain: optionalKey(
    Domain,
    'Instead of an e-mail address: everybody with an address of this domain who matches no other user.',
    'example.com',
  ),
  claim: optionalKey(
    Claim,
    'Instead of an e-mail address: every token with this claim, for instance of a group, or of the client that publishes.',
    { name: 'groups', value: 'build-team' },
  ),
  program: optionalKey(
    z.boolean(),
    'true: also accepts tokens without an e-mail address. Otherwise they are accepted only for a claim "sub", "azp" or "client_id": a person could leave the address out.',
    true,
  ),
  issuer: optionalKey(
    z.string(),
    'The "uri" of the only issuer whose tokens match this user; any issuer where absent.',
    'https://login.example.com/',
  ),
  ...limitFields,
});
export type User = z.infer<typeof User>;

const exampleIssuer: z.input<typeof TokenIssuer> = {
  uri: 'https://login.example.com/',
  accessTokenFormat: 'jwt',
  jwksUri: 'https://login.example.com/jwks.json',
  allowedJwtAudiences: ['https://releases.example.com/mcp'],
  allowedDomains: ['example.com'],
};

const ExternalOauth = z.strictObject({
  issuers: documented(
    z.array(TokenIssuer).max(20),
    'Issuers of accepted access tokens, in the order that clients see.',
    [exampleIssuer],
  ),
  opaqueTokenFanOut: documented(
    z.boolean().default(false),
    'true: an opaque token, which does not name its issuer, is sent to several opaque issuers in turn. Each of them then sees tokens of the others.',
    true,
  ),
});

/** `site/access.json`, written by hand: who may read the index. The Worker gets it with every default filled in. */
export const AccessConfig = checked(
  z.strictObject({
    $schema: createSchemaKey('schema/access.json'),
    protect: documented(
      z.enum(['mcp', 'everything']),
      'mcp: only /mcp needs a credential. everything: every page and file needs a credential, too.',
      'everything',
    ),
    users: documented(z.array(User).min(1).max(10_000), 'The people and groups who may read it.', [
      { username: 'jane', email: 'jane@example.com' },
    ]),
    accessKeys: documented(
      z
        .strictObject({
          enabled: documented(
            z.boolean(),
            'Whether access keys are accepted ("key new" makes one).',
            true,
          ),
        })
        .default({ enabled: true }),
      'Access keys of the index itself; accepted where absent.',
      { enabled: true },
    ),
    externalOauth: documented(
      ExternalOauth.default({ issuers: [], opaqueTokenFanOut: false }),
      'Authorization servers whose access tokens are accepted; none where absent.',
      { issuers: [exampleIssuer] },
    ),
  }),
  rejectContradictions,
);
export type AccessConfig = z.infer<typeof AccessConfig>;

export type Protection = AccessConfig['protect'];

/** Checks keys against each other. Their own schemas check each key, so values may have any form here. */
function rejectContradictions(config: any, reject: Reject): void {
  const users: readonly any[] = Array.isArray(config.users) ? config.users : [];
  rejectRepeated(users, ['users', 'username'], ({ username }) => username?.toLowerCase?.(), reject);
  rejectRepeated(users, ['users', 'email'], ({ email }) => email?.toLowerCase?.(), reject);
  rejectRepeated(
    users,
    ['users', 'domain'],
    ({ domain, issuer }) => [domain?.toLowerCase?.(), issuer],
    reject,
  );
  rejectRepeated(users, ['users', 'claim'], ({ claim, issuer }) => [claim, issuer], reject);

  for (const [index, user] of users.entries()) {
    const matches = [user?.email, user?.domain, user?.claim].filter((value) => value !== undefined);
    if (matches.length !== 1) {
      const got = matches.length === 0 ? 'none' : String(matches.length);
      reject(['users', index], 'expected one of email, domain and claim', got);
    }
  }

  const issuers: unknown = config.externalOauth?.issuers;
  if (Array.isArray(issuers)) {
    checkIssuers(config, users, issuers, reject);
  }
}

function checkIssuers(
  { accessKeys, externalOauth }: any,
  users: readonly any[],
  issuers: readonly any[],
  reject: Reject,
): void {
  // Addresses that differ only by a slash at the end are one issuer.
  const path = ['externalOauth', 'issuers', 'uri'];
  rejectRepeated(issuers, path, ({ uri }) => String(uri).replace(/\/$/, ''), reject);

  for (const [index, user] of users.entries()) {
    const uri: unknown = user?.issuer;
    if (typeof uri === 'string' && !issuers.some((issuer) => issuer?.uri === uri)) {
      reject(['users', index, 'issuer'], 'expected the "uri" of an issuer in externalOauth');
    }
  }

  if (accessKeys?.enabled === false && issuers.length === 0) {
    reject(
      ['accessKeys', 'enabled'],
      'without keys and issuers the index has no readers: enable access keys, or name an issuer in externalOauth',
    );
  }

  const opaqueCount = issuers.filter((issuer) => issuer?.accessTokenFormat === 'opaque').length;
  if (opaqueCount > 1 && externalOauth.opaqueTokenFanOut !== true) {
    reject(
      ['externalOauth', 'opaqueTokenFanOut'],
      `expected true with ${opaqueCount} opaque issuers: an opaque token does not name its issuer, so each of them receives it`,
      String(externalOauth.opaqueTokenFanOut),
    );
  }
}

/** Rejects a value that an earlier element has, too. `path`: the list and the key. `readKey`: equal for values that mean the same. */
function rejectRepeated(
  list: readonly any[],
  path: readonly string[],
  readKey: (element: any) => unknown,
  reject: Reject,
): void {
  const name = path.at(-1)!;
  const firstIndexes = new Map<string, number>();

  for (const [index, element] of list.entries()) {
    const value: unknown = element?.[name];
    if (value === undefined) {
      continue;
    }

    const key = JSON.stringify(readKey(element));
    const firstIndex = firstIndexes.get(key) ?? index;
    firstIndexes.set(key, firstIndex);
    if (firstIndex < index) {
      reject(
        [...path.slice(0, -1), index, name],
        `expected each ${name} once`,
        `that of element ${firstIndex} again (${JSON.stringify(value)})`,
      );
    }
  }
}

type Part = Readonly<Record<string, unknown>>;

/**
 * Also reads `site/access.json` in the layout of other servers: `externalOauth` inside `accessControl`, `accessKeys` inside
 * `mcpServer`, key sets as text. Other keys there stay, and are reported as unknown.
 */
export const ReadAccessConfig = z.preprocess((input, context) => {
  if (!isObject(input)) {
    return input;
  }

  const { mcpServer } = input;
  if (isObject(mcpServer) && ('externalOauth' in mcpServer || 'issuers' in mcpServer)) {
    context.addIssue({
      code: 'custom',
      path: ['mcpServer'],
      message:
        'expected no issuers here; they belong in externalOauth, at the top or in accessControl',
      params: { got: Object.keys(mcpServer).join(', ') },
    });
  }

  const config = liftKey(
    liftKey(input, 'accessControl', 'externalOauth'),
    'mcpServer',
    'accessKeys',
  );
  const { externalOauth } = config;
  if (!isObject(externalOauth) || !Array.isArray(externalOauth['issuers'])) {
    return config;
  }

  const issuers = externalOauth['issuers'].map(parseKeySet);
  return { ...config, externalOauth: { ...externalOauth, issuers } };
}, AccessConfig);

/** Replaces a layer by its only key, unless the top has the key, too. */
function liftKey(config: Part, name: string, key: string): Part {
  const { [name]: layer, ...topLevel } = config;
  const hasOnlyKey = isObject(layer) && Object.keys(layer).every((layerKey) => layerKey === key);
  return hasOnlyKey && !Object.hasOwn(topLevel, key) ? { ...topLevel, ...layer } : config;
}

/** A key set as text that is no JSON stays, and is reported as no key set. */
function parseKeySet(issuer: unknown): unknown {
  if (!isObject(issuer) || typeof issuer['jwkSet'] !== 'string') {
    return issuer;
  }

  try {
    return { ...issuer, jwkSet: JSON.parse(issuer['jwkSet']) };
  } catch {
    return issuer;
  }
}
