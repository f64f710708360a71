import type { Day } from '../../core/dates.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { hostOf, type SiteConfig } from '../../core/schemas/site-config.ts';

/** Everything besides its component that a document may depend on. */
export interface SiteContext {
  readonly config: SiteConfig;
  /** The readers of a private index; absent in a public one. */
  readonly access?: AccessConfig | undefined;
  /** The address of the published site, without a slash at its end. */
  readonly baseUrl: string;
  readonly day: Day;
  readonly theme: SiteTheme;
}

/** Whether the host serves files alone: questions are then answered by the program of whoever asks. */
export function isStatic({ config }: Pick<SiteContext, 'config'>): boolean {
  return hostOf(config) !== 'cloudflare';
}

/** The hand-written parts of the pages. */
export interface SiteTheme {
  /** Text of each Handlebars template of a page, by the name of its file without `.hbs`. */
  readonly templates: ReadonlyMap<string, string>;
  /** The same of texts to copy. */
  readonly snippets: ReadonlyMap<string, string>;
  /** Stylesheet, scripts and icon, published as they are under `assets/`. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/** A file of the site. The path is relative, with slashes. */
export interface SiteFile {
  readonly path: string;
  readonly body: string | Uint8Array;
}
