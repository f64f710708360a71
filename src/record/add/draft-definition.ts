import { isSameRepository } from '../../core/model/repository.ts';
import { sourceRepositoryOf } from '../../decide/source-repository.ts';
import { WrittenDefinition, type Definition } from '../read-definition.ts';
import { HttpsUrl } from '../../core/schemas/definition/links.ts';
import { show } from '../../core/schemas/problems.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { releasesPage, repositoryPage } from '../sources/shared/repository-page.ts';
import type { PackageDescription } from '../sources/datasource.ts';
import { defined, toLine } from '../../core/text/text.ts';

/** Values from a person, which take precedence over the registry's. */
export interface Given extends Partial<Record<RequiredKey, string>> {
  sourceRepository?: string;
  prereleases?: true;
  support?: SupportPolicy;
}

/** The texts that every definition needs. */
export type RequiredKey = 'title' | 'homepage' | 'changelogUrl';

export interface Draft {
  /** Without inherited values; absent if required values are missing. */
  written?: WrittenDefinition;
  /** The required keys without a value. */
  missing: RequiredKey[];
  /** Statements of the registry that were rejected, and values used where it states none. */
  notes: string[];
}

export interface DraftContext {
  /** The address of the schema, for editors. */
  $schema: string;
  component: string;
  /** Values that the definition inherits. */
  defaults?: Partial<Definition>;
}

/**
 * Drafts a definition from a registry's description of a package. `described`: undefined for registries that list only versions.
 * The order of keys is that of hand-written definitions.
 */
export function draftDefinition(
  source: Source,
  described: PackageDescription | undefined,
  given: Given,
  { $schema, component, defaults = {} }: DraftContext,
): Draft {
  const notes: string[] = [];
  const said = described ?? {};

  const link = (key: string, text: string | undefined) => {
    if (text === undefined || HttpsUrl.safeParse(text).success) {
      return text;
    }

    notes.push(
      `${key}: the registry states ${show(text)}, which is not an https: address, the only form that is published; ignored`,
    );

    return undefined;
  };

  const instead = (key: string, choices: readonly (readonly [string, string | undefined])[]) => {
    const [origin, firstUrl] = choices.find(([, url]) => HttpsUrl.safeParse(url).success) ?? [];
    if (firstUrl !== undefined) {
      notes.push(`${key}: not stated; used ${origin}`);
    }

    return firstUrl;
  };

  const repository = said.repository === undefined ? undefined : repositoryPage(said.repository);
  const ofRepository = repository && (["its repository's page", repository] as const);
  const ofReleases =
    repository && (["its repository's list of releases", releasesPage(repository)] as const);
  const ofRegistry = ['its page in the registry', said.registryPage] as const;

  const choices = (first: typeof ofRepository | typeof ofReleases) => [
    ...(first ? [first] : []),
    ofRegistry,
  ];

  const name = source.packageName === undefined ? component : lastPart(source.packageName);
  const title = given.title ?? (toLine(said.title ?? '', 200) || undefined);
  if (title === undefined && described && name !== '') {
    notes.push('title: not stated; used the name of the package');
  }

  const linkOf = (key: 'homepage' | 'changelogUrl') => given[key] ?? link(key, said[key]);

  const inherited = (key: 'homepage' | 'changelogUrl') => {
    if (defaults[key] !== undefined) {
      notes.push(`${key}: inherited from site/site.json`);
    }

    return defaults[key] !== undefined;
  };

  const homepage =
    linkOf('homepage') ??
    (inherited('homepage') ? undefined : instead('homepage', choices(ofRepository)));

  const ofPackage = [
    ...choices(ofReleases),
    ['its homepage', homepage ?? defaults.homepage] as const,
  ];

  const changelogUrl =
    linkOf('changelogUrl') ??
    (inherited('changelogUrl') ? undefined : instead('changelogUrl', ofPackage));
  const description = said.description && toLine(said.description);

  const named = sourceRepositoryOf({
    homepage: homepage ?? defaults.homepage ?? '',
    sources: [source],
  });

  const isOther = repository !== undefined && !isSameRepository(named ?? '', repository);
  const texts = { title: title ?? ((described && name) || undefined), homepage, changelogUrl };
  const missing = (Object.keys(texts) as (keyof typeof texts)[]).filter(
    (key) => texts[key] === undefined && defaults[key] === undefined,
  );
  if (missing.length > 0) {
    return { missing, notes };
  }

  if (said.support && !given.support) {
    notes.push(said.support.note);
  }

  const written = WrittenDefinition.parse(
    defined({
      $schema,
      title: texts.title,
      description: description || undefined,
      homepage,
      sourceRepository:
        given.sourceRepository ?? (isOther ? link('sourceRepository', repository) : undefined),
      changelogUrl,
      sources: [source],
      prereleases: given.prereleases ?? (said.hasPrereleases ? true : undefined),
      support: given.support ?? (said.support && { policy: 'stated', source: said.support.source }),
    }),
  );

  return { written, missing, notes };
}

/**
 * The default name for a component of this package; undefined if the package's name has no usable characters. A scope of npm
 * stays: `@types/node` is not Node.
 */
export function componentNameOf(packageName: string): string | undefined {
  const name = (packageName.startsWith('@') ? packageName : lastPart(packageName))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

  return name || undefined;
}

/** `agent` in `com.example:agent` and `https://git.example.com/group/agent.git`. Skips the major version of a Go module. */
function lastPart(packageName: string): string {
  const parts = packageName.replace(/(?:\.git)?\/?$/, '').split(/[/:]/);
  return parts.findLast((part, index) => index === 0 || !/^v\d+$/.test(part)) ?? '';
}
