import type { PublishedChange } from './published-index.ts';

/** What a client wants to hear of; all where a list is absent. */
export interface ChangeFilter {
  readonly components?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
}

export function isWanted(change: PublishedChange, { components, types }: ChangeFilter): boolean {
  return (
    (!components || components.some((name) => isAbout(change, name))) &&
    (types?.includes(change.type) ?? true)
  );
}

/** Under its name at that time, or under the first, which its ids keep. */
export function isAbout({ id, component }: PublishedChange, name: string): boolean {
  return component === name || id.slice(0, id.lastIndexOf('/')) === name;
}
