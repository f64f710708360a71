import type { Day } from '../dates.ts';
import type { SiteConfig } from '../model/site-config.ts';

/** What every document of a site may depend on besides its component. */
export interface SiteContext {
  readonly config: SiteConfig;
  /** Where the site will be published, without a slash at its end. */
  readonly baseUrl: string;
  readonly day: Day;
  readonly theme: SiteTheme;
}

/** What the pages are made with, as a person wrote it. */
export interface SiteTheme {
  /** Text of each Handlebars template under its file's name without `.hbs`. */
  readonly templates: ReadonlyMap<string, string>;
  /** Stylesheet, script and icon, published as they are under `assets/`. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/** A file of the site. The path is relative, with slashes. */
export interface SiteFile {
  readonly path: string;
  readonly body: string | Uint8Array;
}
