import HostedGit from 'hosted-git-info';
import { datasourceFacts } from '../../core/datasources.ts';
import { inputError } from '../../core/errors.ts';
import type { Definition, Source } from '../../core/schema/definition.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { toLine } from '../../core/text.ts';
import type { PackageDescription } from '../../sources/types.ts';

/** In place of what a registry states. */
export interface DraftOptions {
  title?: string | undefined;
  homepage?: string | undefined;
  changelog?: string | undefined;
  support?: Definition['support'];
}

export interface Draft {
  /** Without what the defaults of the settings give. */
  definition: Partial<Definition>;
  /** Where values come from that the registry does not state. */
  notes: string[];
}

/**
 * Drafts a definition from what a registry states about a package, in the order of keys of hand-written ones. `name`: as it was given.
 * `isPrivate`: it is in a registry of its own. Throws an InputError if nothing gives a link that each definition needs.
 */
export function draftDefinition(
  name: string,
  source: Source,
  upstream: PackageDescription,
  options: DraftOptions,
  { defaults = {}, isPrivate }: { defaults?: Settings['defaults']; isPrivate: boolean },
): Draft {
  const { support } = options;
  const { osv: osvEcosystem } = datasourceFacts[source.datasource];
  const { page, releases } = findRepositoryPages(upstream.repository ?? '');
  const notes: string[] = [];
  const chooseLink = (
    key: 'homepage' | 'changelogUrl',
    option: 'homepage' | 'changelog',
    substitute: string | undefined,
  ) => {
    const stated = options[option] ?? upstream[key];
    if (isHttps(stated)) {
      return stated;
    }
    if (defaults[key]) {
      return undefined;
    }
    if (substitute === undefined) {
      throw inputError(
        name,
        `states no https: ${key}. Nothing was written. Give it: --${option} URL, or in "defaults" of site/site.json`,
      );
    }
    notes.push(`${key}: ${stated ?? 'not stated'}; used ${substitute}`);
    return substitute;
  };
  const homepage = chooseLink('homepage', 'homepage', page);
  const changelogUrl = chooseLink('changelogUrl', 'changelog', releases ?? homepage);
  if (!support && !defaults.support) {
    notes.push('support: no end is stated. To state one: --support term:18 or latest-lines:3');
  }

  const title = options.title ?? upstream.title ?? source.packageName ?? deriveComponentName(name);
  // Names of private packages are not sent to OSV.
  const watched = osvEcosystem && !isPrivate ? [{ datasource: 'osv' as const }] : [];
  return {
    definition: {
      title: toLine(title, 200),
      ...(upstream.description && { description: toLine(upstream.description) }),
      ...(homepage && { homepage }),
      ...(page && { sourceRepository: page }),
      ...(changelogUrl && { changelogUrl }),
      sources: [source, ...watched],
      ...(support && { support }),
    },
    notes,
  };
}

function isHttps(url: string | undefined): url is string {
  return url !== undefined && URL.parse(url)?.protocol === 'https:';
}

/** The last part of the name of a package; of a scoped one the whole. */
export function deriveComponentName(packageName: string): string {
  // A module of Go may end in `/v2`, a repository or a file in its kind.
  const path = packageName.replace(/(?:\.(?:git|json|csv|txt))?\/?$/, '').replace(/\/v\d+$/, '');
  const part = packageName.startsWith('@') ? packageName : path.split(/[/:]/).at(-1)!;
  return part
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Paths of pages that list the releases of a repository, by host. */
const releasePaths: Readonly<Record<string, string>> = {
  github: '/releases',
  gitlab: '/-/releases',
};

/** The web pages of a repository and of its releases, of which package managers write addresses in several forms. */
export function findRepositoryPages(repository: string) {
  const address = repository.trim().replace(/^scm:git:/, '');
  const hosted = HostedGit.fromUrl(address);
  const page = hosted?.browse({ noCommittish: true }) ?? address.replaceAll(/^git\+|\.git$/g, '');
  if (!isHttps(page)) {
    return {};
  }

  const path = releasePaths[hosted?.type ?? ''];
  return { page, releases: path && `${page}${path}` };
}
