import * as z from 'zod';
import {
  AllowedVersions,
  VersionExpression,
  type SupportSource,
} from '../../core/schemas/definition/source.ts';
import { documented, formName, optionalKey } from '../../core/schemas/keys.ts';
import { UpstreamUrl } from '../../core/schemas/urls.ts';
import type { Fetcher } from '../../io/http/client.ts';
import type { Day } from '../../core/model/dates.ts';
import type { RecordedAdvisory, StatedLine } from '../../core/schemas/recorded/recorded.ts';
import { showUrl } from '../../io/http/error.ts';

/**
 * A datasource: its fields in a definition, its packages in other tools, and its requests. `gather` returns all that upstream
 * lists, or throws an `HttpError`, or a `SourceError` for an answer about another package or of unknown shape.
 */
export interface SourceAdapter<
  D extends string,
  Fields extends z.ZodRawShape,
  Coordinates = z.infer<z.ZodObject<Fields>>,
> {
  datasource: D;
  /** Its ecosystem in OSV (ossf.github.io/osv-schema, "Defined ecosystems"), if OSV has advisories on its packages. */
  osvEcosystem?: string;
  /** The registry unless a definition or npm's configuration names one; absent if a registry is required, or not used. */
  defaultRegistry?: string;
  /** Its own fields in a definition, in addition to those of every source. */
  coordinates: Fields;
  /** The conditions for these packages in Renovate; absent, or undefined for a source, if no conditions select them. */
  renovate?(source: Coordinates & { datasource: NoInfer<D> }): RenovateConditions | undefined;
  /** Upstream drops old entries: an absent version means nothing. */
  onlyAdds?: true;
  /** Upstream can state deprecations: a release without one is not deprecated. */
  statesDeprecation?: true;
  gather(source: Coordinates, context: SourceContext): Promise<SourceAnswer>;
  /** Describes a package for a new definition. Throws as `gather` does; absent if upstream describes none. */
  describe?(source: Coordinates, context: RequestContext): Promise<PackageDescription>;
  /** The packages of a scope (`@example`) in a registry that lists them. Throws as `gather` does. */
  listScope?(
    scope: string,
    registryUrl: string | undefined,
    context: RequestContext,
  ): Promise<string[]>;
}

/** A source of release lines. */
export interface SupportAdapter<D extends SupportSource['datasource']> {
  gather(
    source: Extract<SupportSource, { datasource: D }>,
    context: SourceContext,
  ): Promise<SourceAnswer>;
}

/** The requests of a source, and facts from outside its definition. */
export interface SourceContext {
  /** Answers are kept for later runs once accepted as plausible. */
  http: Fetcher;
  /** npm's configured registry for a package, if any; a scope may have its own. */
  npmRegistry(packageName: string): string | undefined;
  /** The recorded versions that the source listed in earlier runs. */
  listedBefore: readonly string[];
  /** The number of names that it listed last. */
  lastCount?: number | undefined;
  /** The packages of the component, as OSV names them. */
  packages: readonly OsvPackage[];
}

/** A package as OSV names it. */
export interface OsvPackage {
  ecosystem: string;
  name: string;
}

/** What the requests of any adapter need. */
export type RequestContext = Pick<SourceContext, 'http' | 'npmRegistry'>;

/** A registry's description of a package: unchecked texts and addresses. */
export interface PackageDescription {
  title?: string | undefined;
  description?: string | undefined;
  homepage?: string | undefined;
  changelogUrl?: string | undefined;
  /** Its repository, in any form of package managers: `git+ssh://git@host/owner/repo.git`, `owner/repo`. */
  repository?: string | undefined;
  /** The registry's web page about it. */
  registryPage?: string | undefined;
  /** Whether it lists prereleases that its readers get. */
  hasPrereleases?: boolean | undefined;
  /** Package URLs of it. */
  aliases?: string[] | undefined;
  /** A source of its support, with a note for the user. */
  support?: { source: SupportSource; note: string };
}

/** The conditions of a package rule of Renovate. */
export interface RenovateConditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  [option: `match${string}`]: string | string[];
}

/** The answer of a source, as data. */
export interface SourceAnswer {
  /**
   * In the order of upstream. Of several with the same version, the first is used, with the first day that can be read, unless the answer
   * `hasParts`.
   */
  releases?: readonly ListedRelease[];
  /** A version has an element for each platform or chart, which together are its release. */
  hasParts?: boolean;
  /** Its names are tags of containers: one may move, or be no version, such as `latest`. */
  hasTags?: boolean | undefined;
  /** Names that are listed without facts, so their versions are not withdrawn. */
  alsoListed?: readonly ListedName[];
  lines?: readonly StatedLine[] | undefined;
  /** The subject of the lines, if it is not the subject that the definition names. */
  about?: string | undefined;
  advisories?: StatedAdvisories | undefined;
  /** Unusable elements, and what the answer lacks without them. */
  skipped?: readonly SkippedElement[];
}

/** The name of an element: a version, or a tag that holds a version. */
export interface ListedName {
  name: string;
  /** Upstream still has this recorded version, but does not list it: `extractVersion` was applied when it was recorded. */
  isRecorded?: true;
}

