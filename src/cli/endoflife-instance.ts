import { UpstreamUrl } from '../core/schemas/urls.ts';
import type { Fetcher } from '../io/http/client.ts';
import { isAddress, listFolder } from '../record/add/read-product.ts';
import { listProducts } from '../record/sources/endoflife-date.ts';
import type { AddOptions } from './add-arguments.ts';
import { parseOption, type OptionValues } from './command.ts';
import { rejectUpstream } from './upstream-error.ts';

/** An instance of endoflife.date, of which products are added. */
interface Instance {
  /** The address or folder of its files of products, which state more than its API. Absent if only an API is named. */
  files?: string;
  /** The address of its API; absent for the public instance. */
  api?: string | undefined;
}

/** The files of the products of endoflife.date. */
const publicFiles = 'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/';

/** The instance of `--from-instance` or `--all`, else that of the environment, else the public one. */
export function findInstance(options: OptionValues<AddOptions>, env: NodeJS.ProcessEnv): Instance {
  const { 'from-instance': fromInstance, all, 'registry-url': registryUrl } = options;
  const instance = fromInstance ?? all;
  if (instance !== undefined && !isAddress(instance)) {
    return { files: instance, api: readConfiguredApi(env) };
  }
  if (instance === undefined && registryUrl !== undefined) {
    // The address of an API does not say where its files are.
    return {};
  }

  const api =
    instance === undefined ? readConfiguredApi(env) : readApi('--from-instance', instance);
  return api === undefined ? { files: publicFiles } : { files: new URL('..', api).href, api };
}

/** All products of the instance at an address or in a folder. */
export async function listProductNames(instance: string, http: Fetcher): Promise<string[]> {
  try {
    return isAddress(instance)
      ? await listProducts(http, readApi('--all', instance))
      : listFolder(instance);
  } catch (error) {
    return rejectUpstream('--all')(error);
  }
}

/** The API of the instance in the environment; undefined for the public one. */
export function readConfiguredApi({
  ENDOFLIFE_DATE_URL: address,
}: NodeJS.ProcessEnv): string | undefined {
  return address ? readApi('ENDOFLIFE_DATE_URL', address) : undefined;
}

/** The API, below `/api/`, of an instance that is named by its address, that of its API, or that of version 1 of its API. */
function readApi(name: string, address: string): string {
  const url = parseOption(name, address, UpstreamUrl) ?? address;
  return `${url.replace(/(?:\/api)?(?:\/v1)?\/*$/, '')}/api/`;
}
