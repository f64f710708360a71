import { inputError } from '../../core/errors.ts';
import type { NpmConfig } from './npm-config.ts';

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
