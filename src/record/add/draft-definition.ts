import { dropUndefined, listDistinct } from '../../core/model/objects.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { show } from '../../core/text/show.ts';
import { HttpsUrl } from '../../core/schemas/scalars.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { formatList } from '../../core/text/wording.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { WrittenDefinition, type FullDefinition } from '../read-definition.ts';
import { SourceError, type PackageDescription } from '../sources/datasource.ts';
import { findProducts } from '../sources/endoflife-date.ts';
import { renderPackageUrl } from '../sources/index.ts';

/** Values from a person, which take precedence over the registry's. */
export interface GivenValues extends Partial<Record<RequiredKey, string>> {
  title?: string;
  aliases?: string[];
  sourceRepository?: string;
  prereleases?: true;
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
  defaults?: Partial<FullDefinition>;
  /** The page of the component in the index, once its address is decided. */
  indexPage?: string | undefined;
  /** Whether no other component has the package. */
  isFree?(packageUrl: string): boolean;
  /** The definition that it replaces. */
  existing?: Partial<WrittenDefinition>;
}

/** Drafts a definition from a registry's description of a package. The order of keys is that of hand-written definitions. */
export function draftDefinition(
  source: Source,
  upstream: PackageDescription,
  facts: GivenValues,
  {
    $schema,
    component,
    indexPage,
    defaults = {},
    existing = {},
    isFree = () => true,
  }: DraftContext,
): Draft {
  const notes: string[] = [];
  const repository =
    upstream.repository === undefined ? undefined : findRepositoryPage(upstream.repository);
  const title = facts.title ?? (toLine(upstream.title ?? '', 200) || existing.title);
  if (title === undefined) {
    notes.push('title: not stated; used the name of the package');
  }

  const origins = { defaults, existing, indexPage };
  const links = draftLinks(upstream, facts, repository, origins, notes);
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
      homepage: links.homepage,
      sourceRepository:
        facts.sourceRepository ?? readHttpsLink('sourceRepository', repository, notes),
      changelogUrl: links.changelogUrl,
      sources: [source],
      prereleases: facts.prereleases ?? (upstream.hasPrereleases ? true : undefined),
      support:
        facts.support ??
        (upstream.support && { policy: 'stated', source: upstream.support.source }),
    }),
  );

  return { written, missing, notes };
}

/** A link that the registry states. Ignores any other than `https:`, with a note. */
function readHttpsLink(key: string, text: string | undefined, notes: string[]): string | undefined {
  if (text === undefined || HttpsUrl.safeParse(text).success) {
    return text;
  }

  notes.push(
    `${key}: the registry states ${show(text)}, which is not an https: address, the only form that is published; ignored`,
  );
  return undefined;
}

/** A page to link to where none is stated, and its origin in words. */
type LinkChoice = readonly [origin: string, url: string | undefined];

/** Further origins of links. */
type DraftOrigins = Required<Pick<DraftContext, 'defaults' | 'existing' | 'indexPage'>>;

/** Takes each link from a person, the registry, the replaced definition, the defaults, or else the first usable choice. */
function draftLinks(
  upstream: PackageDescription,
  facts: GivenValues,
  repository: string | undefined,
  { defaults, existing, indexPage }: DraftOrigins,
  notes: string[],
): Pick<GivenValues, RequiredKey> {
  const registryPage: LinkChoice = ['its page in the registry', upstream.registryPage];

  const chooseLink = (key: RequiredKey, choices: readonly LinkChoice[]) => {
    const link = facts[key] ?? readHttpsLink(key, upstream[key], notes);
    if (link !== undefined) {
      return link;
    }
    if (existing[key] !== undefined) {
      notes.push(`${key}: not stated; stays as it was`);
      return existing[key];
    }

    if (defaults[key] !== undefined) {
      notes.push(`${key}: inherited from site/site.json`);
      return undefined;
    }

    const [origin, url] = choices.find(([, url]) => HttpsUrl.safeParse(url).success) ?? [];
    if (url !== undefined) {
      notes.push(`${key}: not stated; used ${origin}`);
    }

    return url;
  };

  const homepage = chooseLink('homepage', [
    ["its repository's page", repository],
    registryPage,
    ['its page in this index', indexPage],
  ]);
  const releases = repository && findReleasesPage(repository);
  const changelogUrl = chooseLink('changelogUrl', [
    ["its repository's list of releases", releases],
    registryPage,
    ['its homepage', homepage ?? defaults.homepage],
  ]);
  return dropUndefined({ homepage, changelogUrl });
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
  const scp = /^[\w-]+@([\w.-]+):(?!\d+\/|\/\/)(.+)$/.exec(text);
  if (path !== undefined) {
    const knownHost = [...knownHosts].find(([, { shorthand }]) => shorthand === scheme);
    return knownHost && `https://${knownHost[0]}/${removeEnding(path)}`;
  }

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
  if (path === undefined || owner === undefined || name === undefined) {
    return undefined;
  }

  const repository = path.startsWith('/-/')
    ? page.replace(/\/-\/.*$/, '')
    : `${origin}/${owner}/${name}`;
  return `${repository}${path}`;
}

export interface PolicyContext {
  /** The API to use instead of endoflife.date; empty for none. */
  endoflifeDate?: string | undefined;
  /** Asks a person for a policy, which may be none; absent if the program is not interactive. */
  askPolicy?: (() => Promise<SupportPolicy | undefined>) | undefined;
}

interface PolicyAnswer {
  support?: SupportPolicy;
  note: string;
  /** endoflife.date did not answer. */
  isOpen?: true;
}

/** Finds the support policy of a package: from endoflife.date, else from a person. */
export async function findSupportPolicy(
  source: Source,
  context: PolicyContext & { http: Fetcher },
): Promise<PolicyAnswer> {
  const { product, problem, isOpen } = await lookUpProduct(source, context);
  if (product !== undefined) {
    const { endoflifeDate: registryUrl } = context;
    const source = dropUndefined({ datasource: 'endoflife-date' as const, product, registryUrl });
    return {
      support: { policy: 'stated', source },
      note: `support: stated by endoflife.date, which lists the package for ${product}`,
    };
  }

  const policy = await context.askPolicy?.();
  if (policy) {
    return { support: policy, note: 'support: as you answered' };
  }

  const reason = problem === undefined ? '' : `${problem}; `;
  return dropUndefined({
    note: `support: ${reason}no end is stated; add a support policy to state one`,
    isOpen,
  });
}

/** The only product of endoflife.date that has the package, or the problem with it. */
async function lookUpProduct(
  source: Source,
  { http, endoflifeDate }: PolicyContext & { http: Fetcher },
): Promise<{ product?: string; problem?: string; isOpen?: true }> {
  const purl = renderPackageUrl(source);
  if (purl === undefined || endoflifeDate === '') {
    return {};
  }

  try {
    const products = await findProducts(http, purl, endoflifeDate);
    const [product, another] = products;
    if (product === undefined) {
      return { problem: 'endoflife.date does not list the package' };
    }
    if (another === undefined) {
      return { product };
    }

    const names = formatList(products, 5);
    return { problem: `endoflife.date lists the package for several products, ${names}` };
  } catch (error) {
    if (!(error instanceof SourceError || error instanceof HttpError)) {
      throw error;
    }

    return { problem: `endoflife.date could not be asked (${error.message})`, isOpen: true };
  }
}
