import type { Report } from '../../core/schemas/finding.ts';
import { z } from 'zod';
import type { Day } from '../../core/dates.ts';
import type { Advisory } from '../../core/schemas/advisory.ts';
import { documented } from '../../core/schemas/documented.ts';
import { UpstreamUrl } from '../../core/schemas/links.ts';
import type { Provenance } from '../../core/schemas/provenance.ts';
import type { StatedLine } from '../../core/schemas/recorded.ts';
import { AllowedVersions, VersionExpression } from '../../core/schemas/source-fields.ts';
import type { SupportSource } from '../../core/schemas/support-source.ts';
import type { Fetcher } from '../../io/http/client.ts';
import type { RenovateConditions } from './renovate.ts';

/**
 * One release as a source states it: strings as they came, until `stateReleases` has left out what is implausible for all
 * sources.
 */
export interface StatedRelease {
  /** What `context.offer` gave back for it. */
  version: string;
  /** Any form that `parseTimestamp` reads; absent where the source states none, or may state when it made its copy. */
  releaseTimestamp?: string;
  changelogUrl?: string;
  /** Upstream's reason; only where upstream calls this version deprecated. An empty text means "without a reason". */
  deprecated?: string;
  /** Upstream's own word, where it has one. */
  isPrerelease?: boolean;
  /**
   * What upstream states of the bytes of the artifacts, by a name that each has within the source and keeps: a file, a tag.
   * `sha256:<hex>`, `<hex>` or W3C's `sha512-<base64>`; several with a space between them.
   */
  digests?: Readonly<Record<string, string>>;
  /** What upstream attests of its build; absent where it attests nothing. */
  attestation?: Attestation;
  /** The versions of other components that it works with: by their names, each a statement or several, not yet checked. */
  worksWith?: Readonly<Record<string, unknown>>;
  /** Upstream lets nobody change it any more. */
  isImmutable?: boolean;
  /** Added by `gather`: the build that made it, from an attestation that verifies. */
  provenance?: Provenance;
  /** Added by `gather`: why nobody knows what upstream attests of its build. */
  unreadAttestation?: string;
  /** Added by `gather`: the last day on which the source answered soundly and did not list it. */
  notListedOn?: Day;
}

/** What upstream attests of a release. Whether to ask for it, and whether it verifies, is decided for all sources in one place. */
export interface Attestation {
  /** The key in `digests` of the artifact that it is about. */
  artifact: string;
  /** Asks for its bundles. Throws as `gather` does; an absent document attests nothing. */
  fetch(): Promise<AttestedBundle[]>;
}

export interface AttestedBundle {
  /** In the JSON form of Sigstore's protobuf `dev.sigstore.bundle.v1.Bundle`. */
  bundle: unknown;
  /** The repository that the registry names as its publisher, beside the bundle. */
  publisher?: string | undefined;
}

/** What a source gets from the pipeline. */
export interface SourceContext {
  /** Answers are kept for later runs once the pipeline has found them plausible. */
  readonly http: Fetcher;
  /** The day of the run, UTC. */
  readonly day: Day;
  /** The registry that npm is configured with for a package, if any; a scope may have its own. */
  npmRegistry(packageName: string): string | undefined;
  /**
   * Tells the pipeline that upstream lists this name (a version, or a tag that holds one) and returns the version to
   * take, after `extractVersion`; undefined where the definition leaves it out, so that it costs no request of its own.
   */
  offer(listed: string, isPrerelease?: boolean): string | undefined;
  /** What the source listed in earlier runs, in the form in which it is recorded. */
  listedBefore(): string[];
  /** Whether the day of this version is still to be asked for: once per unseen version, for sources that state it one by one. */
  wantsTimestamp(version: string): boolean;
  /** The day of this version could not be asked for. The next run asks again. */
  postpone(version: string, error: unknown): void;
  /** The packages of the component, as OSV names them. */
  readonly packages: readonly { readonly ecosystem: string; readonly name: string }[];
  /** Tells the pipeline what upstream says of an advisory now; undefined where it is withdrawn, or about other packages. */
  advise(id: string, advisory: Advisory | undefined): void;
  /** Tells the pipeline that what it was told is all that upstream advises. */
  adviseNothingElse(): void;
  /** How many digit groups of a version make its release line, where nobody names the lines. */
  readonly lineGroups: 1 | 2;
  /** Tells the pipeline what upstream states of a release line, whose name was offered as a version is. */
  stateLine(line: StatedLine): void;
  /** Tells it what the answer says it is about, and what it should be about, where the definition names that. */
  isAbout(subject: string, expected?: string): void;
  /** Reports an element of the answer that cannot be used. The rest of the answer is kept. */
  skip: Report;
}

