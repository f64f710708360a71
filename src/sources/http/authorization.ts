import npmConf from '@pnpm/npm-conf';
import getAuthToken from 'registry-auth-token';
import * as z from 'zod';
import type { PackageOfSource } from '../../core/datasources.ts';
import { inputError } from '../../core/errors.ts';

/** The default registry of the datasource `maven`; here, since `isPrivate` has to recognise it. */
export const mavenCentral = 'https://repo.maven.apache.org/maven2/';

const prefix = 'RELEASE_INDEX_AUTH_';
const githubApi = 'https://api.github.com';

export type Credentials = ReturnType<typeof readCredentials>;

/** The values of the header `Authorization`, by host, from the environment and npm's configuration. */
export function readCredentials(env: NodeJS.ProcessEnv, npm: Pick<NpmConfig, 'findAuthorization'>) {
  const variables = new Map<string, string>();
  for (const [name, text = ''] of Object.entries(env)) {
    const value = text.trim();
    if (!name.startsWith(prefix) || value === '') {
      continue;
    }
    if (!/^(Bearer|Basic) [\x21-\x7e]+$/.test(value)) {
      throw inputError(
        name,
        'expected "Bearer " and a token, or "Basic " and the base64 of user:password',
      );
    }

    variables.set(name, value);
  }

  const github = env['GITHUB_TOKEN'];
  return {
    /** For an address that a definition names. `asNpm`: also from npm's configuration. */
    find(url: URL, asNpm = false): string | undefined {
      return (
        variables.get(nameVariable(url)) ??
        (asNpm ? npm.findAuthorization(url) : undefined) ??
        (github && url.origin === githubApi ? `Bearer ${github}` : undefined)
      );
    },
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
    /** Whether a package may be in a registry that is not public. If a source names one, only those of npm and Maven are recognised. */
    isPrivate({ datasource, packageName = '', registryUrl }: PackageOfSource): boolean {
      const isNpm = datasource === 'npm';
      // Other defaults are as public as Maven's.
      const registry = registryUrl ?? (isNpm ? findRegistry(packageName) : mavenCentral);
      const publicRegistry = isNpm ? read().publicRegistry : mavenCentral;
      return registry.replace(/\/?$/, '/') !== publicRegistry;
    },
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

/** The Bearer challenge of a container registry: distribution.github.io/distribution/spec/auth/token */
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

const Token = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/** The token in the answer of a token service, if it is one. */
export function readToken(text: string): string | undefined {
  try {
    const { token, access_token: accessToken } = Token.parse(JSON.parse(text));
    const value = token || accessToken;
    return value && /^[\x21-\x7e]+$/.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
