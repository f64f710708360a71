import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'ini';
import type { Env } from '../../core/env.ts';

/** npm's configuration, for requests in its place. */
export interface NpmConfig {
  /** Undefined where it is not set, or with a variable that is not set. */
  get(key: string): string | undefined;
  /** The keys that begin with `//`, which are about one registry. */
  readonly registryKeys: readonly string[];
  /** The certificates of `ca` and `cafile`, as PEM. */
  readonly certificates: readonly string[];
  /** Settings that cannot be used or are not followed; without any value. */
  readonly warnings: readonly string[];
}

type Layer = Readonly<Record<string, unknown>>;

/**
 * Reads it as npm does (docs.npmjs.com/cli/configuring-npm/npmrc): variables `npm_config_…` go before the `.npmrc` of the project
 * in which `cwd` lies, that before the user's, and that before the machine's. `${VARIABLE}` stands for its value.
 */
export function readNpmConfig(env: Env, cwd: string): NpmConfig {
  const warnings: string[] = [];
  const home = env['HOME'] || homedir();
  const ofEnv = environmentLayer(env);
  const userPath = resolve(text(ofEnv['userconfig']) ?? join(home, '.npmrc'));
  const prefix = text(ofEnv['prefix']) ?? env['PREFIX'] ?? dirname(dirname(process.execPath));
  const machinePath = resolve(text(ofEnv['globalconfig']) ?? join(prefix, 'etc/npmrc'));
  const projectPath = join(projectFolder(cwd), '.npmrc');
  const paths = [...new Set([projectPath, userPath, machinePath])];
  const layers = [ofEnv, ...paths.map((path) => fileLayer(path, env, (problem) => warnings.push(problem)))];

  const find = (key: string) => layers.find((layer) => Object.hasOwn(layer, key))?.[key];
  const get = (key: string) => {
    const value = text(find(key));
    return !value || value === 'null' || /\$\{[^}]+\}/.test(value) ? undefined : value;
  };
  for (const key of ['_auth', '_authToken', '_password'])
    if (find(key) !== undefined)
      warnings.push(`"${key}" without a registry before it ("//host/:${key}") is sent to none`);
  if (get('strict-ssl') === 'false')
    warnings.push(
      'strict-ssl=false is not followed: certificates are verified all the same. Name the authority of yours: cafile, or NODE_EXTRA_CA_CERTS in the environment',
    );

  const certificates: string[] = [];
  const addCertificates = (name: string, pem: string) => {
    const found = certificatesIn(pem);
    if (found) certificates.push(...found);
    else warnings.push(`${name} holds no certificate that can be read; it is left out`);
  };
  for (const ca of [find('ca')].flat())
    if (typeof ca === 'string') addCertificates('ca', ca.replaceAll('\\n', '\n'));
  const cafile = get('cafile') && resolve(get('cafile')!.replace(/^~(?=[\\/])/, home));
  try {
    if (cafile) addCertificates(`cafile ${cafile}`, readFileSync(cafile, 'utf8'));
  } catch (error) {
    warnings.push(`cafile ${cafile} cannot be read (${codeOf(error)}); it is left out`);
  }
  const keys = new Set(layers.flatMap((layer) => Object.keys(layer)));
  return { get, registryKeys: [...keys].filter((key) => key.startsWith('//')), certificates, warnings };
}

/** Nothing is configured. */
export const noNpmConfig: NpmConfig = {
  get: () => undefined,
  registryKeys: [],
  certificates: [],
  warnings: [],
};

function environmentLayer(env: Env): Layer {
  const layer: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(env)) {
    const key = /^npm_config_(.+)$/i.exec(name)?.[1];
    if (key === undefined || !value) continue;
    layer[key.startsWith('//') ? key : key.replaceAll(/(?!^)_/g, '-').toLowerCase()] = value;
  }
  return layer;
}

function fileLayer(path: string, env: Env, warn: (problem: string) => void): Layer {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') warn(`${path} cannot be read (${code})`);
    return {};
  }
  const expand = (part: unknown): unknown =>
    typeof part === 'string' ? expandVariables(part, env) : Array.isArray(part) ? part.map(expand) : part;
  return Object.fromEntries(
    Object.entries(parse(content)).map(([key, value]) => [expandVariables(key, env), expand(value)]),
  );
}

/** `${NAME?}` is nothing where there is no such variable; `${NAME}` stays as it is then. */
function expandVariables(value: string, env: Env): string {
  return value.replaceAll(
    /\$\{([^${}?]+)(\?)?\}/g,
    (whole, name: string, isOptional?: string) => env[name] ?? (isOptional ? '' : whole),
  );
}

/** npm's project: the nearest folder with a package, or else the folder itself. */
function projectFolder(cwd: string): string {
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'node_modules'))) return folder;
  return cwd;
}

/** The certificates in a PEM text; undefined unless each can be read. */
function certificatesIn(pem: string): string[] | undefined {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return found.length > 0 && found.every((one) => new X509Certificate(one).raw) ? found : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : undefined;
}
