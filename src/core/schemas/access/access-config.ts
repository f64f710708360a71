import * as z from 'zod';
import { createLineSchema } from '../scalars.ts';
import {
  checked,
  createSchemaKey,
  documented,
  optionalKey,
  rejectRepeated,
  type Reject,
} from '../keys.ts';
import { limitFields } from './permissions.ts';
import { Domain, TokenIssuer, type Fields } from './token-issuer.ts';
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
    'The name under which access keys are given to this person or group. With claimMapping sub or preferredUsername also the value of the claim that names the person.',
    'jane',
  ),
  email: optionalKey(
    Email,
    'The address of a person. It matches tokens, ignoring case, unless claimMapping of the issuer chooses the user name. Each user has email, domain or claim.',
    'jane@example.com',
  ),
  domain: optionalKey(
    Domain,
    'Instead of an e-mail address: everybody with an address of this domain who matches no other user.',
    'example.com',
  ),
  claim: optionalKey(
    Claim,
    'Instead of an e-mail address: every other token with this claim, for instance of a group, or of the client that publishes.',
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
      'mcp: only /mcp and requests for tokens need a credential. everything: every page and file needs a credential, too.',
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

function rejectContradictions(config: Fields, reject: Reject): void {
  const { issuers, opaqueTokenFanOut } = readFields(config['externalOauth']);
  const issuerList = readElements(issuers);
  rejectInvalidUsers(readElements(config['users']) ?? [], issuerList, reject);
  if (!issuerList) {
    return;
  }

  rejectInvalidIssuers(issuerList, opaqueTokenFanOut, reject);
  if (readFields(config['accessKeys'])['enabled'] === false && issuerList.length === 0) {
    reject(
      ['accessKeys', 'enabled'],
      'without keys and issuers the index has no readers: enable access keys, or name an issuer in externalOauth',
    );
  }
}

function readElements(list: unknown): Fields[] | undefined {
  return Array.isArray(list) ? list.map(readFields) : undefined;
}

function readFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** `issuers`: undefined where their list is invalid. */
function rejectInvalidUsers(users: Fields[], issuers: Fields[] | undefined, reject: Reject): void {
  const uniqueFields = {
    username: users.map(({ username }) => username && foldCase(username)),
    email: users.map(({ email }) => email && foldCase(email)),
    domain: users.map(({ domain, issuer }) => domain && [foldCase(domain), issuer]),
    claim: users.map(({ claim, issuer }) => claim && [claim, issuer]),
  };
  for (const [field, values] of Object.entries(uniqueFields)) {
    rejectRepeated(values, field, (index) => ['users', index, field], reject);
  }

  for (const [index, { email, domain, claim, issuer }] of users.entries()) {
    const { length } = [email, domain, claim].filter((value) => value !== undefined);
    if (length !== 1) {
      const got = length === 0 ? 'none' : String(length);
      reject(['users', index], 'expected one of email, domain and claim', got);
    }
    if (typeof issuer === 'string' && issuers?.every(({ uri }) => uri !== issuer)) {
      reject(['users', index, 'issuer'], 'expected the "uri" of an issuer in externalOauth');
    }
  }
}

function rejectInvalidIssuers(issuers: Fields[], fanOut: unknown, reject: Reject): void {
  // Addresses that differ only by a slash at the end are one issuer.
  const uris = issuers.map(({ uri }) => uri && String(uri).replace(/\/$/, ''));
  rejectRepeated(uris, 'uri', (index) => ['externalOauth', 'issuers', index, 'uri'], reject);

  const { length } = issuers.filter(({ accessTokenFormat }) => accessTokenFormat === 'opaque');
  if (length > 1 && fanOut !== true) {
    reject(
      ['externalOauth', 'opaqueTokenFanOut'],
      `expected true with ${length} opaque issuers: an opaque token does not name its issuer, so each of them receives it`,
      String(fanOut),
    );
  }
}

function foldCase(text: unknown): string {
  return String(text).toLowerCase();
}

/**
 * `site/access.json` as people may write it: also in the layout of other servers: `externalOauth` inside `accessControl`, `accessKeys` inside
 * `mcpServer`, key sets as text. A layer with other fields stays, and is reported as unknown.
 */
export const WrittenAccessConfig = z.preprocess((input, context) => {
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

  const config = liftField(
    liftField(input, 'accessControl', 'externalOauth'),
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

/** Replaces a layer by its only field, unless the top has this field, too. */
function liftField(config: Fields, layerName: string, field: string): Fields {
  const { [layerName]: layer, ...topLevel } = config;
  const hasOnlyField = isObject(layer) && Object.keys(layer).every((name) => name === field);
  return hasOnlyField && !Object.hasOwn(topLevel, field) ? { ...topLevel, ...layer } : config;
}

/** A key set as text that is not JSON stays, and is reported as invalid. */
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
