import npmConf from '@pnpm/npm-conf';
import getAuthToken from 'registry-auth-token';
import { inputError } from '../../core/errors.ts';

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