/** An element of a source's list. */
export interface ListedRelease extends ListedName, StatedFacts {
  /** Requests more facts of an admitted version whose day is unknown, once. Facts before a failure are used. */
  requestFacts?: (() => AsyncIterable<RequestedFacts>) | undefined;
  /** Requests its digests, which may have changed since it was recorded. */
  requestDigests?: ListedRelease['requestFacts'];
}

/** The facts that a source states of a release. Values are unchecked until `checkReleases` rejects implausible ones. */
export interface StatedFacts {
  /** In any form that `parseTimestamp` reads; absent if not stated, or possibly the time of a copy. */
  releaseTimestamp?: string | undefined;
  changelogUrl?: string | undefined;
  /** Its release notes, of any length and in any form. */
  notes?: string | undefined;
  /** Upstream's reason; absent if not deprecated, empty if deprecated without a reason. */
  deprecated?: string | undefined;
  /** Upstream's statement, if any. */
  isPrerelease?: boolean | undefined;
  /**
   * Digests by artifact, named by a permanent name within the source: a file, a tag. `sha256:<hex>`, `<hex>` or W3C's
   * `sha512-<base64>`; several are separated by spaces.
   */
  digests?: Readonly<Record<string, string>> | undefined;
}

/** Facts that need a request of their own. */
export interface RequestedFacts extends Pick<StatedFacts, 'releaseTimestamp' | 'digests'> {
  /** Upstream lists the name, but has nothing to download for it: it is no release. */
  isAbsent?: true;
}

export interface StatedAdvisories {
  byId: ReadonlyMap<string, StatedAdvisory>;
  /** These are all advisories of upstream on the packages. */
  isComplete: boolean;
}

/** A source's statement on an advisory; undefined if it affects none of the packages. */
export type StatedAdvisory = Omit<RecordedAdvisory, 'source'> | 'withdrawn' | undefined;

export interface SkippedElement {
  message: string;
  /** Equal for similar problems, of which only a few are reported. */
  kind?: string;
}

/** An element that the definition admits, as a release. */
export interface StatedRelease extends StatedFacts {
  /** The listed name after `extractVersion`. */
  version: string;
  /** The last day of a sound answer that did not list it; added from earlier runs. */
  notListedOn?: Day;
}

/** A source has no usable answer. */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  /** An error about the document at an address. */
  static at(url: string, problem: string, options?: ErrorOptions): SourceError {
    return new SourceError(`${showUrl(url)}: ${problem}`, options);
  }
}

/** The answer is sound, and lists nothing. */
export class EmptyAnswerError extends SourceError {}

/** Adds the schema of a source in a definition to its adapter. */
export function defineSource<const D extends string, Fields extends z.ZodRawShape>(
  adapter: SourceAdapter<D, Fields>,
) {
  const datasource = formName(adapter.datasource, 'Kind of the source.');
  return {
    ...adapter,
    schema: z.strictObject({ datasource, ...adapter.coordinates, ...commonFields }),
  };
}

/** Fields that every source has in a definition. */
const commonFields = {
  extractVersion: optionalKey(
    VersionExpression,
    'Regular expression that extracts the version from a listed name, with the group version. Names that do not match are left out.',
    '^v(?<version>.+)$',
  ),
  allowedVersions: optionalKey(
    AllowedVersions,
    'Admitted versions: /regex/, !/regex/ or a semver range, in which 2025.3 means 2025.3.0. The site leaves out all others, even if recorded.',
    '/^\\d/',
    '>=1.2.0',
  ),
  onlyAdds: optionalKey(
    z.boolean(),
    'Whether it lists only some releases, as a registry that keeps its newest tags. A release that it no longer lists is not withdrawn.',
    true,
  ),
  rebuildsTags: optionalKey(
    z.boolean(),
    'Whether it publishes other bytes under the same version. They are recorded, reported as republished, and do not wait.',
    true,
  ),
};

/** The coordinates of `definePackage`. */
export interface PackageSource {
  packageName: string;
  registryUrl?: string | undefined;
}

/** The coordinates of a package in a registry with a default, which the documentation calls `defaultName`. */
export function definePackage(
  pattern: RegExp,
  example: string,
  defaultName: string,
  exampleRegistry: string,
) {
  return {
    packageName: createNameSchema(pattern, example),
    registryUrl: optionalKey(
      UpstreamUrl,
      `Address of the registry. Default: ${defaultName}.`,
      exampleRegistry,
    ),
  };
}

export function createNameSchema(pattern: RegExp, example: string) {
  const name = z
    .string()
    .max(300)
    .regex(pattern, { error: `expected a name such as ${example}` });
  return documented(name, 'Name of the package at upstream.', example);
}

/** Whether an address, in any spelling, is that of a registry, which ends with a slash. */
export function isRegistry(address: string, registry: string): boolean {
  return new URL(address).href.replace(/\/*$/, '/') === registry;
}

/** The conditions for a package with the same datasource and name in Renovate. */
export function matchPackage({
  datasource,
  packageName,
}: Record<'datasource' | 'packageName', string>): RenovateConditions {
  return { matchDatasources: [datasource], matchPackageNames: [packageName] };
}

/** The condition for packages of one registry: Renovate compares addresses as texts. */
export function matchRegistry(registryUrl: string): Pick<RenovateConditions, `match${string}`> {
  const address = registryUrl.replace(/\/+$/, '');
  return { matchRegistryUrls: [address, `${address}/`] };
}
