import * as z from 'zod';
import { splitAddress } from '../../core/model/images.ts';
import { defineSource, definePackage } from './datasource.ts';
import { orNull, createListAdapter } from './shared/json-list.ts';
import { describeOciImage, gatherOciTags } from './shared/oci-registry.ts';
import { joinUrl } from './shared/requests.ts';

const dockerHubUrl = 'https://hub.docker.com/';

/** docs.docker.com/reference/api/hub/latest */
const dockerHub = createListAdapter({
  registry: dockerHubUrl,
  address: 'v2/repositories/{+packageName}/tags?page_size=100',
  entries: 'results',
  version: 'name',
  release: {
    schema: z.object({
      /** Tags pushed before Hub recorded days have none (docker/hub-feedback #2344). */
      tag_last_pushed: orNull(z.string()),
      /** The digest of the multi-platform index; old tags have only digests of single images. */
      digest: orNull(z.string()).catch(undefined),
    }),
    expression: `{
      "releaseTimestamp": tag_last_pushed ? tag_last_pushed,
      "digests": [{ "artifact": $version, "digest": digest }]
    }`,
  },
  package: {
    address: 'v2/repositories/{+packageName}',
    keys: { title: 'name', description: 'description' },
  },
});

/** Docker Hub's own API lists tags with their days. At other registries (`registryUrl`), each tag needs requests, as OCI specifies. */
export const docker = defineSource({
  datasource: 'docker',
  defaultRegistry: dockerHubUrl,
  coordinates: definePackage(
    /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/,
    'owner/image',
    'Docker Hub',
    'https://ghcr.io',
  ),
  renovate: ({ packageName, registryUrl }) => ({
    matchDatasources: ['docker'],
    matchPackageNames:
      registryUrl === undefined
        ? listHubNames(packageName)
        : listImageNames(`${new URL(registryUrl).host}/${packageName}`),
  }),
  async gather({ packageName, registryUrl }, context) {
    const answer =
      registryUrl === undefined
        ? await dockerHub.gather({ packageName: findNameAtHub(packageName) }, context)
        : await gatherOciTags({ ...context, registryUrl, packageName });
    return { ...answer, hasTags: true };
  },
  async describe({ packageName, registryUrl }, context) {
    if (registryUrl !== undefined) {
      return describeOciImage({ ...context, registryUrl, packageName });
    }

    const described = await dockerHub.describe(
      { packageName: findNameAtHub(packageName) },
      context,
    );

    // Hub has only its own page about an image.
    const page = packageName.includes('/') ? ['r', ...packageName.split('/')] : ['_', packageName];
    return { ...described, registryPage: joinUrl(dockerHubUrl, page) };
  },
});

/** The host of Docker Hub in the names of images. */
export const hubHost = 'docker.io/';

/** Whether a host is Docker Hub's: also that of its API, `index.docker.io`, or of its pages, `hub.docker.com`. */
export function isHub(host: string): boolean {
  return /(?:^|\.)docker\.(?:io|com)$/i.test(host);
}

/** The names in Renovate of the image at an address; none for an address that is only a host. */
export function listImageNames(address: string): string[] {
  const { host, repository } = splitAddress(address);
  const parts = repository.split('/').filter((part) => part !== '');
  const path = parts.join('/');
  if (path === '') {
    return [];
  }

  return host === undefined || isHub(host) ? listHubNames(path) : [`${host}/${path}`];
}

/** The names of an image of Docker Hub. Renovate keeps the one in a file, such as `FROM library/nginx`. The shortest is the first. */
function listHubNames(packageName: string): string[] {
  const shortest = packageName.replace(/^library\//, '');
  const names = [...new Set([shortest, findNameAtHub(shortest)])];
  return [...names, ...names.map((name) => hubHost + name)];
}

/** Official images are in the namespace "library". */
function findNameAtHub(packageName: string): string {
  return packageName.includes('/') ? packageName : `library/${packageName}`;
}
