import { variableOf } from '../../io/http/own-credentials.ts';
import type { SiteContext } from './site-context.ts';

/** Whether every file asks whoever reads it for a credential. */
export function isClosed({ access }: SiteContext): boolean {
  return access?.protect === 'everything';
}

/** `curl` as readers paste it, with the access key that they keep in a variable where one is asked for. */
export function curl(site: SiteContext): string {
  return isClosed(site) ? 'curl -H "Authorization: Bearer $RELEASE_INDEX_KEY"' : 'curl';
}

/** A command of this program that reads the index, for the same readers. */
export function reading(site: SiteContext, command: string): string {
  return isClosed(site)
    ? `${variableOf(new URL(site.baseUrl))}="Bearer $RELEASE_INDEX_KEY" ${command}`
    : command;
}
