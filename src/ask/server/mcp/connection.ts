/** The server that a client starts for the folder `DIR` of an index. */
export const folderServer = {
  command: 'npx',
  args: ['--prefix', 'DIR', 'release-index', 'mcp', '--root', 'DIR'],
};

/** The major version of the package that configurations run. */
export const programPackage = 'release-index@1';

/** The server of a published index, for a client that connects to an address. */
export function describePublishedServer(baseUrl: string): object {
  return { type: 'http', url: `${baseUrl}/mcp` };
}

/** The server that a client starts for an index on a host that only serves files. */
export function describeStaticServer(baseUrl: string): object {
  return { command: 'npx', args: ['--yes', programPackage, 'mcp', '--index', baseUrl] };
}

/** The configuration of a client, in the form that most clients share. */
export function renderClientConfiguration(server: object): string {
  return JSON.stringify({ mcpServers: { releases: server } }, undefined, 2);
}
