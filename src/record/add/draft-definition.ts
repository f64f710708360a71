import { dropUndefined, listDistinct } from '../../core/model/objects.ts';
import { findLastPart } from '../../core/schemas/definition/component-name.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { showValue } from '../../core/text/show.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { WrittenDefinition, type FullDefinition } from '../read-definition.ts';
import type { PackageDescription } from '../sources/datasource.ts';
import { findReleasesPage, findRepositoryPage } from './repository-pages.ts';

/** The links that every definition needs, and that a registry may not state. */
const requiredKeys = ['homepage', 'changelogUrl'] as const;
export type RequiredKey = (typeof requiredKeys)[number];

/** Values from options, a list of releases or a file of endoflife.date, which take precedence over the registry's. */
export interface ComponentFacts extends Partial<Record<RequiredKey, string>> {
  title?: string;
  aliases?: string[];
  sourceRepository?: string;
  support?: SupportPolicy;
}

interface DraftContext {
  /** The address of the schema, for editors. */
  $schema: string;
  component: string;
  /** Values that the definition inherits. */
  defaults: Partial<FullDefinition>;
  /** The page of the component in the index, once the index has an address. */
  indexPage?: string | undefined;
  /** Whether no other component has the package. */
  isFree(packageUrl: string): boolean;
  /** The definition that it replaces. */
  existing: Partial<WrittenDefinition>;
}

/**
 * Drafts a definition from a registry's description of a package. The order of keys is that of hand-written definitions, and what the
 * registry does not state stays as in `existing`. `written`: without inherited values; absent if values of required keys are missing.
 * `notes`: what was used for values that the registry does not state, remarks on others, and rejected statements.
 */
export function draftDefinition(
  source: Source,
  upstream: PackageDescription,
  facts: ComponentFacts,
  context: DraftContext,
) {
  const { $schema, component, defaults, existing, isFree } = context;
  const titles = [facts.title, upstream.title, existing.title];
  const title = titles.map((text = '') => toLine(text, 200)).find(Boolean);
  const notes = title === undefined ? ['title: not stated; used the name'] : [];
  const links = draftLinks({ facts, upstream, existing, defaults }, context.indexPage);
  notes.push(...links.notes);
  const { homepage, changelogUrl, sourceRepository } = links;
  const missing = requiredKeys.filter((key) => (links[key] ?? defaults[key]) === undefined);
  if (missing.length > 0) {
    return { missing, notes };
  }

  let { support } = facts;
  if (!support && upstream.support) {
    support = { policy: 'stated', source: upstream.support.source };
    notes.push(upstream.support.note);
  }

  const drafted = WrittenDefinition.parse(
    dropUndefined({
      $schema,
      title: title ?? toLine(findLastPart(source.packageName ?? '') || component, 200),
      aliases: listDistinct((facts.aliases ?? upstream.aliases ?? []).filter(isFree)),
      description: toLine(upstream.description ?? '') || undefined,
      homepage,
      sourceRepository,
      changelogUrl,
      sources: [source],
      prereleases: upstream.hasPrereleases || undefined,
      support,
    }),
  );

  // Only the registry describes its package.
  const { description: _, ...keptFields } = existing;
  return { written: { ...keptFields, ...drafted }, notes };
}

/** The sources of a link. `draftLink` has the order in which they count. */
interface StatedLinks extends Pick<DraftContext, 'existing' | 'defaults'> {
  facts: ComponentFacts;
  upstream: PackageDescription;
}

/** A page to link to where no link is stated. */
interface Substitute {
  description: string;
  url: string | undefined;
}

/** The links of a definition, with notes on those that the registry does not state. */
function draftLinks(stated: StatedLinks, indexPage: string | undefined) {
  const { facts, upstream, defaults } = stated;
  const registryPage = { description: 'its page in the registry', url: upstream.registryPage };
  const page = upstream.repository && findRepositoryPage(upstream.repository);
  const repository = HttpsUrl.safeParse(page).data;
  const releasesPage = repository && findReleasesPage(repository);
  const homepage = draftLink('homepage', stated, [
    { description: "its repository's page", url: repository },
    registryPage,
    { description: 'its page in this index', url: indexPage },
  ]);
  const changelog = draftLink('changelogUrl', stated, [
    { description: "its repository's list of releases", url: releasesPage },
    registryPage,
    { description: 'its homepage', url: homepage.url ?? defaults.homepage },
  ]);

  return {
    homepage: homepage.url,
    changelogUrl: changelog.url,
    sourceRepository: facts.sourceRepository ?? repository,
    notes: [...homepage.notes, ...changelog.notes],
  };
}

/** The stated link of a key, else the first usable substitute. An inherited link is not repeated. */
function draftLink(
  key: RequiredKey,
  { facts, upstream, existing, defaults }: StatedLinks,
  substitutes: readonly Substitute[],
): { url?: string | undefined; notes: string[] } {
  const { data: upstreamLink } = HttpsUrl.safeParse(upstream[key]);
  const statedLink = facts[key] ?? upstreamLink;
  if (statedLink !== undefined) {
    return { url: statedLink, notes: [] };
  }

  const reason =
    upstream[key] === undefined
      ? 'not stated'
      : `the registry states ${showValue(upstream[key])}, which is not an https: address, the only form that is published`;
  if (existing[key] !== undefined) {
    return { url: existing[key], notes: [`${key}: ${reason}; stays as it was`] };
  }
  if (defaults[key] !== undefined) {
    return { notes: [`${key}: ${reason}; inherited from site/site.json`] };
  }

  for (const { description, url } of substitutes) {
    if (HttpsUrl.safeParse(url).success) {
      return { url, notes: [`${key}: ${reason}; used ${description}`] };
    }
  }

  return { notes: [`${key}: ${reason}`] };
}
