import { datasourceFacts } from '../../core/datasources.ts';
import { inputError } from '../../core/errors.ts';
import type { Definition, Source } from '../../core/schema/definition.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { toLine } from '../../core/text.ts';
import type { PackageDescription } from '../../sources/types.ts';

/** Values from options, which take precedence over the registry's, and of the index. */
interface Facts {
  title?: string | undefined;
  homepage?: string | undefined;
  changelogUrl?: string | undefined;
  support?: Definition['support'];
  defaults?: Settings['defaults'];
  /** It is in a registry of its own. */
  isPrivate: boolean;
}

export interface Draft {
  /** Without what the defaults of the settings give. */
  definition: Omit<Definition, 'homepage' | 'changelogUrl'> & Partial<Definition>;
  /** Where values come from that the registry does not state. */
  notes: string[];
}

/** Of packages, for people. */
const registryPages: Readonly<Partial<Record<Source['datasource'], string>>> = {
  'github-releases': 'https://github.com/NAME',
  'github-tags': 'https://github.com/NAME',
  pypi: 'https://pypi.org/project/NAME/',
  crate: 'https://crates.io/crates/NAME',
  rubygems: 'https://rubygems.org/gems/NAME',
};

/**
 * Drafts a definition from what a registry states about a package, in the order of keys of hand-written ones. `name`: as it was given.
 * Throws an InputError if nothing gives a link that each definition needs.
 */
export function draftDefinition(
  name: string,
  source: Source,
  upstream: PackageDescription,
  { defaults = {}, isPrivate, ...facts }: Facts,
): Draft {
  const { osv: osvEcosystem } = datasourceFacts[source.datasource]!;
  const repository = upstream.repository && findRepositoryPage(upstream.repository);
  const page = isPrivate ? undefined : registryPages[source.datasource]?.replace('NAME', name);
  const title = facts.title ?? upstream.title ?? source.packageName ?? deriveComponentName(name);
  const notes: string[] = [];

  const choose = (
    key: 'homepage' | 'changelogUrl',
    substitutes: Readonly<Record<string, string | undefined>>,
  ): string | undefined => {
    const stated = facts[key] ?? upstream[key];
    if (isHttps(stated)) {
      return stated;
    }
    if (defaults[key] !== undefined) {
      return undefined;
    }

    const [origin, url] = Object.entries(substitutes).find(([, each]) => isHttps(each)) ?? [];
    if (!url) {
      throw inputError(
        name,
        `states no https: ${key}. Nothing was written. Give it: --${key.replace('Url', '')} URL, or in "defaults" of site/site.json`,
      );
    }

    notes.push(
      `${key}: ${stated === undefined ? 'not stated' : 'not an https: address'}; used ${origin}`,
    );
    return url;
  };

  const homepage = choose('homepage', {
    'the page of its repository': repository,
    'its page in the registry': page,
  });
  const changelogUrl = choose('changelogUrl', {
    'the releases of its repository': repository && findReleasesPage(repository),
    'its page in the registry': page,
    'its homepage': homepage,
  });

  if (!facts.support && !defaults.support) {
    notes.push('support: no end is stated. To state one: --support term:18 or latest-lines:3');
  }
  // Names of private packages are not sent to OSV.
  const watched = osvEcosystem && !isPrivate ? [{ datasource: 'osv' as const }] : [];
  return {
    definition: {
      title: toLine(title, 200),
      ...(upstream.description && { description: toLine(upstream.description) }),
      ...(homepage && { homepage }),
      ...(isHttps(repository) && { sourceRepository: repository }),
      ...(changelogUrl && { changelogUrl }),
      sources: [source, ...watched],
      ...(facts.support && { support: facts.support }),
    },
    notes,
  };
}

function isHttps(url: string | undefined): url is string {
  return url !== undefined && URL.parse(url)?.protocol === 'https:';
}

/** The last part of the name of a package; of a scoped one the whole. */
export function deriveComponentName(packageName: string): string {
  const parts = packageName.replace(/(?:\.git|\.\w{2,4})?\/?$/, '').split(/[/:]/);
  const part = packageName.startsWith('@')
    ? packageName
    : parts.findLast((each, index) => index === 0 || !/^v\d+$/.test(each));
  return (part ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Hosts of repositories, with the path from a repository to its list of releases. */
const hosts = new Map([
  ['github.com', '/releases'],
  ['gitlab.com', '/-/releases'],
  ['bitbucket.org', undefined],
  ['codeberg.org', '/releases'],
]);

/** The web page of a repository, which package managers write in several forms. Undefined for any other text. */
export function findRepositoryPage(repository: string): string | undefined {
  // `scm:git:` of Maven and `git+` of npm stand before an address; `git://` is an address itself.
  const text = repository.trim().replaceAll(/^(?:scm:)?git[:+](?!\/\/)|(?:\.git)?\/?$/g, '');

  // The short form: `owner/repo`, `gitlab:owner/repo`.
  const [, prefix = 'github', shortPath] = /^(?:(\w+):)?([\w-]+\/[\w.-]+)$/.exec(text) ?? [];
  if (shortPath !== undefined) {
    const host = [...hosts.keys()].find((each) => each.startsWith(`${prefix}.`));
    return host && `https://${host}/${shortPath}`;
  }

  const [, protocol, name, port = '', path] = address.exec(text) ?? [];
  // The host of an ssh or git address also serves the page, at another port. Over http, only known hosts are sure to.
  const isUsable = protocol !== 'http' || hosts.has(name ?? '');
  return name && isUsable
    ? `https://${name}${protocol === 'https' ? port : ''}/${path}`
    : undefined;
}

/** An address, or the form of scp, `git@host:path`, also behind `ssh://`. */
const address =
  /^(?:(https?|ssh|git):\/\/(?:[\w-]+@)?|[\w-]+@)([\w.-]+)(:\d+(?=\/))?[:/]\/?([^/].*)$/;

/** The page that lists a repository's releases; undefined for an unknown host, a host without such pages, and an address without a repository. */
export function findReleasesPage(repositoryPage: string): string | undefined {
  const { hostname, pathname, origin } = new URL(repositoryPage);
  const releases = hosts.get(hostname);
  const [owner, repository] = pathname.split('/').filter(Boolean);
  if (releases === undefined || repository === undefined) {
    return undefined;
  }

  // The page may be a folder in the repository. On GitLab, where groups have subgroups, `/-/` ends the path of the repository.
  return releases.startsWith('/-/')
    ? `${repositoryPage.replace(/\/-\/.*$/, '')}${releases}`
    : `${origin}/${owner}/${repository}${releases}`;
}
