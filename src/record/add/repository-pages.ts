/** Hosts of repositories, with the prefix of npm's short form, and the path from a repository to its list of releases. */
const hosts: readonly { name: string; prefix?: string; releases?: string }[] = [
  { name: 'github.com', prefix: 'github', releases: '/releases' },
  { name: 'gitlab.com', prefix: 'gitlab', releases: '/-/releases' },
  { name: 'bitbucket.org', prefix: 'bitbucket' },
  { name: 'codeberg.org', releases: '/releases' },
];

/** The web page of a repository, which package managers write in several forms. Undefined for any other text. */
export function findRepositoryPage(repository: string): string | undefined {
  // `scm:git:` of Maven and `git+` of npm stand before an address; `git://` is an address itself.
  const text = repository.trim().replace(/^(?:scm:)?git[:+](?!\/\/)/, '');

  // The short form: `owner/repo`, `gitlab:owner/repo`.
  const [, prefix = 'github', shortPath] = /^(?:(\w+):)?([\w-]+\/[\w.-]+)$/.exec(text) ?? [];
  if (shortPath !== undefined) {
    const host = hosts.find((each) => each.prefix === prefix);
    return host && `https://${host.name}/${removeEnding(shortPath)}`;
  }

  // The form of scp, `git@host:path.git`, where an address would have a port: `git@host:22/path.git`.
  const [, scpHost, scpPath] = /^[\w-]+@([\w.-]+):(?!\d+\/|\/\/)(.+)$/.exec(text) ?? [];
  const url = URL.parse(scpHost === undefined ? text : `ssh://${scpHost}/${scpPath}`);
  const path = url ? removeEnding(url.pathname) : '';
  if (!url || url.hostname === '' || path === '') {
    return undefined;
  }

  if (url.protocol === 'https:') {
    return `https://${url.host}${path}`;
  }

  // The host of an ssh or git address also serves the page, at another port. Over http, only known hosts are sure to.
  const isUsable =
    ['git:', 'ssh:'].includes(url.protocol) || hosts.some(({ name }) => name === url.hostname);
  return isUsable ? `https://${url.hostname}${path}` : undefined;
}

function removeEnding(path: string): string {
  return path.replace(/\/$/, '').replace(/\.git$/, '');
}

/** The page that lists a repository's releases; undefined for an unknown host, a host without such pages, and an address without a repository. */
export function findReleasesPage(repositoryPage: string): string | undefined {
  const { hostname, pathname, origin } = new URL(repositoryPage);
  const releases = hosts.find((host) => host.name === hostname)?.releases;
  const [owner, repository] = pathname.split('/').filter(Boolean);
  if (releases === undefined || repository === undefined) {
    return undefined;
  }

  // The page may be a folder in the repository. On GitLab, where groups have subgroups, `/-/` ends the path of the repository.
  return releases.startsWith('/-/')
    ? `${repositoryPage.replace(/\/-\/.*$/, '')}${releases}`
    : `${origin}/${owner}/${repository}${releases}`;
}
