import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import semver from 'semver';
import * as z from 'zod';
import { dropUndefined } from '../core/model/objects.ts';
import { AccessConfig } from '../core/schemas/access/access-config.ts';
import {
  Host,
  HostFolder,
  createPlaceholder,
  findGithubRepository,
  SiteConfig,
} from '../core/schemas/definition/site-config.ts';
import { HttpsUrl } from '../core/schemas/urls.ts';
import { formatDocument } from '../io/files/save.ts';
import { neededNode, nodePackages, wranglerVersion } from '../io/program.ts';
import { flag, text, UsageError, type OptionValues } from './command.ts';
import { parseOption, readSiteUrl, policyForms, readSupportPolicy } from './option-values.ts';
import { createProgramSpec, findPackedProgram } from './packed-program.ts';
import { Forge, createStarterFiles, type StarterFile } from './starter/starter.ts';

export const initOptions = {
  'releases-url': text('URL', 'address of the published site'),
  host: text('HOST', 'files (default: a folder of any server), pages (GitHub Pages) or cloudflare'),
  to: text('DIR', 'with --host files: the folder that the server serves'),
  program: text('FOLDER', 'take the program from its packed file in this folder'),
  'repository-url': text('URL', 'repository of the index, where readers report problems'),
  ci: text('FORGE', 'github (default), gitlab, or none: a Dockerfile, for any scheduler'),
  private: text(
    'EMAIL',
    'a private index with this first reader; it needs, and implies, --host cloudflare (default: public)',
  ),
  support: text('POLICY', `${policyForms}, for every component that states no other`),
  line: text('DIGITS', 'with --support: how many digit groups name a release line (default: 2)'),
  homepage: text('URL', 'documentation of a component, where {component} is its name'),
  changelog: text('URL', 'release history of a component, likewise'),
  update: flag('bring an index to this version of the program'),
};

export type InitOptions = typeof initOptions;

export type NewIndexSettings = ReturnType<typeof readInitOptions>;

/**
 * The settings of a new index. `to`: the folder that a server serves; `packedProgram`: its path. Throws a
 * `UsageError` for a wrong option, and for options that exclude each other.
 */
export function readInitOptions(options: OptionValues<InitOptions>) {
  const forge = parseOption('--ci', options.ci, Forge) ?? 'github';
  const defaultHost = options.private === undefined ? 'files' : 'cloudflare';
  const host = parseOption('--host', options.host, Host) ?? defaultHost;
  if (host === 'pages' && forge !== 'github') {
    throw new UsageError(`--host pages: only GitHub deploys to GitHub Pages; got --ci ${forge}`);
  }

  const repositoryUrl = parseOption('--repository-url', options['repository-url'], HttpsUrl);
  const releasesUrl =
    readSiteUrl('--releases-url', options['releases-url']) ??
    (host === 'pages' ? guessPagesUrl(repositoryUrl) : undefined);

  const to = parseOption('--to', options.to && resolve(options.to), HostFolder.shape.folder);
  if (to !== undefined && host !== 'files') {
    throw new UsageError(`--to: expected --host files; got ${host}`);
  }

  return {
    options,
    forge,
    host,
    repositoryUrl,
    releasesUrl,
    to,
    packedProgram: findPackedProgram(options.program),
    defaults: readDefaults(options),
    access: readAccess(options, host),
  };
}

/** The number of digit groups of a release line, as `line` of a support policy states it. */
const LineDigits = z.enum(['1', '2']).transform(Number);

/** The values of site/site.json that definitions inherit. */
function readDefaults({ support, line, homepage, changelog }: OptionValues<InitOptions>) {
  const { policy, problem } = readSupportPolicy(support);
  if (problem !== undefined) {
    throw new UsageError(`--support: ${problem}`);
  }
  if (line !== undefined && policy === undefined) {
    throw new UsageError('--line: expected also --support');
  }

  const digits = parseOption('--line', line, LineDigits);
  const defaults = dropUndefined({
    homepage,
    changelogUrl: changelog,
    support: policy && dropUndefined({ ...policy, line: digits }),
  });
  const namesByKey = { homepage: '--homepage', changelogUrl: '--changelog' };
  parseOption('--support', defaults, SiteConfig.shape.defaults, namesByKey);

  return Object.keys(defaults).length === 0 ? undefined : defaults;
}

