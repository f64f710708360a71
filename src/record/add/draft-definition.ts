import { dropUndefined, listDistinct } from '../../core/model/objects.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { show } from '../../core/text/show.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { WrittenDefinition, type FullDefinition } from '../read-definition.ts';
import type { PackageDescription } from '../sources/datasource.ts';

/** Values from a person, which take precedence over the registry's. */
export interface GivenValues extends Partial<Record<RequiredKey, string>> {
  title?: string;
  aliases?: string[];
  sourceRepository?: string;
  support?: SupportPolicy;
}

/** The texts that every definition needs, and that a registry may not state. */
export type RequiredKey = 'homepage' | 'changelogUrl';

export interface Draft {
  /** Without inherited values; absent if required values are missing. */
  written?: WrittenDefinition;
  /** The required keys without a value. */
  missing: RequiredKey[];
  /** Statements of the registry that were rejected, and values used where it states none. */
  notes: string[];
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

/** Drafts a definition from a registry's description of a package. The order of keys is that of hand-written definitions. */
export function draftDefinition(
  source: Source,
  upstream: PackageDescription,
  facts: GivenValues,
  context: DraftContext,
): Draft {
  const { $schema, component, defaults, existing, isFree } = context;
  const statedTitle = upstream.title && toLine(upstream.title, 200);
  const title = facts.title ?? (statedTitle || existing.title);
  const notes = title === undefined ? ['title: not stated; used the name'] : [];
  const links = draftLinks({ facts, upstream, existing, defaults }, context.indexPage);
  notes.push(...links.notes);
  const { homepage, changelogUrl, sourceRepository } = links;
  const missing = (['homepage', 'changelogUrl'] as const).filter(
    (key) => links[key] === undefined && defaults[key] === undefined,
  );
  if (missing.length > 0) {
    return { missing, notes };
  }

  if (upstream.support && !facts.support) {
    notes.push(upstream.support.note);
  }

  const written = WrittenDefinition.parse(
    dropUndefined({
      $schema,
      title: title ?? (findLastPart(source.packageName ?? '') || component),
      aliases: listDistinct((facts.aliases ?? upstream.aliases ?? []).filter(isFree)),
      description: (upstream.description && toLine(upstream.description)) || undefined,
      homepage,
      sourceRepository,
      changelogUrl,
      sources: [source],
      prereleases: upstream.hasPrereleases || undefined,
      support:
        facts.support ??
        (upstream.support && { policy: 'stated', source: upstream.support.source }),
    }),
  );
  return { written, missing, notes };
}

/** A link for a definition, if there is one, and what to tell of its origin. */
interface DraftedLink {
  url?: string | undefined;
  notes: readonly string[];
}

/** The origins of links, in the order of precedence. */
interface LinkOrigins {
  facts: GivenValues;
  upstream: PackageDescription;
  existing: Partial<WrittenDefinition>;
  defaults: Partial<FullDefinition>;
}

/** A page to link to where none is stated, and its origin in words. */
interface LinkChoice {
  origin: string;
  url: string | undefined;
}

/** The links of a definition, with notes on those that the registry does not state. */
function draftLinks(origins: LinkOrigins, indexPage: string | undefined) {
  const { facts, upstream, defaults } = origins;
  const registryPage = { origin: 'its page in the registry', url: upstream.registryPage };
  const page = upstream.repository && findRepositoryPage(upstream.repository);
  const repository = HttpsUrl.safeParse(page).data;
  const releasesPage = repository && findReleasesPage(repository);
  const homepage = draftLink('homepage', origins, [
    { origin: "its repository's page", url: repository },
    registryPage,
    { origin: 'its page in this index', url: indexPage },
  ]);
  const changelog = draftLink('changelogUrl', origins, [
    { origin: "its repository's list of releases", url: releasesPage },
    registryPage,
    { origin: 'its homepage', url: homepage.url ?? defaults.homepage },
  ]);

  return {
    homepage: homepage.url,
    changelogUrl: changelog.url,
    sourceRepository: facts.sourceRepository ?? repository,
    notes: [...homepage.notes, ...changelog.notes],
  };
}

/** The link of the first origin that has one, else the first usable choice. An inherited link is not repeated. */
function draftLink(
  key: RequiredKey,
  { facts, upstream, existing, defaults }: LinkOrigins,
  choices: readonly LinkChoice[],
): DraftedLink {
  const { data: upstreamLink } = HttpsUrl.safeParse(upstream[key]);
  const statedLink = facts[key] ?? upstreamLink;
  if (statedLink !== undefined) {
    return { url: statedLink, notes: [] };
  }

  const notes: string[] = [];
  if (upstream[key] !== undefined) {
    const problem = `the registry states ${show(upstream[key])}, which is not an https: address`;
    notes.push(`${key}: ${problem}, the only form that is published; ignored`);
  }
  if (existing[key] !== undefined) {
    return { url: existing[key], notes: [...notes, `${key}: not stated; stays as it was`] };
  }
  if (defaults[key] !== undefined) {
    return { notes: [...notes, `${key}: inherited from site/site.json`] };
  }

  for (const { origin, url } of choices) {
    if (HttpsUrl.safeParse(url).success) {
      return { url, notes: [...notes, `${key}: not stated; used ${origin}`] };
    }
  }

  return { notes };
}

/**
 * The default name for a component of this package; undefined if the package's name has no usable characters. A scope of npm
 * stays: `@types/node` is not Node.
 */
export function deriveComponentName(packageName: string): string | undefined {
  const name = (packageName.startsWith('@') ? packageName : findLastPart(packageName))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name || undefined;
}

/** `agent` in `com.example:agent` and `https://git.example.com/group/agent.git`. Skips the major version of a Go module. */
function findLastPart(packageName: string): string {
  const parts = packageName.replace(/(?:\.git)?\/?$/, '').split(/[/:]/);
  return parts.findLast((part, index) => index === 0 || !/^v\d+$/.test(part)) ?? '';
}

/** Well-known hosts, with the path of the list of releases below a repository's page. */
const knownHosts = new Map<string, { shorthand?: string; releases?: string }>([
  ['github.com', { shorthand: 'github', releases: '/releases' }],
  ['gitlab.com', { shorthand: 'gitlab', releases: '/-/releases' }],
  ['bitbucket.org', { shorthand: 'bitbucket' }],
  ['codeberg.org', { releases: '/releases' }],
]);

/**
 * The web page of a repository. Accepts the forms of package managers: `git+https://host/path.git`, `git@host:path.git`,
 * `scm:git:ssh://git@host/path`, `gitlab:owner/repo`, `owner/repo`. Undefined for any other text.
 */
export function findRepositoryPage(repository: string): string | undefined {
  const text = repository.trim().replace(/^(?:scm:)?git[:+](?!\/\/)/, '');
  const [, scheme = 'github', path] = /^(?:(\w+):)?([\w-]+\/[\w.-]+)$/.exec(text) ?? [];
  if (path !== undefined) {
    const knownHost = [...knownHosts].find(([, { shorthand }]) => shorthand === scheme);
    return knownHost && `https://${knownHost[0]}/${removeEnding(path)}`;
  }

  const scp = /^[\w-]+@([\w.-]+):(?!\d+\/|\/\/)(.+)$/.exec(text);
  const url = URL.parse(scp ? `ssh://${scp[1]}/${scp[2]}` : text);
  if (!url || url.hostname === '' || removeEnding(url.pathname) === '') {
    return undefined;
  }

  const isUsable =
    ['https:', 'git:', 'ssh:'].includes(url.protocol) || knownHosts.has(url.hostname);

  // The port of another protocol does not serve web pages.
  const host = url.protocol === 'https:' ? url.host : url.hostname;
  return isUsable ? `https://${host}${removeEnding(url.pathname)}` : undefined;
}

function removeEnding(path: string): string {
  return path.replace(/\/$/, '').replace(/\.git$/, '');
}

/** The page that lists a repository's releases; undefined unless its host is known to have one. */
export function findReleasesPage(page: string): string | undefined {
  const { hostname, pathname, origin } = new URL(page);
  const path = knownHosts.get(hostname)?.releases;

  // The page may be a folder in the repository.
  const [owner, name] = pathname.split('/').filter(Boolean);
  if (path === undefined || name === undefined) {
    return undefined;
  }

  const repository = path.startsWith('/-/')
    ? page.replace(/\/-\/.*$/, '')
    : `${origin}/${owner}/${name}`;
  return `${repository}${path}`;
}
