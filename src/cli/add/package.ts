/** Reads the name of a package, and drafts its definition. */
import HostedGit from 'hosted-git-info';
import { datasourceFacts, datasourceNames, type DatasourceName } from '../../core/datasources.ts';
import { UsageError } from '../../core/errors.ts';
import { readNamedFile } from '../../core/files.ts';
import { compilePattern } from '../../core/pattern.ts';
import { parseImage, splitImage } from '../../core/purl.ts';
import type { Source } from '../../core/schema/written.ts';
import {
  decodeText,
  escapePattern,
  formatList,
  formatShare,
  quote,
  quoteWord,
} from '../../core/text.ts';
import { type SelectedAnswer, selectAnswer } from '../../sources/answer.ts';
import { createPrivacyTest, findDatasource } from '../../sources/index.ts';
import { checkAnswer } from '../../sources/read-releases.ts';
import type { SourceContext } from '../../sources/types.ts';
import {
  type AddRun,
  deriveComponentName,
  draftDefinition,
  type Draft,
  type DraftOptions,
} from './component.ts';
import { readReleaseList } from './list.ts';
import { readProductAddress } from './product.ts';
import { choosePrefix, writeTagPattern } from './tags.ts';
import { proposeVersions } from './variants.ts';

/** A package, with the same keys as a source in a definition. */
interface Package {
  datasource: DatasourceName;
  packageName: string;
  /** The registry, if it is not the datasource's default registry. */
  registryUrl?: string | undefined;
}

/** Examples of package names, which `add --help` prints. A datasource whose definition needs more than a name has no example. */
export const examples: Readonly<Partial<Record<DatasourceName, string>>> = {
  npm: '@scope/package',
  maven: 'com.example:agent',
  pypi: 'agent',
  docker: 'example/agent',
  helm: 'agent --registry-url URL',
  'github-releases': 'owner/repo',
  'github-tags': 'owner/repo',
  'gitlab-releases': 'group/project',
  'gitlab-tags': 'group/project',
  'git-tags': 'https://git.example.com/agent.git',
  nuget: 'Agent',
  crate: 'agent',
  rubygems: 'agent',
  go: 'example.com/agent',
  json: 'https://example.com/agent.json',
  static: 'releases.csv',
};

/**
 * Reads a package from the words of a command: a datasource and a name, or the URL of a repository or image. Returns undefined for words
 * that may be the name of a product of endoflife.date. Throws a `UsageError` for any other URL. Also throws it if the name or the registry
 * is missing or wrong.
 * - `registryUrl`: the value of `--registry-url`
 */
export function readPackage(
  [first = '', name = '']: readonly string[],
  registryUrl?: string,
): Package | undefined {
  const stated = datasourceNames.find((each) => each === first);
  const datasource = stated ?? guessDatasource(first);
  if (datasource === undefined) {
    if (/^https?:\/\//.test(first) && readProductAddress(first) === undefined) {
      throw new UsageError(
        `${first}: add reads the addresses of repositories at GitHub and GitLab. Name the datasource and the package: ${suggestPackage('npm', first)}`,
      );
    }
    return undefined;
  }

  const named = locatePackage(datasource, stated ? name : first);
  const chosen = { ...named, registryUrl: registryUrl ?? named.registryUrl };
  rejectIncomplete(chosen);
  return chosen;
}

/** Guesses the datasource from a URL. */
function guessDatasource(address: string): DatasourceName | undefined {
  if (address.startsWith('oci://')) {
    return 'docker';
  }
  const type = /^\w+:\/\/|^git@/.test(address) ? HostedGit.fromUrl(address)?.type : undefined;
  return type === 'github' || type === 'gitlab' ? `${type}-releases` : undefined;
}

function locatePackage(datasource: DatasourceName, name: string): Package {
  // A Helm chart in an OCI registry also has the datasource `docker`, because its versions are tags, like the versions of an image.
  if (datasource === 'docker' || name.startsWith('oci:')) {
    return { datasource: 'docker', ...readImageName(name) };
  }
  if (/^git(?:hub|lab)-/.test(datasource)) {
    return { datasource, ...readRepository(name) };
  }
  if (takesAddress.includes(datasource)) {
    return { datasource, packageName: name };
  }
  if (/^https?:\/\//.test(name)) {
    throw new UsageError(
      `add ${datasource} expects the name of a package, not the address ${name}. For example: ${suggestPackage(datasource, name)}`,
    );
  }
  // A version is dropped, like the tag of an image, because `add` is about all versions.
  const end = name.slice(1).search(/@|[=<>!~]=|[<>]/);
  return { datasource, packageName: end < 0 ? name : name.slice(0, end + 1) };
}

