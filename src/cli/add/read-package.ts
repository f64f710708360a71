import HostedGit from 'hosted-git-info';
import { datasourceFacts, datasourceNames, type DatasourceName } from '../../core/datasources.ts';
import { UsageError } from '../../core/errors.ts';
import { parseImage, splitImage } from '../../core/purl.ts';

/** A package as a definition names it. */
export interface Package {
  datasource: DatasourceName;
  packageName: string;
  /** In place of the usual one. */
  registryUrl?: string | undefined;
}

type Place = Pick<Package, 'packageName' | 'registryUrl'>;

/** Names of packages; absent where a name says too little for a definition. */
export const examples: Readonly<Partial<Record<DatasourceName, string>>> = {
  npm: '@scope/package',
  maven: 'com.example:agent',
  pypi: 'agent',
  docker: 'example/agent',
  helm: 'agent --registry-url URL',
  'github-releases': 'owner/repo',
  'github-tags': 'owner/repo',
  'gitlab-releases': 'group/project',
  'gitlab-tags': 'group/project',
  'git-tags': 'https://git.example.com/agent.git',
  nuget: 'Agent',
  crate: 'agent',
  rubygems: 'agent',
  go: 'example.com/agent',
  json: 'https://example.com/agent.json',
  static: 'releases.csv',
};

/**
 * Reads the package of words as people have them: a datasource and a name, or an address. Undefined where the first word is neither.
 * Throws a `UsageError` where they name no single package. `registryUrl`: the one that a person chose.
 */
export function readPackage(words: readonly string[], registryUrl?: string): Package | undefined {
  const [first = ''] = words;
  const stated = datasourceNames.find((name) => name === first);
  const datasource = stated ?? findDatasource(first);
  if (datasource === undefined) {
    return undefined;
  }

  const names = stated === undefined ? words : words.slice(1);
  const named = locatePackage(datasource, names[0] ?? '');
  const chosen = { ...named, registryUrl: registryUrl ?? named.registryUrl };
  rejectIncomplete(chosen, names.length);
  return chosen;
}

/** Of an address in place of a datasource. */
function findDatasource(address: string): DatasourceName | undefined {
  if (address.startsWith('oci://')) {
    return 'docker';
  }
  const type = /^\w+:\/\/|^git@/.test(address) ? HostedGit.fromUrl(address)?.type : undefined;
  return type === 'github' || type === 'gitlab' ? `${type}-releases` : undefined;
}

function locatePackage(datasource: DatasourceName, name: string): Package {
  // A chart in an OCI registry is listed as an image is.
  if (datasource === 'docker' || name.startsWith('oci:')) {
    return { datasource: 'docker', ...readImageName(name) };
  }
  const isOfRepository = /^git(?:hub|lab)-/.test(datasource);
  return { datasource, ...(isOfRepository ? readRepository(name) : { packageName: name }) };
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
  const [top = address] = /^https?:\/\/github\.com(?:\/[^/]+){2}|^.+?(?=\/-\/)/.exec(address) ?? [];
  const hosted = /[:@]/.test(top) ? HostedGit.fromUrl(top) : undefined;
  if (hosted) {
    return { packageName: `${hosted.user}/${hosted.project}` };
  }

  const url = /^https?:\/\//.test(top) ? URL.parse(top) : null;
  if (!url) {
    return { packageName: address };
  }
  const path = url.pathname.replace(/(?:\.git)?\/?$/, '');
  return { packageName: path.slice(1), registryUrl: url.origin };
}

function rejectIncomplete(
  { datasource, packageName, registryUrl }: Package,
  nameCount: number,
): void {
  // The table has every datasource.
  const { needs } = datasourceFacts[datasource]!;
  const example = examples[datasource];
  if (example === undefined) {
    const keys = ['datasource', ...needs].join(', ');
    throw new UsageError(
      `add writes no ${datasource}: write a source with ${keys} into components/<name>.json`,
    );
  }
  if (packageName === '' || nameCount > 1) {
    throw new UsageError(`add ${datasource} expects one package, such as ${example}`);
  }
  if (needs.includes('registryUrl') && registryUrl === undefined) {
    throw new UsageError(`--registry-url: ${datasource} has no default registry`);
  }
}