/** What a registry itself says of a package: texts and addresses as they came, where they are not empty. */
export interface PackageDescription {
  title?: string;
  description?: string;
  homepage?: string;
  changelogUrl?: string;
  /** Where its source is kept, in any form that package managers take: `git+ssh://git@host/owner/repo.git`, `owner/repo`. */
  repository?: string;
  /** The page that the registry has about it for people. */
  registryPage?: string;
  /** Who states until when it is supported, and what a person should know of that. */
  support?: { source: SupportSource; note: string };
}

/**
 * One datasource: what a definition says of it, what others call its packages, and how it is asked. `gather` lists every
 * release that upstream lists, or throws: an `HttpError`, or a `SourceError` for an answer that is not about the package or
 * has an unknown shape.
 */
export interface SourceAdapter<
  D extends string,
  Fields extends z.ZodRawShape,
  Coordinates = z.infer<z.ZodObject<Fields>>,
> {
  datasource: D;
  /** The type of its package URLs (github.com/package-url/purl-spec), where its releases are those of a package. */
  purlType?: string;
  /** What OSV calls its packages (ossf.github.io/osv-schema, "Defined ecosystems"), where it has advisories on them. */
  osvEcosystem?: string;
  /** Asked where a definition names no registry; absent where it has to name one, or needs none. */
  defaultRegistry?: string;
  /** The fields of a definition beside those of every source. */
  coordinates: Fields;
  /** Where upstream states the day of a release, for the table of the documentation. */
  timestamps: string;
  /** Which packages of Renovate's own datasources these are; absent where it has no such datasource. */
  renovate?(source: Coordinates, latest: string): RenovateConditions | undefined;
  /** Upstream drops old entries, so that an absent version says nothing. */
  onlyAdds?: true;
  /** Upstream can call a version deprecated, so that its silence says that it does not. */
  statesDeprecation?: true;
  gather(source: Coordinates, context: SourceContext): Promise<StatedRelease[]>;
  /** What a new definition can begin with. Throws as `gather` does; absent where the registry knows nothing but versions. */
  describe?(source: Coordinates, context: DescribeContext): Promise<PackageDescription>;
  /** The packages of a scope (`@example`) in a registry that lists them. Throws as `gather` does. */
  listScope?(scope: string, registryUrl: string | undefined, context: DescribeContext): Promise<string[]>;
}

/** How a source of release lines is asked: it states each line, and gives back their names in place of versions. */
export interface SupportAdapter<D extends SupportSource['datasource']> {
  gather(source: Extract<SupportSource, { datasource: D }>, context: SourceContext): Promise<StatedRelease[]>;
}

export type DescribeContext = Pick<SourceContext, 'http' | 'npmRegistry'>;

/** Fields that every source has in a definition. */
const commonFields = {
  extractVersion: documented(
    VersionExpression.optional(),
    'Takes the version out of what upstream lists: a regular expression with the group version. What it does not match is left out.',
    '^v(?<version>.+)$',
  ),
  allowedVersions: documented(
    AllowedVersions.optional(),
    'Which versions are taken: /regex/, !/regex/ or a semver range, in which 2025.3 counts as 2025.3.0. The others are left out of the site, also if they are recorded.',
    '/^\\d/',
    '>=1.2.0',
  ),
};

/** The name of a package. */
export function packageName(pattern: RegExp, example: string) {
  const name = z
    .string()
    .max(300)
    .regex(pattern, { error: `expected a name such as ${example}` });
  return documented(name, 'What upstream calls the package.', example);
}

/** The coordinates of a package in a registry that a definition need not name: `usual` says which one that is. */
export function packageFields(pattern: RegExp, example: string, usual: string, exampleRegistry: string) {
  return {
    packageName: packageName(pattern, example),
    registryUrl: documented(
      UpstreamUrl.optional(),
      `Address of the registry; ${usual} where absent.`,
      exampleRegistry,
    ),
  };
}

export interface PackageCoordinates {
  packageName: string;
  registryUrl?: string | undefined;
}

/** The adapter with the schema of its source in a definition. */
export function defineSource<const D extends string, Fields extends z.ZodRawShape>(
  adapter: SourceAdapter<D, Fields>,
) {
  const datasource = documented(
    z.literal(adapter.datasource),
    'Where the releases are read.',
    adapter.datasource,
  );
  return { ...adapter, schema: z.strictObject({ datasource, ...adapter.coordinates, ...commonFields }) };
}

/** Upstream answered, but not with what it should. The message begins with the address. */
export class SourceError extends Error {
  override readonly name: string = 'SourceError';
}

/** Upstream answered soundly, with a list of nothing. */
export class EmptyAnswerError extends SourceError {
  override readonly name = 'EmptyAnswerError';
}
