import type { Day } from '../core/day.ts';
import type { Advisory } from '../core/schema/published.ts';
import type { Recorded, StatedLine } from '../core/schema/recorded.ts';
import type { Http } from './http/client.ts';

/** One release in the list of a source, with values of the right form, before a definition selects from it. */
export interface SourceRelease {
  /** As upstream spells it: a version, or a tag that holds one. */
  version: string;
  /** `2026-03-25T10:20:30Z`; absent if not stated. */
  releaseTimestamp?: string | undefined;
  /** It was out by then, at the latest. */
  isUpperBound?: boolean | undefined;
  changelogUrl?: string | undefined;
  /** Upstream's reason, or `no reason given`. */
  deprecated?: string | undefined;
  isPrerelease?: boolean | undefined;
  /** It came with a signed statement of how it was built; absent where its registry states none of any. */
  hasProvenance?: boolean | undefined;
  /** `sha256:<hex>`, sorted: of its files, or the commit of a tag. */
  digests?: string[] | undefined;
  /** The SHA-256 of the file that the definition means; null where there is none, as for the commit of a tag. Without it, a single one of `digests`. */
  digest?: string | null | undefined;
  /** Its files as upstream names them. */
  assets?: Asset[] | undefined;
  /** Where the file of `digest` lies. */
  url?: string | undefined;
  /** Files by the names that readers know: `linux-amd64`. */
  files?: Record<string, NamedFile> | undefined;
}

export interface NamedFile {
  /** Its SHA-256. */
  digest: string;
  /** Where it lies. */
  url?: string | undefined;
}

export interface Asset {
  name: string;
  /** `sha256:<hex>`; absent if not stated. */
  digest?: string | undefined;
  url?: string | undefined;
}

export interface SourceAnswer {
  releases: SourceRelease[];
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
export type Tag = Pick<SourceRelease, 'version' | 'releaseTimestamp' | 'digests'>;

/** What a list may lack. */
export type LookedUpFacts = Omit<Tag, 'version'>;

/** A registry. Its functions throw `SourceError`. */
export interface Datasource<Source> {
  list(source: Source, context: SourceContext): Promise<SourceAnswer>;
  /** Asks for the facts that the list lacks, of a release that is new and admitted. `absent`: it has nothing to download. */
  lookUp?(source: Source, release: Tag, context: SourceContext): Promise<LookedUpFacts | 'absent'>;
  /** Of the admitted releases with these facts, those that are none of another. */
  select?<T extends Tag>(releases: readonly T[], recorded: readonly Tag[]): T[];
  describe?(source: Source, context: SourceContext): Promise<PackageDescription>;
}