/** Datasources whose packages are URLs or files. */
const takesAddress: readonly DatasourceName[] = ['json', 'static', 'git-tags'];

/** Suggests the command for the page of a package: `add npm semver` for `https://registry.example.com/package/semver`. */
function suggestPackage(datasource: DatasourceName, address: string): string {
  const { pathname } = URL.parse(address) ?? { pathname: '' };
  const [, name = examples[datasource]] =
    /\/(?:packages?|projects?|crates|gems|artifact)\/((?:@[^/]+\/)?[^/]+)/.exec(pathname) ?? [];
  return `add ${datasource} ${name}`;
}

/** Reads `registry.example.com/team/app`. Drops a tag or digest, because `add` is about all versions. */
function readImageName(address: string) {
  const { host, repository } = splitImage(address);
  const packageName = parseImage(address)?.name ?? repository;
  const isHub = host === undefined || /^(?:[\w-]+\.)?docker\.(?:io|com)$/.test(host);
  return isHub ? { packageName } : { packageName, registryUrl: `https://${host}` };
}

/** Reads a repository from `https://git.example.com/group/project.git`, or from the URL of a page about the repository. */
function readRepository(address: string) {
  // At GitHub and GitLab, the URLs of pages are below the URL of their repository.
  const [top = address] = /^https?:\/\/github\.com(?:\/[^/]+){2}|^.+?(?=\/-\/)/.exec(address) ?? [];
  const hosted = /[:@]/.test(top) ? HostedGit.fromUrl(top) : undefined;
  if (hosted) {
    return { packageName: `${hosted.user}/${hosted.project}` };
  }

  const url = /^https?:\/\//.test(top) ? URL.parse(top) : null;
  if (!url) {
    return { packageName: address };
  }
  const path = url.pathname.replace(/(?:\.git)?\/?$/, '');
  return { packageName: path.slice(1), registryUrl: url.origin };
}

function rejectIncomplete({ datasource, packageName, registryUrl }: Package): void {
  const { needs } = datasourceFacts[datasource];
  const example = examples[datasource];
  if (example === undefined) {
    const keys = ['datasource', ...needs].join(', ');
    throw new UsageError(
      `add writes no ${datasource}: write a source with ${keys} into components/<name>.json`,
    );
  }
  if (packageName === '') {
    throw new UsageError(
      `add ${datasource} expects one package, such as ${example}. A product of endoflife.date with this name: add https://endoflife.date/${datasource}`,
    );
  }
  if (datasource === 'git-tags' && !URL.canParse(packageName)) {
    throw new UsageError(
      `add git-tags expects the address of a repository, such as ${example}; got ${quote(packageName)}`,
    );
  }
  if (needs.includes('registryUrl') && registryUrl === undefined) {
    throw new UsageError(`--registry-url: ${datasource} has no default registry`);
  }
}

/** Drafts a definition from the registry's answer about a package. */
export async function draftPackage(
  named: Package,
  options: DraftOptions,
  run: AddRun,
): Promise<Draft> {
  const { datasource, packageName } = named;
  const context = { ...run, packages: [] };
  const list =
    datasource === 'static'
      ? readReleaseList(packageName, decodeText(readNamedFile(packageName)))
      : undefined;
  const source: Source = list
    ? { datasource, releases: list.releases }
    : { datasource, ...locate(named) };

  const described = await findDatasource(source).describe?.(source, context);
  const read = hasTags(named) ? await readTags(named, source, options, context) : undefined;
  const tags = datasource === 'docker' ? await listNames(source, context) : [];
  const { notes: notesOfTags, ...keysOfTags } = proposeVersions(tags);
  const { definition, notes } = draftDefinition(
    packageName,
    { ...source, ...read?.keys, ...keysOfTags },
    described ?? {},
    { support: list?.support, title: nameTags(options.tags), ...options },
    { defaults: run.defaults, isPrivate: createPrivacyTest()(source) },
  );
  return {
    definition,
    notes: [...(list?.notes ?? []), ...(read?.notes ?? []), ...notesOfTags, ...notes],
  };
}

/** Tells whether the versions of a package are tags of a repository. */
export function hasTags({ datasource }: Package): boolean {
  return datasource.startsWith('git');
}

/** Derives the name of a component from `--tags`: `core-v` → `core`. Undefined without a name. */
export function nameTags(prefix = ''): string | undefined {
  return deriveComponentName(prefix.replace(/(?<![a-z])v$/i, '')) || undefined;
}

