import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'ini';
import type { Env } from '../../core/env.ts';

/** What npm is configured with, for whoever asks upstreams in its place. */
export interface NpmConfig {
  /** Undefined where it is set nowhere, or with a variable that is not. */
  get(key: string): string | undefined;
  /** The keys that begin with `//`, which are about one registry. */
  readonly registryKeys: readonly string[];
  /** The certificates of `ca` and `cafile`, as PEM. */
  readonly certificates: readonly string[];
  /** What cannot be used, or is not followed; without any value. */
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
  return {
    get,
    registryKeys: [...new Set(layers.flatMap((layer) => Object.keys(layer)))].filter((key) =>
      key.startsWith('//'),
    ),
    certificates: certificatesOf(find('ca'), get('cafile'), home, (problem) => warnings.push(problem)),
    warnings,
  };
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
    const { code } = error as NodeJS.ErrnoException;
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

function certificatesOf(
  ca: unknown,
  cafile: string | undefined,
  home: string,
  warn: (problem: string) => void,
): string[] {
  const found: string[] = [];
  const take = (name: string, pem: string) => {
    const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (certificates.length > 0 && certificates.every(isCertificate)) found.push(...certificates);
    else warn(`${name} holds no certificate that can be read; it is left out`);
  };
  for (const one of [ca].flat()) if (typeof one === 'string') take('ca', one.replaceAll('\\n', '\n'));
  if (cafile !== undefined) {
    const path = resolve(cafile.replace(/^~(?=[\\/])/, home));
    try {
      take(`cafile ${path}`, readFileSync(path, 'utf8'));
    } catch (error) {
      warn(`cafile ${path} cannot be read (${(error as NodeJS.ErrnoException).code}); it is left out`);
    }
  }
  return found;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : undefined;
}
