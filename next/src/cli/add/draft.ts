import { datasourceFacts } from '../../core/datasources.ts';
import { inputError } from '../../core/errors.ts';
import type { Definition, Source } from '../../core/schema/definition.ts';
import { toLine } from '../../core/text.ts';
import type { PackageDescription } from '../../sources/types.ts';
import { findReleasesPage, findRepositoryPage } from './repository-pages.ts';

/** Values from options, which take precedence over the registry's. */
interface Facts {
  title?: string | undefined;
  homepage?: string | undefined;
  changelogUrl?: string | undefined;
  support?: Definition['support'];
}

export interface Draft {
  definition: Definition;
  /** Where values come from that the registry does not state. */
  notes: string[];
}

/**
 * Drafts a definition from what a registry states about a package, in the order of keys of hand-written ones. Throws an InputError if
 * nothing gives a link that each definition needs.
 */
export function draftDefinition(source: Source, upstream: PackageDescription, facts: Facts): Draft {
  const { page: registryPage, osv: osvEcosystem } = datasourceFacts[source.datasource]!;
  const name = source.packageName ?? '';
  const repository = upstream.repository && findRepositoryPage(upstream.repository);
  const page = source.registryUrl ? undefined : registryPage?.replace('NAME', name);
  const notes: string[] = [];

  const choose = (
    key: 'homepage' | 'changelogUrl',
    substitutes: Readonly<Record<string, string | undefined>>,
  ): string => {
    const stated = facts[key] ?? upstream[key];
    if (isHttps(stated)) {
      return stated;
    }

    const [origin, url] = Object.entries(substitutes).find(([, each]) => isHttps(each)) ?? [];
    if (!url) {
      throw inputError(
        name,
        `its registry states no https: ${key}. Nothing was written. Give it: --${key === 'homepage' ? key : 'changelog'} URL`,
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

  if (!facts.support) {
    notes.push('support: no end is stated. To state one: --support term:18 or latest-lines:3');
  }
  // Names of private packages are not sent to OSV.
  const watched = osvEcosystem && !source.registryUrl ? [{ datasource: 'osv' as const }] : [];
  return {
    definition: {
      title: toLine(facts.title ?? upstream.title ?? name, 200),
      ...(upstream.description && { description: toLine(upstream.description) }),
      homepage,
      ...(isHttps(repository) && { sourceRepository: repository }),
      changelogUrl,
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
