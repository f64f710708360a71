import * as z from 'zod';
import { findNameAtHub, listImageNames } from '../../core/model/images.ts';
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
    matchPackageNames: listImageNames({
      host: registryUrl && new URL(registryUrl).host,
      repository: packageName,
    }),
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