/** Lists the names of all releases, as the registry spells them. */
async function listNames(source: Source, context: SourceContext): Promise<string[]> {
  const { releases } = await findDatasource(source).list(source, context);
  return releases.map(({ version }) => version);
}

/** Returns the keys that locate a source: package, URL or registry. */
function locate({ datasource, packageName, registryUrl }: Package): Partial<Source> {
  if (datasource === 'json') {
    return /^https?:/.test(packageName) ? { url: packageName } : { file: packageName };
  }
  return { packageName, ...(registryUrl && { registryUrl }) };
}

/** Proposes the definition keys that select versions from the tags, and files from the latest release. */
async function readTags(
  { datasource, packageName, registryUrl }: Package,
  source: Source,
  { tags: wanted }: DraftOptions,
  context: SourceContext,
) {
  const listed = await findDatasource(source).list(source, context);
  const answer = checkAnswer(listed, context.day);
  const tags = answer.releases.map(({ version }) => version);
  const registry = registryUrl === undefined ? '' : ` --registry-url ${registryUrl}`;
  const command = `npx release-index add ${datasource} ${quoteWord(packageName)}${registry}`;
  const { text, count } = choosePrefix(tags, { repository: packageName, command }, wanted);
  const extractVersion = writeTagPattern(text);
  const files =
    datasource === 'github-releases'
      ? nameFiles(selectAnswer(answer, { ...source, extractVersion }))
      : undefined;
  const note = `extractVersion: only the ${formatShare(count, tags.length)} tags that begin with ${text} are read`;
  return {
    keys: { ...(extractVersion && { extractVersion }), ...files?.keys },
    notes: [...(extractVersion ? [note] : []), ...(files?.notes ?? [])],
  };
}

/**
 * Proposes the definition key `digestOf` if the latest release has files for several platforms. `digestOf` maps each platform, such as
 * `linux-amd64`, to a regular expression for the name of its file.
 */
function nameFiles({ releases, assets = [] }: SelectedAnswer) {
  const { name: tag = '', version = '' } = releases.at(-1) ?? {};
  const digestOf = proposeFiles(assets, version);
  const names = Object.keys(digestOf);
  if (names.length < 2) {
    return undefined;
  }

  return {
    keys: { digestOf },
    notes: [
      `digestOf: ${formatList(names, 10)}, from the names of the files of ${tag}. Remove files that nobody downloads: a new release is listed at once, but latest/<component>.json and <component>/${names[0]}.json wait until it has a digest of each file`,
    ],
  };
}

const systems: Readonly<Record<string, RegExp>> = {
  linux: /linux/i,
  darwin: /darwin|mac-?os/i,
  windows: /windows|(?<![a-z])win(?:32|64)?(?![a-z])/i,
};
const machines: Readonly<Record<string, RegExp>> = {
  amd64: /amd64|x86[-_]64|x64/i,
  arm64: /arm64|aarch64/i,
};

/**
 * Regular expressions for the endings of file names, in order of preference. If a platform has several files, the first expression that
 * matches exactly one of them chooses this file.
 */
const endings = [/\.tar\.gz$|\.tgz$/, /\.tar\.[a-z0-9]+$/, /\.zip$/, /\.exe$/, /(?:^|\.)[^.]{5,}$/];

/**
 * Proposes a regular expression for each platform, such as `linux-amd64`. It matches only one file of the release. It does not contain the
 * version, so that it also matches the file of later releases.
 */
function proposeFiles(assets: readonly string[], version: string): Record<string, string> {
  const proposed: Record<string, string> = {};
  for (const [system, systemForm] of Object.entries(systems)) {
    for (const [machine, machineForm] of Object.entries(machines)) {
      const forms = [systemForm, machineForm];
      const candidates = assets.filter((asset) => forms.every((form) => form.test(asset)));
      const [asset = ''] =
        endings
          .map((ending) => candidates.filter((candidate) => ending.test(candidate)))
          .find(({ length }) => length === 1) ?? [];
      // The regular expression begins at the platform, because the text before it is usually the version.
      const start = Math.min(...forms.map((form) => asset.search(form)));
      const parts = asset.slice(Math.max(start - 1, 0)).split(version.replace(/^v/, ''));
      const pattern = `${parts.map(escapePattern).join('.+')}$`;
      if (asset !== '' && assets.filter(compilePattern(pattern).test).length === 1) {
        proposed[`${system}-${machine}`] = pattern;
      }
    }
  }
  return proposed;
}
