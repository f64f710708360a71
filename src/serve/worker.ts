import type { AccessConfig } from '../core/schema/access.ts';
import type { Api } from './api/route.ts';
import { openSiteApi, type Assets } from './site-api.ts';

/** Bindings and variables that the host gives the Worker. */
interface Env {
  ASSETS: Assets;
  /** Without a slash at its end. */
  BASE_URL: string;
  /** Secret: the access keys, as a JSON array. */
  RELEASE_INDEX_ACCESS_KEYS?: string;
}

/** The bundler inserts the content of `site/access.json`, checked and with its defaults. Null for a public index. */
declare const RELEASE_INDEX_ACCESS: AccessConfig | null;
/** The bundler inserts the version of the program, because the whole manifest would be large. */
declare const RELEASE_INDEX_VERSION: string;

/** Opened once, because files and settings of a version of the Worker never change. */
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
