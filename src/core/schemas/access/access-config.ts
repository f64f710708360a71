import * as z from 'zod';
import { createLineSchema } from '../scalars.ts';
import {
  checked,
  createSchemaKey,
  documented,
  optionalKey,
  rejectRepeated,
  type Fields,
  type Reject,
} from '../keys.ts';
import { limitFields } from './permissions.ts';
import { Domain, TokenIssuer } from './token-issuer.ts';
import { lowerAscii } from '../../text/foreign-text.ts';

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
  const { issuers, opaqueTokenFanOut } = Object(config['externalOauth']);
  const issuerList = readElements(issuers);
  rejectInvalidUsers(readElements(config['users']) ?? [], issuerList, reject);
  if (!issuerList) {
    return;
  }

  rejectInvalidIssuers(issuerList, opaqueTokenFanOut, reject);
  if (Object(config['accessKeys']).enabled === false && issuerList.length === 0) {
    reject(
      ['accessKeys', 'enabled'],
      'without keys and issuers the index has no readers: enable access keys, or name an issuer in externalOauth',
    );
  }
}

function readElements(list: unknown): Fields[] | undefined {
  return Array.isArray(list) ? list.map((element) => Object(element)) : undefined;
}

/** A text as sign-in compares it, with ASCII letters in lower case; any other value as it is. */
function foldText(value: unknown): unknown {
  return typeof value === 'string' ? lowerAscii(value) : value;
}

/** `issuers`: undefined where their list is invalid. */
function rejectInvalidUsers(users: Fields[], issuers: Fields[] | undefined, reject: Reject): void {
  const usernames = users.map(({ username }) => foldText(username));
  rejectRepeated(usernames, 'username', (index) => ['users', index, 'username'], reject);

  const criteria = ['email', 'domain', 'claim'];
  for (const field of criteria) {
    // Two issuers may know different people by the same address or claim.
    const values = users.map(({ [field]: value, issuer }) => {
      return value && [foldText(value), issuer];
    });
    rejectRepeated(values, field, (index) => ['users', index, field], reject);
  }

  for (const [index, user] of users.entries()) {
    const statedCriteria = criteria.filter((field) => user[field] !== undefined);
    if (statedCriteria.length !== 1) {
      const got = statedCriteria.join(' and ') || 'none';
      reject(['users', index], 'expected one of email, domain and claim', got);
    }

    const { issuer, program, claim } = user;
    if (program === true && claim === undefined) {
      reject(['users', index, 'program'], 'expected it only beside claim');
    }
    if (typeof issuer === 'string' && issuers?.every(({ uri }) => uri !== issuer)) {
      reject(['users', index, 'issuer'], 'expected the "uri" of an issuer in externalOauth');
    }
  }
}

function rejectInvalidIssuers(issuers: Fields[], fanOut: unknown, reject: Reject): void {
  // Addresses that differ only by a slash at the end are one issuer.
  const uris = issuers.map(({ uri }) =>
    typeof uri === 'string' ? uri.replace(/\/$/, '') : undefined,
  );
  rejectRepeated(uris, 'uri', (index) => ['externalOauth', 'issuers', index, 'uri'], reject);

  const opaque = issuers.filter(({ accessTokenFormat }) => accessTokenFormat === 'opaque');
  if (opaque.length > 1 && fanOut !== true) {
    reject(
      ['externalOauth', 'opaqueTokenFanOut'],
      `expected true with ${opaque.length} opaque issuers: an opaque token does not name its issuer, so each of them receives it`,
      String(fanOut),
    );
  }
}