/** The content of site/access.json, with the first reader of a private index. */
function readAccess({ private: email }: OptionValues<InitOptions>, host: Host) {
  if (email === undefined) {
    return undefined;
  }
  if (host !== 'cloudflare') {
    throw new UsageError(
      `--private: --host ${host} serves everything to everybody; expected --host cloudflare`,
    );
  }

  const [username = ''] = email.split('@');
  const access = { protect: 'everything', users: [{ username, email }] };
  parseOption('--private', access, AccessConfig, { users: '--private' });

  return { $schema: '../node_modules/release-index/site/schema/access.json', ...access };
}

/** The GitHub Pages address of a repository at GitHub; undefined for others. */
function guessPagesUrl(repositoryUrl = ''): string | undefined {
  const [owner, name] = findGithubRepository(repositoryUrl)?.split('/') ?? [];
  if (owner === undefined || name === undefined) {
    return undefined;
  }

  const site = `${owner.toLowerCase()}.github.io`;
  return name.toLowerCase() === site ? `https://${site}` : `https://${site}/${name}`;
}

/** The files of an empty index. `dependencies`: those of its package.json. */
export function createNewFiles(
  folder: string,
  env: NodeJS.ProcessEnv,
  settings: NewIndexSettings,
  dependencies: ReturnType<typeof listDependencies>,
): StarterFile[] {
  const { forge, host, to, access, defaults, releasesUrl, repositoryUrl } = settings;
  const files = createStarterFiles({
    folder,
    env,
    host,
    publishFolder: to,
    isPrivate: access !== undefined,
    isSigned: false,
    forge,
    values: {
      // With its quotes in the template, as its replacement may be an object.
      '"HOSTING"': to === undefined ? `"${host}"` : `{ "folder": ${JSON.stringify(to)} }`,
      RELEASES_URL: releasesUrl ?? createPlaceholder('releases'),
      REPOSITORY_URL: repositoryUrl ?? createPlaceholder('repository'),
    },
  });
  addKeys(files, join(folder, 'package.json'), dependencies);
  if (defaults) {
    addKeys(files, join(folder, 'site', 'site.json'), { defaults });
  }
  if (access) {
    const path = join(folder, 'site', 'access.json');
    files.push({ path, content: formatDocument(access), isOfForge: false });
  }

  return files;
}

/** Lists the packages that an index needs, by the sections of package.json. May start the Node of npm, to ask for its version. */
export function listDependencies(
  env: NodeJS.ProcessEnv,
  { host, packedProgram }: NewIndexSettings,
): Record<string, Record<string, string>> {
  return dropUndefined({
    dependencies: { 'release-index': createProgramSpec(packedProgram) },
    devDependencies: host === 'cloudflare' ? { wrangler: wranglerVersion } : undefined,
    optionalDependencies: needsNode(env) ? nodePackages : undefined,
  });
}

/** Adds keys to the JSON document of a template, which becomes the file at a path. */
function addKeys(files: readonly StarterFile[], path: string, keys: object): void {
  const file = files.find((candidate) => candidate.path === path)!;
  file.content = formatDocument({ ...(JSON.parse(file.content) as object), ...keys });
}

/** Whether npm has another Node than this program, and that Node is too old or does not start. */
function needsNode(env: NodeJS.ProcessEnv): boolean {
  const nodeOfNpm = env['npm_node_execpath'];
  if (nodeOfNpm === undefined || nodeOfNpm === process.execPath) {
    return false;
  }

  const { status, stdout } = spawnSync(nodeOfNpm, ['--version'], { encoding: 'utf8' });
  return status !== 0 || !semver.satisfies(stdout.trim(), neededNode);
}
