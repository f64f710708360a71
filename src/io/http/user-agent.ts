/** Every request names where upstreams can complain. */
export function userAgentOf({ repositoryUrl }: { repositoryUrl: string }): string {
  return `release-index (+${repositoryUrl})`;
}
