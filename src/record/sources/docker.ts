import { describeDockerHub, gatherDockerHub } from './docker-hub.ts';
import { describeOciImage, gatherOciRegistry } from './oci-registry.ts';
import type { SourceAdapter } from './source.ts';

/** Docker Hub's own API dates every tag in its list. Any other registry is asked tag by tag, as OCI specifies. */
export const docker: SourceAdapter<'docker'> = {
  datasource: 'docker',
  gather({ packageName, registryUrl }, context) {
    if (registryUrl === undefined) return gatherDockerHub(packageName, context);
    return gatherOciRegistry(registryUrl, packageName, context);
  },
  describe({ packageName, registryUrl }, context) {
    if (registryUrl === undefined) return describeDockerHub(packageName, context);
    return describeOciImage(registryUrl, packageName, context);
  },
};
