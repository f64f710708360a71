import type { Day } from '../../core/model/dates.ts';
import type { RecordedAdvisory, StatedLine } from '../../core/schemas/recorded/recorded.ts';
import { showUrl } from '../../io/http/error.ts';

/** The answer of a source, as data. */
export interface SourceAnswer {
  /** In the order of upstream. Of several with the same version, the first is used, unless the answer `hasParts`. */
  releases?: readonly ListedRelease[];
  /** A version has an element for each platform or chart, which together are its release. */
  hasParts?: boolean;
  /** Its names are tags of containers: one may move, or be no version, such as `latest`. */
  hasTags?: boolean;
  /** Names that are listed without facts, so their versions are not withdrawn. */
  alsoListed?: readonly ListedName[];
  lines?: readonly StatedLine[];
  /** The subject of the lines, if it is not the subject that the definition names. */
  about?: string | undefined;
  advisories?: StatedAdvisories;
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
export type RequestedFacts = Pick<StatedFacts, 'releaseTimestamp' | 'digests'>;

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
