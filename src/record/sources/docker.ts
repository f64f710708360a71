import { describeDockerHub, dockerHubUrl, gatherDockerHub } from './docker-hub.ts';
import { describeOciImage, gatherOciRegistry } from './oci-registry.ts';
import { packageFields } from './coordinates.ts';
import { defineSource } from './source.ts';
import { onlySuchTags } from './renovate.ts';

/** Docker Hub's own API dates every tag in its list. Any other registry is asked tag by tag, as OCI specifies. */
export const docker = defineSource({
  datasource: 'docker',
  purlType: 'docker',
  defaultRegistry: dockerHubUrl,
  coordinates: packageFields(
    /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/,
    'owner/image',
    { default: 'Docker Hub', example: 'https://ghcr.io' },
  ),
  timestamps: "Docker Hub: last push of the tag; OCI: `created` of the image's config",
  renovate: ({ packageName, registryUrl }, latest) => ({
    matchDatasources: ['docker'],
    matchPackageNames:
      registryUrl === undefined
        ? [packageName, `docker.io/${packageName}`]
        : [`${new URL(registryUrl).host}/${packageName}`],
    ...onlySuchTags(latest),
  }),
  gather({ packageName, registryUrl }, context) {
    if (registryUrl === undefined) return gatherDockerHub(packageName, context);
    return gatherOciRegistry(registryUrl, packageName, context);
  },
  describe({ packageName, registryUrl }, context) {
    if (registryUrl === undefined) return describeDockerHub(packageName, context);
    return describeOciImage(registryUrl, packageName, context);
  },
});
