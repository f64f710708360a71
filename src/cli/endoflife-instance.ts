import { UpstreamUrl } from '../core/schemas/urls.ts';
import type { Fetcher } from '../io/http/client.ts';
import { isAddress, listFolderProducts } from '../record/add/read-product.ts';
import { listProducts } from '../record/sources/endoflife-date.ts';
import type { AddOptions } from './add-arguments.ts';
import { parseOption, type OptionValues } from './command.ts';
import { rejectUpstream } from './add-report.ts';

/** An instance of endoflife.date whose products are added. */
interface EndoflifeInstance {
  /** The address or folder of its files of products, which state more than its API; undefined if unknown. */
  files: string | undefined;
  /** The address of its API; undefined for the public one. */
  api: string | undefined;
}

/** The files of the products of endoflife.date. */
const publicFiles = 'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/';

/**
 * The instance of `--from-instance` or `--all`, of `--registry-url`, of the environment, or the public one: the first that is given. A
 * folder has the API of the environment.
 */
export function findInstance(
  options: OptionValues<AddOptions>,
  env: NodeJS.ProcessEnv,
): EndoflifeInstance {
  const { 'from-instance': fromInstance, all, 'registry-url': registryUrl } = options;
  const instance = fromInstance ?? all;
  if (instance !== undefined && !isAddress(instance)) {
    return { files: instance, api: readConfiguredApi(env) };
  }
  if (instance === undefined && registryUrl !== undefined) {
    // The address of an API does not say where its files are.
    return { files: undefined, api: registryUrl };
  }

  const option = fromInstance === undefined ? '--all' : '--from-instance';
  const api = instance === undefined ? readConfiguredApi(env) : readApi(option, instance);
  return { files: api === undefined ? publicFiles : new URL('..', api).href, api };
}

/** The API of the instance in the environment; undefined for the public one. */
export function readConfiguredApi(env: NodeJS.ProcessEnv): string | undefined {
  const address = env['ENDOFLIFE_DATE_URL'];
  return address ? readApi('ENDOFLIFE_DATE_URL', address) : undefined;
}

/** All products of the instance of `--all`: at an address or in a folder. */
export async function listProductNames(instance: string, http: Fetcher): Promise<string[]> {
  try {
    return isAddress(instance)
      ? await listProducts(http, readApi('--all', instance))
      : listFolderProducts(instance);
  } catch (error) {
    return rejectUpstream('--all')(error);
  }
}

/**
 * The API of an instance: `https://x/api/` for `https://x/`, `https://x/api` and `https://x/api/v1`. `origin`: the option or variable of
 * the address, for a `UsageError`.
 */
function readApi(origin: string, address: string): string {
  // Undefined only without an address.
  const url = parseOption(origin, address, UpstreamUrl)!;
  return `${url.replace(/(?:\/api)?(?:\/v1)?\/*$/, '')}/api/`;
}
