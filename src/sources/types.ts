import type { Day } from '../core/day.ts';
import type { Advisory } from '../core/schema/published.ts';
import type { Recorded, StatedLine } from '../core/schema/recorded.ts';
import type { Http } from './http/client.ts';

/** A release as a source states it, with values in any form. `checkRelease` checks them. */
export interface StatedRelease {
  /** A version, or a tag with a version in it, as upstream spells it. */
  version: string;
  releaseTimestamp?: string | undefined;
  /** `releaseTimestamp` is the latest possible time. */
  isUpperBound?: boolean | undefined;
  changelogUrl?: string | undefined;
  /** Upstream's reason. Empty if it states none. */
  deprecated?: string | undefined;
  isPrerelease?: boolean | undefined;
  /** The registry orders versions by SemVer, so any suffix marks a prerelease. */
  isSemver?: boolean;
  /** Whether the registry states a signed statement of how it was built. Absent if the registry states that for no release. */
  hasProvenance?: boolean | undefined;
  /** Digests of its files, or the commit of a tag. One text may have several, separated by spaces. */
  digests?: readonly (string | null | undefined)[] | undefined;
  /** Null: its digests do not belong to a file that readers download. */
  digest?: null | undefined;
  /** Its files, with their upstream names. */
  assets?: readonly StatedAsset[] | undefined;
  /** The address of its file. */
  url?: string | undefined;
  /** The SHA-256 and the address of files, by the names that readers know: `linux-amd64`. */
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
  /** Why all releases are deprecated, also those that the source no longer lists. */
  deprecated?: string | undefined;
  /** The registry has locked all releases. `deprecated` has the reason. */
  isQuarantined?: boolean | undefined;
  /** The list is incomplete, or an entry cannot be read. Missing releases are not withdrawn. */
  isPartial?: boolean;
  /** Values that were left out, in sentences for the operator of the index. */
  findings: string[];
}

export interface SourceContext {
  http: Http;
  /** The folder of the index. */
  root: string;
  /** The day of the run. A later release day is rejected. */
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

/** The facts that a container registry states about a tag. */
export interface Tag {
  version: string;
  releaseTimestamp?: string | undefined;
  digests?: string[] | undefined;
}

/** Facts that a list may lack. */
export type LookedUpFacts = Omit<Tag, 'version'>;

/** A registry. Its functions throw `SourceError`. */
export interface Datasource<Source> {
  list(source: Source, context: SourceContext): Promise<StatedAnswer>;
  /** Requests the facts that the list lacks, for a new and admitted release. `absent`: the release has nothing to download. */
  lookUp?(source: Source, release: Tag, context: SourceContext): Promise<LookedUpFacts | 'absent'>;
  /** Drops releases that are only another name of a release, such as moving tags. */
  select?<T extends Tag>(releases: readonly T[], recorded: readonly Tag[]): T[];
  describe?(source: Source, context: SourceContext): Promise<PackageDescription>;
}
