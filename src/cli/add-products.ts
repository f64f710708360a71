import type { Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { InputError, problem } from '../core/schemas/finding.ts';
import { UpstreamUrl } from '../core/schemas/scalars.ts';
import { endSentence } from '../core/text/wording.ts';
import type { Fetcher } from '../io/http/client.ts';
import { HttpError } from '../io/http/error.ts';
import type { ComponentRequest } from '../record/add/add-component.ts';
import {
  endoflifeFiles,
  findProduct,
  listFolder,
  type Product,
} from '../record/add/read-product.ts';
import { SourceError } from '../record/sources/datasource.ts';
import { listProducts } from '../record/sources/endoflife-date.ts';
import { readAddRequest, type AddOptions, type ListedPackage } from './add-request.ts';
import { parseOption, type OptionValues } from './command.ts';

/** A component by the command line; for a product, also by its file at an instance of endoflife.date. */
export async function readRequest(
  { datasource, packageName, registryUrl }: ListedPackage,
  options: OptionValues<AddOptions>,
  env: NodeJS.ProcessEnv,
  context: { http: Fetcher; day: Day },
): Promise<ComponentRequest> {
  const isProduct = datasource === 'endoflife-date';
  const { files, api } = isProduct ? findInstance(options, env) : {};
  const entry = {
    datasource,
    packageName,
    registryUrl: registryUrl ?? options['registry-url'] ?? api,
  };
  const request = await readAddRequest(entry, options);
  if (files === undefined) {
    return request;
  }

  const product = await findProduct(packageName, files, context).catch((error: unknown) =>
    rejectUpstream(packageName, error),
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
  const { registryUrl } = request.source;
  const supportSource = { datasource: 'endoflife-date' as const, product: name, registryUrl };
  return {
    ...request,
    source,
    others,
    statedLatest: latest,
    facts: dropUndefined({
      support: { policy: 'stated' as const, source: dropUndefined(supportSource) },
      ...facts,
      ...request.facts,
    }),
    notes,
  };
}

/** An instance of endoflife.date: its API, and the address or folder of its files of products, which state more. */
function findInstance(options: OptionValues<AddOptions>, env: NodeJS.ProcessEnv) {
  const { all, 'from-instance': option = all, 'registry-url': registryUrl } = options;
  // The address of an API does not say where its files are.
  if (option === undefined && registryUrl !== undefined) {
    return {};
  }

  const variable = env['ENDOFLIFE_DATE_URL'] || undefined;
  const place = option ?? variable;
  if (place === undefined) {
    return { files: endoflifeFiles };
  }
  if (!isUrl(place)) {
    return { files: place, api: variable };
  }

  const address = place.replace(/(?:\/api)?(?:\/v1)?\/*$/, '/');
  return {
    files: parseOption('--from-instance', address, UpstreamUrl),
    api: createApiAddress(place),
  };
}

function isUrl(place: string): boolean {
  return /^https?:/.test(place);
}

/** An instance serves its API below `/api/`. */
function createApiAddress(url: string): string {
  const address = url.replace(/(?:\/v1)?\/*$/, '');
  return address.endsWith('/api') ? `${address}/` : `${address}/api/`;
}

/** All products of the instance at an address or in a folder. */
export async function listProductNames(place: string, http: Fetcher): Promise<string[]> {
  try {
    if (!isUrl(place)) {
      return listFolder(place);
    }

    const url = parseOption('--all', place, UpstreamUrl) ?? place;
    return await listProducts(http, createApiAddress(url));
  } catch (error) {
    return rejectUpstream('--all', error);
  }
}

/** Throws an InputError for a failure of upstream, and any other error unchanged. */
export function rejectUpstream(
  subject: string,
  error: unknown,
  remedy = 'Nothing was written.',
): never {
  if (!(error instanceof HttpError || error instanceof SourceError)) {
    throw error;
  }

  throw new InputError([problem(subject, `${endSentence(error.message)} ${remedy}`)], {
    cause: error,
  });
}
