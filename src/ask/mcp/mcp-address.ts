/** Whether a request is one that the endpoint for agents answers. */
export function isForMcp({ url }: Request): boolean {
  return new URL(url).pathname === '/mcp';
}
