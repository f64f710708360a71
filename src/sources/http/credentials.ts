/** With which credentials hosts are asked: those of the environment and of npm's configuration, and tokens that registries give. */
import npmConf from '@pnpm/npm-conf';
import getAuthToken from 'registry-auth-token';
import * as z from 'zod';
import { inputError } from '../../core/errors.ts';

const prefix = 'RELEASE_INDEX_AUTH_';
export const githubApi = 'https://api.github.com';

/** The values of the header `Authorization`, by host, from the environment and npm's configuration. */
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
  /** What it gives access to is not for everybody. `asNpm`: also from npm's configuration. */
  const findPrivate = (url: URL, asNpm = false): string | undefined =>
    env[nameVariable(url)]?.trim() || (asNpm ? npm.findAuthorization(url) : undefined);
  return {
    findPrivate,
    /** For an address that a definition names. */
    find: (url: URL, asNpm = false): string | undefined =>
      findPrivate(url, asNpm) ||
      (github && url.origin === githubApi ? `Bearer ${github}` : undefined),
  };
}

/** `RELEASE_INDEX_AUTH_MY__NPM_EXAMPLE_COM_8443`: somebody else may own my-npm.example, so my.npm.example has another variable. */
export function nameVariable({ host }: URL): string {
  const name = host
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, (mark) => ({ '.': '_', ':': '_', '-': '__' })[mark] ?? '___');
  return `${prefix}${name}`;
}

export type NpmConfig = ReturnType<typeof readNpmConfig>;

/** npm's own configuration: variables, then `.npmrc` of the project, of the user and of the machine. */
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

/** A file with an unset variable is not read at all: without its registries, another one would be asked for a private package. */
function readNpmFiles() {
  const { config, warnings } = npmConf();
  if (warnings.length > 0) {
    throw inputError('.npmrc', warnings.join(' '));
  }

  // `_auth` without a host would go to every registry. npm itself no longer takes it.
  const { _auth: _, ...npmrc } = config.snapshot;
  return { npmrc, publicRegistry: config.root['registry'] };
}

/* Tokens that the token service of a container registry gives: distribution.github.io/distribution/spec/auth/token */

/** What a registry asks for with its 401. */
export interface Challenge {
  realm: string;
  service?: string | undefined;
}

/** Reads `Bearer realm="https://auth.example/token",service="registry.example"`, also after another challenge. */
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

/** The token in the answer of a token service, if it is one. */
export function readToken(text: string): string | undefined {
  try {
    return Token.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
