import type { Day } from '../core/day.ts';
import type { Advisory } from '../core/schema/published.ts';
import type { Recorded, StatedLine } from '../core/schema/recorded.ts';
import type { Http } from './http/client.ts';

/** A release as a source lists it. `checkRelease` checks the fields. */
export interface StatedRelease {
  /** A version, or a tag with a version in it, as upstream spells it. */
  version: string;
  releaseTimestamp?: string | undefined;
  /** Whether `releaseTimestamp` is only the latest possible time. */
  isUpperBound?: boolean | undefined;
  changelogUrl?: string | undefined;
  /** Why upstream deprecates the release. Empty if upstream gives no reason. */
  deprecated?: string | undefined;
  isPrerelease?: boolean | undefined;
  /** Whether the registry orders versions by SemVer, so that any suffix marks a prerelease. */
  isSemver?: boolean;
  /**
   * Whether the registry lists provenance for the release: a signed statement of how it was built. Absent if the registry lists no
   * provenance for any release.
   */
  hasProvenance?: boolean | undefined;
  /** Whether the release belongs to a required stop. */
  isStop?: boolean | undefined;
  /** Digests of the release's files, or the commit of a tag. One text may contain several digests, separated by spaces. */
  digests?: readonly (string | null | undefined)[] | undefined;
  /** Null if the digests do not belong to a file that readers download. */
  digest?: null | undefined;
  /** The release's files, with their upstream names. */
  assets?: readonly StatedAsset[] | undefined;
  /** The URL of the release's file. */
  url?: string | undefined;
  /** The SHA-256 of each file. The keys are the names that the index gives to the files, such as `linux-amd64`. */
  files?: Readonly<Record<string, string | undefined>> | undefined;
  urls?: Readonly<Record<string, string | undefined>> | undefined;
}

export type StatedAsset = Partial<Record<'name' | 'digest' | 'url', string | undefined>>;

export interface StatedAnswer {
  releases: StatedRelease[];
  lines?: StatedLine[];
  advisories?: Advisory[];
  /** Ids of advisories that the source has withdrawn. */
  withdrawnAdvisories?: string[];
  /** Why all releases are deprecated, including releases that the source no longer lists. */
  deprecated?: string | undefined;
  /** Whether the registry has locked all releases. `deprecated` has the reason. */
  isQuarantined?: boolean | undefined;
  /** Whether the list is incomplete, or an entry cannot be read. Missing releases are then not withdrawn. */
  isPartial?: boolean;
  /** Sentences for the operator of the index. They say which entries or fields of the answer were left out, and why. */
  notes: string[];
}

export interface SourceContext {
  http: Http;
  /** The folder of the index. */
  root: string;
  /** The day of the run. A later release date is rejected. */
  day: Day;
  /** The packages of the component, as OSV names them. */
  packages: readonly { ecosystem: string; name: string }[];
  /** The recorded data of the component, so that no fact is requested twice. */
  recorded?: Recorded;
}

/** A registry's description of a package, for a new definition. */
export type PackageDescription = Partial<
  Record<'title' | 'description' | 'homepage' | 'changelogUrl' | 'repository', string | undefined>
>;

export interface PackageSource {
  packageName: string;
  registryUrl?: string | undefined;
}

/** The facts that a container registry gives about a tag. */
export interface Tag {
  version: string;
  releaseTimestamp?: string | undefined;
  digests?: string[] | undefined;
}

/** Facts about a release that a list may lack. */
export type LookedUpFacts = Omit<Tag, 'version'>;

/** A kind of registry. Its functions throw `SourceError`. */
export interface Datasource<Source> {
  list(source: Source, context: SourceContext): Promise<StatedAnswer>;
  /** Requests the facts that the list lacks about a new release. Returns `absent` if the release has nothing to download. */
  lookUp?(source: Source, release: Tag, context: SourceContext): Promise<LookedUpFacts | 'absent'>;
  /** Drops releases that are only another name for a listed release, such as moving tags. */
  select?<T extends Tag>(releases: readonly T[], recorded: readonly Tag[]): T[];
  describe?(source: Source, context: SourceContext): Promise<PackageDescription>;
}
