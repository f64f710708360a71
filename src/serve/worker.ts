import type { AccessConfig } from '../core/schema/access.ts';
import type { Api } from './api/route.ts';
import { openSiteApi, type Assets } from './site-api.ts';

/** Bindings and variables that the host gives the Worker. */
interface Env {
  ASSETS: Assets;
  /** The URL of the site, without a slash at its end. */
  BASE_URL: string;
  /** The secret with the access keys, as a JSON array. */
  RELEASE_INDEX_ACCESS_KEYS?: string;
}

/** The content of `site/access.json`, checked and with defaults. The bundler inserts it. Null for a public index. */
declare const RELEASE_INDEX_ACCESS: AccessConfig | null;
/** The version of the program. The bundler inserts it, because the whole `package.json` would be large. */
declare const RELEASE_INDEX_VERSION: string;

/** The API is opened once, because the files and settings of a deployed Worker never change. */
let api: Api | undefined;

export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    api ??= openSiteApi({
      assets: env.ASSETS,
      baseUrl: env.BASE_URL,
      access: RELEASE_INDEX_ACCESS,
      keys: env.RELEASE_INDEX_ACCESS_KEYS,
      version: RELEASE_INDEX_VERSION,
    });
    return api.fetch(request, env);
  },
};
