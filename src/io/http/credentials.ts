import { inputError } from '../../core/schemas/finding.ts';
import type { NpmConfig } from './npm-config.ts';
import type { HttpRequest } from './request.ts';

/** The prefix of the variables that hold credentials. */
const variablePrefix = 'RELEASE_INDEX_AUTH_';

export interface CredentialSources {
  /** Holds `RELEASE_INDEX_AUTH_<HOST>`. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Holds npm's credentials. */
  npm?: NpmConfig | undefined;
  /** Bearer tokens by origin (`https://api.github.com`). Each is sent to its origin only, never after a redirect from another one. */
  tokens?: ReadonlyMap<string, string> | undefined;
  /** The variable for the token of an origin, which the advice names if the token is missing. */
  keyVariable?: { origin: string; name: string } | undefined;
}

/**
 * The user's credentials by host or path, as values of the header `Authorization`. Throws an `InputError` for a malformed one, without
 * its value.
 */
export function readOwnCredentials({ env = {}, npm, tokens, keyVariable }: CredentialSources) {
  const byVariable = readVariables(env);
  const byRegistry = npm ? readNpmCredentials(npm) : new Map<string, string>();
  const byOrigin = new Map(
    Array.from(tokens ?? [], ([url, token]) => [new URL(url).origin, `Bearer ${token}`]),
  );
  const secrets = listSecrets([
    ...byVariable.values(),
    ...byRegistry.values(),
    ...byOrigin.values(),
  ]).map(createSecretPattern);
  const findInVariables = (url: URL) => byVariable.get(nameVariable(url));
  const find = (url: URL, { asNpm }: Pick<HttpRequest, 'asNpm'> = {}): string | undefined =>
    findInVariables(url) ??
    (asNpm ? findByRegistry(url, byRegistry) : undefined) ??
    byOrigin.get(url.origin);

  return {
    /** For an address that a person has named. `asNpm`: also reads npm's configuration. */
    find,
    /**
     * For a token service that a registry names. A registry could name any host: a service on another origin gets its credential
     * only if the registry has one itself.
     */
    findForRealm(realm: URL, registry: URL): string | undefined {
      if (realm.origin === registry.origin) {
        return find(registry);
      }

      return findInVariables(registry) && findInVariables(realm);
    },
    /** The name of the variable to set for an address. */
    chooseVariable: (url: URL) =>
      url.origin === keyVariable?.origin ? keyVariable.name : nameVariable(url),
    /** Whether the answer to a request may depend on a credential: its own, or one for a token service. */
    mayPersonalise: (url: URL, request: Pick<HttpRequest, 'asNpm' | 'tokenScope'>) =>
      find(url, request) !== undefined || (request.tokenScope !== undefined && byVariable.size > 0),
    /** Replaces every secret part of a credential: a host may echo it. */
    redact: (text: string) =>
      secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text),
  };
}

/** The variable for the credential of a host and port: `RELEASE_INDEX_AUTH_MY__NPM_EXAMPLE_COM_8443`. */
export function nameVariable({ host }: URL): string {
  return `${variablePrefix}${host.toUpperCase().replaceAll(/[^A-Z0-9]/g, toUnderscores)}`;
}

/** Somebody else may own my-npm.example, so my.npm.example has another variable. */
function toUnderscores(character: string): string {
  if (character === '.' || character === ':') {
    return '_';
  }

  return character === '-' ? '__' : '___';
}

function readVariables(env: NodeJS.ProcessEnv): Map<string, string> {
  const credentials = new Map<string, string>();

  for (const [name, text] of Object.entries(env)) {
    const value = text?.trim();
    const variable = name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, toUnderscores);
    if (!variable.startsWith(variablePrefix) || !value) {
      continue;
    }
    if (name !== variable) {
      throw inputError(name, `expected capitals, digits and _ only: ${variable}`);
    }

    if (!isHeaderValue(value)) {
      const expected =
        'expected "Bearer " and a token, or "Basic " and the base64 of user:password';
      throw inputError(name, expected);
    }

    credentials.set(name, value);
  }

  return credentials;
}

/** Whether a text is a whole header: `Bearer …` (RFC 6750, section 2.1) or `Basic …` (RFC 7617, section 2). */
function isHeaderValue(value: string): boolean {
  if (/^Bearer [\x21-\x7e]+$/.test(value)) {
    return true;
  }

  const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1];
  return basic !== undefined && Buffer.from(basic, 'base64').toString().includes(':');
}

/** npm's credentials by the host and path of a registry, `//host/path/`. */
function readNpmCredentials(npm: NpmConfig): Map<string, string> {
  const credentials = new Map<string, string>();

  for (const key of npm.registryKeys) {
    // `//npm.example.com/team/:_authToken`
    const [, registry] = /^(\/\/.+?)\/?:(?:_authToken|_auth|username|_password)$/.exec(key) ?? [];
    const authorization = registry === undefined ? undefined : readNpmAuthorization(npm, registry);
    if (authorization === undefined) {
      continue;
    }

    if (!/^\w+ [\x21-\x7e]+$/.test(authorization)) {
      throw inputError(
        `${registry} in npm's configuration`,
        'expected a credential of printable characters',
      );
    }

    credentials.set(`${registry}/`, authorization);
  }

  return credentials;
}

/** docs.npmjs.com/cli/configuring-npm/npmrc, "Auth related configuration". */
function readNpmAuthorization(npm: NpmConfig, registry: string): string | undefined {
  const read = (key: string) => npm.get(`${registry}/:${key}`) ?? npm.get(`${registry}:${key}`);
  const token = read('_authToken');
  if (token !== undefined) {
    return `Bearer ${token}`;
  }

  const basic = read('_auth');
  if (basic !== undefined) {
    return `Basic ${basic}`;
  }

  const user = read('username');
  const password = read('_password');
  if (user === undefined || password === undefined) {
    return undefined;
  }

  const pair = `${user}:${Buffer.from(password, 'base64').toString()}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** The credential of the registry with the longest path that contains the address. */
function findByRegistry(
  { host, pathname }: URL,
  byRegistry: ReadonlyMap<string, string>,
): string | undefined {
  const nearest = [...byRegistry]
    .filter(([registry]) => `//${host}${pathname}/`.startsWith(registry))
    .sort(([a], [b]) => b.length - a.length)[0];
  return nearest?.[1];
}

/**
 * The texts to hide in messages. Longest first, or replacing a shorter secret would cut a longer one.
 * Skips very short secrets, which occur in any text.
 */
function listSecrets(authorizations: readonly string[]): string[] {
  const minLength = 4;

  const texts = authorizations.flatMap((authorization) => {
    const [scheme, value = ''] = authorization.split(' ');
    if (scheme !== 'Basic') {
      return [value];
    }

    const pair = Buffer.from(value, 'base64').toString();
    return [value, pair, pair.slice(pair.indexOf(':') + 1)];
  });

  return texts.filter((secret) => secret.length >= minLength).sort((a, b) => b.length - a.length);
}

/** Finds a secret, also where characters of it are percent-encoded, as each server does it in its own way. */
function createSecretPattern(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const encoded = Buffer.from(character).toString('hex').replaceAll(/../g, '%$&');
    return `(?:\\u{${character.codePointAt(0)!.toString(16)}}|${encoded})`;
  });
  return new RegExp(characters.join(''), 'giu');
}
