/** Finds credentials for hosts: in the environment, in npm's configuration, and as tokens of registries. */
import npmConf from '@pnpm/npm-conf';
import getAuthToken from 'registry-auth-token';
import * as z from 'zod';
import { inputError } from '../../core/errors.ts';

const prefix = 'RELEASE_INDEX_AUTH_';
export const githubApi = 'https://api.github.com';

/** A credential: a value for the header `Authorization`. */
export interface Credential {
  authorization: string;
  /** The environment variable or file that the credential comes from. */
  from: string;
}

/** Reads the credentials for each host from the environment and npm's configuration. */
export function readCredentials(env: NodeJS.ProcessEnv, npm: Pick<NpmConfig, 'findAuthorization'>) {
  for (const [name, text = ''] of Object.entries(env)) {
    const isSet = name.startsWith(prefix) && text.trim() !== '';
    if (isSet && !/^(Bearer|Basic) [\x21-\x7e]+$/.test(text.trim())) {
      throw inputError(
        name,
        'expected "Bearer " and a token, or "Basic " and the base64 of user:password',
      );
    }
  }

  const github = env['GITHUB_TOKEN'];
  /** Finds a credential for private documents. `asNpm`: whether to also search npm's configuration. */
  const findPrivate = (url: URL, asNpm = false): Credential | undefined => {
    const from = nameVariable(url);
    const own = createCredential(env[from]?.trim(), from);
    return own ?? (asNpm ? createCredential(npm.findAuthorization(url), '.npmrc') : undefined);
  };
  return {
    findPrivate,
    /** Finds the credential for a URL that a definition names. */
    find: (url: URL, asNpm = false): Credential | undefined =>
      findPrivate(url, asNpm) ??
      (github && url.origin === githubApi
        ? { authorization: `Bearer ${github}`, from: 'GITHUB_TOKEN' }
        : undefined),
  };
}

function createCredential(authorization: string | undefined, from: string) {
  return authorization ? { authorization, from } : undefined;
}

/** Says where a credential for these origins can be set. */
export function nameVariables(urls: readonly URL[], asNpm = false): string {
  const names = urls.map((url) => (url.origin === githubApi ? 'GITHUB_TOKEN' : nameVariable(url)));
  const orNpm = asNpm ? " or a token in npm's configuration" : '';
  return `${[...new Set(names)].join(' and ')}${orNpm}`;
}

/**
 * Names the environment variable for a host's credential: `my-npm.example.com:8443` → `RELEASE_INDEX_AUTH_MY__NPM_EXAMPLE_COM_8443`.
 * `my-npm.example` and `my.npm.example` may belong to different people, so their variables differ.
 */
function nameVariable({ host }: URL): string {
  const name = host
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, (mark) => ({ '.': '_', ':': '_', '-': '__' })[mark] ?? '___');
  return `${prefix}${name}`;
}

export type NpmConfig = ReturnType<typeof readNpmConfig>;

/** Reads npm's own configuration: variables, then `.npmrc` of the project, of the user and of the machine. */
export function readNpmConfig() {
  let files: ReturnType<typeof readNpmFiles> | undefined;

  function read() {
    files ??= readNpmFiles();
    return files;
  }

  function findRegistry(packageName: string): string {
    const { npmrc } = read();
    const [scope] = packageName.split('/');
    const registry = npmrc[`${scope}:registry`] ?? npmrc.registry;
    if (!URL.canParse(registry)) {
      throw inputError('.npmrc', `expected an address as registry; got ${registry}`);
    }

    return registry;
  }

  return {
    findRegistry,
    findPublicRegistry: () => read().publicRegistry,
    findAuthorization(url: URL): string | undefined {
      const credential = getAuthToken(url.href, { npmrc: read().npmrc, recursive: true });
      return credential && `${credential.type} ${credential.token}`;
    },
  };
}

/**
 * Reads npm's configuration files. Throws if an `.npmrc` file uses a variable that is not set. @pnpm/npm-conf only warns, and ignores this
 * whole file, including the registry in it. A private package would then be requested from another registry.
 */
function readNpmFiles() {
  const { config, warnings } = npmConf();
  if (warnings.length > 0) {
    throw inputError('.npmrc', warnings.join(' '));
  }

  // `_auth` without a host would be sent to every registry. npm itself no longer accepts such an `_auth`.
  const { _auth: _, ...npmrc } = config.snapshot;
  return { npmrc, publicRegistry: config.root['registry'] };
}

/* Reads challenges of container registries and answers of their token services: distribution.github.io/distribution/spec/auth/token */

/** The challenge that a registry sends with 401. */
export interface Challenge {
  realm: string;
  service?: string | undefined;
}

/**
 * Reads a challenge such as `Bearer realm="https://auth.example/token",service="registry.example"`, even after another challenge in the
 * same header.
 */
export function parseChallenge(header: string | null): Challenge | undefined {
  const [, parameters = ''] = /(?:^|,)\s*Bearer\s+(.*)/is.exec(header ?? '') ?? [];
  const readParameter = (name: string) =>
    new RegExp(`\\b${name}="?([^",\\s]+)`, 'i').exec(parameters)?.[1];
  const realm = readParameter('realm');
  return realm === undefined ? undefined : { realm, service: readParameter('service') };
}

const Token = z
  .object({ token: z.string().optional(), access_token: z.string().optional() })
  .transform(({ token, access_token: accessToken }) => token || accessToken)
  .pipe(z.string().regex(/^[\x21-\x7e]+$/));

/** Reads the token in the answer of a token service. Undefined if the answer has no token. */
export function readToken(text: string): string | undefined {
  try {
    return Token.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
