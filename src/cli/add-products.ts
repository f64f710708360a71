import type { Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { UpstreamUrl } from '../core/schemas/urls.ts';
import type { Fetcher } from '../io/http/client.ts';
import type { ComponentRequest } from '../record/add/add-component.ts';
import { findProduct, isAddress, listFolder, type Product } from '../record/add/read-product.ts';
import { createSupportSource, listProducts } from '../record/sources/endoflife-date.ts';
import {
  nothingWritten,
  readPackageRequest,
  rejectUpstream,
  type AddOptions,
  type ListedPackage,
} from './add-request.ts';
import { parseOption, type OptionValues } from './command.ts';

/** The files of the products of endoflife.date. */
const publicFiles = 'https://raw.githubusercontent.com/endoflife-date/endoflife.date/master/';

interface RequestContext {
  options: OptionValues<AddOptions>;
  env: NodeJS.ProcessEnv;
  upstreams: { http: Fetcher };
  day: Day;
}

/** A component by the command line; for a product, also by its file at an instance of endoflife.date. */
export async function readRequest(
  entry: ListedPackage,
  { options, env, upstreams, day }: RequestContext,
): Promise<ComponentRequest> {
  const { datasource, packageName, registryUrl = options['registry-url'] } = entry;
  const { files, api } = datasource === 'endoflife-date' ? findInstance(options, env) : {};
  const listed = { datasource, packageName, registryUrl: registryUrl ?? api };
  const request = await readPackageRequest(listed, options);
  if (files === undefined) {
    return request;
  }

  const product = await findProduct(packageName, files, { ...upstreams, day }).catch(
    (error: unknown) => rejectUpstream(packageName, error, nothingWritten),
  );
  return product ? addProduct(request, packageName, product) : request;
}

/** The sources and the policy of a product, instead of the product as the only source. */
function addProduct(
  request: ComponentRequest,
  name: string,
  { sources, facts, latest, notes }: Product,
): ComponentRequest {
  const [source = request.source, ...others] = sources;
  return {
    ...request,
    source,
    others,
    statedLatest: latest,
    facts: dropUndefined({
      support: {
        policy: 'stated' as const,
        source: createSupportSource(name, request.source.registryUrl),
      },
      ...facts,
      ...request.facts,
    }),
    notes,
  };
}

/**
 * The instance of endoflife.date that the options name, else the environment, else the public one. `files`: the address or folder
 * of its files of products, which state more than its API; `api`: absent for the public one.
 */
function findInstance(
  options: OptionValues<AddOptions>,
  env: NodeJS.ProcessEnv,
): { files?: string | undefined; api?: string | undefined } {
  const configuredUrl = env['ENDOFLIFE_DATE_URL'] || undefined;
  const option = options['from-instance'] ?? options.all;
  if (option === undefined && options['registry-url'] !== undefined) {
    // The address of an API does not say where its files are.
    return {};
  }

  const instance = option ?? configuredUrl;
  if (instance === undefined) {
    return { files: publicFiles };
  }
  if (!isAddress(instance)) {
    return { files: instance, api: configuredUrl };
  }

  // `https://ends.example.com/api/v1` serves its files at `https://ends.example.com/`.
  const address = instance.replace(/(?:\/api)?(?:\/v1)?\/*$/, '/');
  const name = option === undefined ? 'ENDOFLIFE_DATE_URL' : '--from-instance';
  return { files: parseOption(name, address, UpstreamUrl), api: createApiAddress(instance) };
}

/** An instance serves its API below `/api/`. The address may be that of the instance, of the API, or of its version 1. */
function createApiAddress(url: string): string {
  const address = url.replace(/(?:\/v1)?\/*$/, '');
  return address.endsWith('/api') ? `${address}/` : `${address}/api/`;
}

/** All products of the instance at an address or in a folder. */
export async function listProductNames(instance: string, http: Fetcher): Promise<string[]> {
  try {
    if (!isAddress(instance)) {
      return listFolder(instance);
    }

    const url = parseOption('--all', instance, UpstreamUrl) ?? instance;
    return await listProducts(http, createApiAddress(url));
  } catch (error) {
    return rejectUpstream('--all', error, nothingWritten);
  }
}
