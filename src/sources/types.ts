import type { Day } from '../core/day.ts';
import type { Advisory } from '../core/schema/published.ts';
import type { Recorded, StatedLine } from '../core/schema/recorded.ts';
import type { Http } from './http/client.ts';

/** What a source states of a release, with values in any form: `checkRelease` says which are right. */
export interface StatedRelease {
  /** As upstream spells it: a version, or a tag that holds one. */
  version: string;
  releaseTimestamp?: string | undefined;
  /** It was out by then, at the latest. */
  isUpperBound?: boolean | undefined;
  changelogUrl?: string | undefined;
  /** Upstream's reason; empty without one. */
  deprecated?: string | undefined;
  isPrerelease?: boolean | undefined;
  /** The registry orders versions by SemVer, where any suffix marks a prerelease. */
  isSemver?: boolean;
  /** It came with a signed statement of how it was built; absent where its registry states none of any. */
  hasProvenance?: boolean | undefined;
  /** Of its files, or the commit of a tag. Several in a text are separated by spaces. */
  digests?: readonly (string | null | undefined)[] | undefined;
  /** Null: its digests are not those of a file that readers have. */
  digest?: null | undefined;
  /** Its files as upstream names them. */
  assets?: readonly StatedAsset[] | undefined;
  /** Where its file lies. */
  url?: string | undefined;
  /** The SHA-256 of files by the names that readers know, `linux-amd64`, and where they lie. */
  files?: Readonly<Record<string, string | undefined>> | undefined;
  urls?: Readonly<Record<string, string | undefined>> | undefined;
}

export type StatedAsset = Partial<Record<'name' | 'digest' | 'url', string | undefined>>;

export interface StatedAnswer {
  releases: StatedRelease[];
  lines?: StatedLine[];
  advisories?: Advisory[];
  /** The ids of advisories that it has withdrawn. */
  withdrawnAdvisories?: string[];
  /** Why all its releases are deprecated, also those that it no longer lists. */
  deprecated?: string | undefined;
  /** Its registry has locked all its releases, and `deprecated` says why. */
  isQuarantined?: boolean | undefined;
  /** It lists only some of its releases, or an entry cannot be read: what is missing is not withdrawn. */
  isPartial?: boolean;
  /** What was left out, for the person who runs the index. */
  findings: string[];
}

export interface SourceContext {
  http: Http;
  /** The folder of the index. */
  root: string;
  /** The day of the run: no later day is believed. */
  day: Day;
  /** The packages of the component, as OSV names them. */
  packages: readonly { ecosystem: string; name: string }[];
  /** What is recorded of the component, so that nothing is asked for twice. */
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

/** What a registry of containers states of a tag. */
export interface Tag {
  version: string;
  releaseTimestamp?: string | undefined;
  digests?: string[] | undefined;
}

/** What a list may lack. */
export type LookedUpFacts = Omit<Tag, 'version'>;

/** A registry. Its functions throw `SourceError`. */
export interface Datasource<Source> {
  list(source: Source, context: SourceContext): Promise<StatedAnswer>;
  /** Asks for the facts that the list lacks, of a release that is new and admitted. `absent`: it has nothing to download. */
  lookUp?(source: Source, release: Tag, context: SourceContext): Promise<LookedUpFacts | 'absent'>;
  /** Of the admitted releases with these facts, those that are none of another. */
  select?<T extends Tag>(releases: readonly T[], recorded: readonly Tag[]): T[];
  describe?(source: Source, context: SourceContext): Promise<PackageDescription>;
}
