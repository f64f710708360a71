import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'ini';
import { readIfThere } from '../files/file-system.ts';

/** npm's configuration: its registries and their credentials. */
export type NpmConfig = ReturnType<typeof readNpmConfig>;

/**
 * Reads as npm does (docs.npmjs.com/cli/configuring-npm/npmrc), in this order of precedence: variables `npm_config_…`, then
 * `.npmrc` of the project around `cwd`, of the user and of the machine. Expands `${VARIABLE}`.
 */
export function readNpmConfig(env: NodeJS.ProcessEnv, cwd: string) {
  const home = env['HOME'] || homedir();
  const environment = readEnvironment(env);
  const userPath = resolve(cwd, environment['userconfig'] ?? join(home, '.npmrc'));
  const prefix = environment['prefix'] ?? env['PREFIX'] ?? dirname(dirname(process.execPath));
  const machinePath = resolve(cwd, environment['globalconfig'] ?? join(prefix, 'etc/npmrc'));
  const projectPath = join(findProjectFolder(cwd), '.npmrc');

  // A later file overrides an earlier one, and the environment overrides all files.
  const settings = [
    ...[machinePath, userPath, projectPath].flatMap(readFile),
    ...Object.entries(environment),
  ];
  const values = new Map(
    settings.map(([key, value]) => [
      expandVariables(key, env),
      typeof value === 'string' ? expandVariables(value.trim(), env) : undefined,
    ]),
  );

  return {
    /** Undefined if the key, or a variable in its value, is not set. As in npm, the text `null` sets nothing. */
    get(key: string): string | undefined {
      const value = values.get(key);
      const isSet = value && value !== 'null' && !/\$\{[^}]+\}/.test(value);
      return isSet ? value : undefined;
    },
    /** The keys of single registries, which begin with `//`. */
    registryKeys: [...values.keys()].filter((key) => key.startsWith('//')),
  };
}

/** Whether npm of an index reads a token from the environment. */
export function readsNpmToken(folder: string): boolean {
  return readIfThere(join(folder, '.npmrc'))?.includes('NPM_TOKEN') === true;
}

function readEnvironment(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const key = /^npm_config_(.+)$/i.exec(name)?.[1];
    if (key === undefined || !value) {
      continue;
    }

    // npm_config_strict_ssl stands for strict-ssl. A leading underscore stays, as in _authToken.
    values[key.startsWith('//') ? key : key.replaceAll(/(?!^)_/g, '-').toLowerCase()] = value;
  }
  return values;
}

/** The keys of a file with their values; none without such a file. */
function readFile(path: string): [key: string, value: unknown][] {
  return Object.entries(parse(readIfThere(path)?.toString() ?? ''));
}

/** For an unset variable, `${NAME?}` becomes empty and `${NAME}` stays. */
function expandVariables(value: string, env: NodeJS.ProcessEnv): string {
  return value.replaceAll(
    /\$\{([^${}?]+)(\?)?\}/g,
    (whole, name: string, isOptional?: string) => env[name] ?? (isOptional ? '' : whole),
  );
}

/** npm's project: the nearest folder with a package, else `cwd`. */
function findProjectFolder(cwd: string): string {
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'node_modules'))) {
      return folder;
    }
  }

  return cwd;
}
