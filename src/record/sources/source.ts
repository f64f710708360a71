import type { Day } from '../../core/dates.ts';
import type { Fetcher } from '../../io/http/client.ts';
import type { Datasource, SourceOf } from '../../core/schemas/source-schema.ts';
import type { DefaultRegistries } from './default-registries.ts';

/**
 * One release as a source states it: strings as they came. Whether they can be believed (a plausible day, an `https:`
 * link) is decided in one place for all sources.
 */
export interface SourceRelease {
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
}

/** What a source gets from the pipeline. */
export interface SourceContext {
  /** What is fetched here is kept for later runs once the pipeline has found the answer plausible. */
  readonly http: Fetcher;
  /** The day of the run, UTC. */
  readonly day: Day;
  readonly defaults: SourceDefaults;
  /**
   * Tells the pipeline that upstream lists this name (a version, or a tag that holds one) and returns the version to
   * take, after `extractVersion`; undefined where the definition leaves it out, so that it costs no request of its own.
   */
  offer(listed: string, isPrerelease?: boolean): string | undefined;
  /** Whether the day of this version is still to be asked for: once per unseen version, for sources that state it one by one. */
  wantsTimestamp(version: string): boolean;
  /** The day of this version could not be asked for. The next run asks again. */
  postpone(version: string, error: unknown): void;
  /** Reports an element of the answer that cannot be used. The rest of the answer stands. */
  skip(message: string): void;
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
}

/** Registries that a definition need not name: the public ones, and npm's from its configuration. */
export interface SourceDefaults extends DefaultRegistries {
  /** The registry that npm is configured with for a package; a scope may have its own. */
  npmRegistryUrl(packageName: string): string;
}

/**
 * One datasource. `gather` lists every release that upstream lists, or throws: an `HttpError`, or a `SourceError` for an
 * answer that arrived and cannot be believed (another package's document, an unknown shape).
 */
export interface SourceAdapter<D extends Datasource> {
  readonly datasource: D;
  /** Upstream drops old entries, so that an absent version says nothing. */
  readonly onlyAdds?: true;
  /** Upstream can call a version deprecated, so that its silence says that it does not. */
  readonly statesDeprecation?: true;
  gather(source: SourceOf<D>, context: SourceContext): Promise<SourceRelease[]>;
  /** What a new definition can begin with. Throws as `gather` does; absent where the registry knows nothing but versions. */
  describe?(source: SourceOf<D>, context: DescribeContext): Promise<PackageDescription>;
}

export type DescribeContext = Pick<SourceContext, 'http' | 'defaults'>;

/** Upstream answered, but not with what it should. The message begins with the address. */
export class SourceError extends Error {
  override readonly name: string = 'SourceError';
}

/** Upstream answered soundly, with a list of nothing. */
export class EmptyAnswerError extends SourceError {
  override readonly name = 'EmptyAnswerError';
}
