import type { Day } from '../../core/model/dates.ts';
import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { findHost, type SiteConfig } from '../../core/schemas/definition/site-config.ts';

/** Everything except the component that a document may depend on. */
export interface SiteContext {
  readonly config: SiteConfig;
  /** The access rules of a private index; absent for a public index. */
  readonly access?: AccessConfig | undefined;
  /** The address of the published site, without a trailing slash. */
  readonly baseUrl: string;
  readonly day: Day;
  readonly theme: SiteTheme;
  /** The workflow in the repository of the index that publishes it; absent for the one that `init` writes. */
  readonly workflow?: string | undefined;
  /** Whether the statements were signed with a key that is gone, so that nothing signs `SHA256SUMS`. */
  readonly isSignedOnce?: boolean;
}

/** Whether the host serves only files. Readers then run this program to answer questions. */
export function isStatic({ config }: Pick<SiteContext, 'config'>): boolean {
  return findHost(config) !== 'cloudflare';
}

/** The hand-written parts of the pages. */
export interface SiteTheme {
  /** Handlebars templates of pages, by file name without `.hbs`. */
  readonly templates: ReadonlyMap<string, string>;
  /** Handlebars templates of texts to copy, by file name without `.hbs`. */
  readonly snippets: ReadonlyMap<string, string>;
  /** Stylesheet, scripts and icon, published unchanged under `assets/`. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/** A file of the site. The path is relative, with slashes. */
export interface SiteFile {
  readonly path: string;
  readonly body: string | Uint8Array;
}
