import HostedGit from 'hosted-git-info';
import { datasourceNames, type DatasourceName } from '../../core/datasources.ts';
import { parseImage, splitImage } from '../../core/purl.ts';

/** A package as a definition names it. */
export interface Named {
  datasource: DatasourceName;
  packageName: string;
  registryUrl?: string | undefined;
  /** Further words, which nothing expects. */
  others: readonly string[];
}

type Place = Pick<Named, 'packageName' | 'registryUrl'>;

/** The package of words as people have them: undefined where the first one names no datasource, and is no address of a package. */
export function readPackage(words: readonly string[]): Named | undefined {
  const [first = ''] = words;
  const datasource = datasourceNames.find((name) => name === first) ?? findDatasourceOf(first);
  const [packageName = '', ...others] = datasource === first ? words.slice(1) : words;
  if (datasource === undefined) {
    return undefined;
  }

  // A chart in an OCI registry is listed as an image is.
  if (datasource === 'docker' || packageName.startsWith('oci:')) {
    return { datasource: 'docker', ...readImageName(packageName), others };
  }
  const isOfRepository = /^git(?:hub|lab)-/.test(datasource);
  const place = isOfRepository ? readRepository(packageName) : { packageName };
  return { datasource, ...place, others };
}

/** Of an address in place of a datasource. */
function findDatasourceOf(address: string): DatasourceName | undefined {
  if (address.startsWith('oci://')) {
    return 'docker';
  }
  const type = /^\w+:\/\/|^git@/.test(address) ? HostedGit.fromUrl(address)?.type : undefined;
  return type === 'github' || type === 'gitlab' ? `${type}-releases` : undefined;
}

/** `registry.example.com/team/app`, perhaps with a tag or a digest, which say nothing of all its versions. */
function readImageName(address: string): Place {
  const { host, repository } = splitImage(address);
  const packageName = parseImage(address)?.name ?? repository;
  const isHub = host === undefined || /^(?:[\w-]+\.)?docker\.(?:io|com)$/.test(host);
  return isHub ? { packageName } : { packageName, registryUrl: `https://${host}` };
}

/** `https://git.example.com/group/project.git`, or the address of one of its pages. */
function readRepository(address: string): Place {
  // A page of GitHub, or of GitLab, is below its repository.
  const [own = address] = /^https?:\/\/github\.com(?:\/[^/]+){2}|^.+?(?=\/-\/)/.exec(address) ?? [];
  const hosted = /[:@]/.test(own) ? HostedGit.fromUrl(own) : undefined;
  if (hosted) {
    return { packageName: `${hosted.user}/${hosted.project}` };
  }

  const url = /^https?:\/\//.test(own) ? URL.parse(own) : null;
  const path = (url?.pathname ?? '').replace(/(?:\.git)?\/?$/, '');
  return url ? { packageName: path.slice(1), registryUrl: url.origin } : { packageName: address };
}
