/** Well-known hosts, with the path of the list of releases below a repository's page. */
const knownHosts = new Map<string, { shorthand?: string; releases?: string }>([
  ['github.com', { shorthand: 'github', releases: '/releases' }],
  ['gitlab.com', { shorthand: 'gitlab', releases: '/-/releases' }],
  ['bitbucket.org', { shorthand: 'bitbucket' }],
  ['codeberg.org', { releases: '/releases' }],
]);

/**
 * The web page of a repository. Accepts the forms of package managers: `git+https://host/path.git`, `git@host:path.git`,
 * `scm:git:ssh://git@host/path`, `gitlab:owner/repo`, `owner/repo`. Undefined for any other text.
 */
export function findRepositoryPage(repository: string): string | undefined {
  const text = repository.trim().replace(/^(?:scm:)?git[:+](?!\/\/)/, '');
  const [, scheme = 'github', path] = /^(?:(\w+):)?([\w-]+\/[\w.-]+)$/.exec(text) ?? [];
  if (path !== undefined) {
    const knownHost = [...knownHosts].find(([, { shorthand }]) => shorthand === scheme);
    return knownHost && `https://${knownHost[0]}/${removeEnding(path)}`;
  }

  const scp = /^[\w-]+@([\w.-]+):(?!\d+\/|\/\/)(.+)$/.exec(text);
  const url = URL.parse(scp ? `ssh://${scp[1]}/${scp[2]}` : text);
  if (!url || url.hostname === '' || removeEnding(url.pathname) === '') {
    return undefined;
  }

  const isUsable =
    ['https:', 'git:', 'ssh:'].includes(url.protocol) || knownHosts.has(url.hostname);

  // The port of another protocol does not serve web pages.
  const host = url.protocol === 'https:' ? url.host : url.hostname;
  return isUsable ? `https://${host}${removeEnding(url.pathname)}` : undefined;
}

function removeEnding(path: string): string {
  return path.replace(/\/$/, '').replace(/\.git$/, '');
}

/** The page that lists a repository's releases; undefined unless its host is known to have one. */
export function findReleasesPage(page: string): string | undefined {
  const { hostname, pathname, origin } = new URL(page);
  const path = knownHosts.get(hostname)?.releases;

  // The page may be a folder in the repository.
  const [owner, name] = pathname.split('/').filter(Boolean);
  if (path === undefined || name === undefined) {
    return undefined;
  }

  const repository = path.startsWith('/-/')
    ? page.replace(/\/-\/.*$/, '')
    : `${origin}/${owner}/${name}`;
  return `${repository}${path}`;
}
