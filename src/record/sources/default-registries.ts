/** The public registries that a definition need not name. No other host is named in the program. */
export interface DefaultRegistries {
  mavenRegistryUrl: string;
  pypiRegistryUrl: string;
  /** Docker Hub's own API, which dates each tag; a `registryUrl` leads to an OCI registry instead. */
  dockerHubUrl: string;
  githubApiUrl: string;
  gitlabUrl: string;
  nugetRegistryUrl: string;
  rubygemsRegistryUrl: string;
  /** The sparse index of crates, and the API that dates those of its entries that have no day. */
  crateIndexUrl: string;
  cratesApiUrl: string;
  goProxyUrl: string;
}

/** npm's is not among them: it comes from the configuration of npm. */
export const defaultRegistries: Readonly<DefaultRegistries> = {
  mavenRegistryUrl: 'https://repo.maven.apache.org/maven2/',
  pypiRegistryUrl: 'https://pypi.org/pypi/',
  dockerHubUrl: 'https://hub.docker.com/',
  githubApiUrl: 'https://api.github.com/',
  gitlabUrl: 'https://gitlab.com/',
  nugetRegistryUrl: 'https://api.nuget.org/v3/index.json',
  rubygemsRegistryUrl: 'https://rubygems.org/',
  crateIndexUrl: 'https://index.crates.io/',
  cratesApiUrl: 'https://crates.io/',
  goProxyUrl: 'https://proxy.golang.org/',
};
