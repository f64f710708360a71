/** What a client starts to answer from a checkout in the folder `DIR`. */
export const checkoutServer = {
  command: 'npm',
  args: ['run', '-s', '--prefix', 'DIR', 'release-index', '--', 'mcp'],
};

/** What a client asks that takes addresses. */
export function publishedServer(baseUrl: string): object {
  return { type: 'http', url: `${baseUrl}/mcp` };
}

/** The configuration of a client, in the form that most of them share. */
export function clientConfiguration(server: object): string {
  return JSON.stringify({ mcpServers: { releases: server } }, undefined, 2);
}
