import { parsePurl, type Purl } from './purl.ts';

/** What somebody uses, as it was written, and where. */
export interface Thing {
  readonly text: string;
  readonly file?: string;
  /** Of the file, from 1. */
  readonly line?: number;
  /** The name of a component, or of something that the index does not know. */
  readonly name?: string;
  readonly version?: string;
  readonly purl?: Purl;
}

export function namedThing(name: string, version: string | undefined): Thing {
  if (version === undefined) return { text: name, name };
  return { text: `${name}@${version}`, name, version };
}

/** Undefined for a text that is no package URL. */
export function packageThing(text: string): Thing | undefined {
  const purl = parsePurl(text);
  return purl && { text, purl, ...(purl.version !== undefined && { version: purl.version }) };
}

/** Each thing once, where it first stands. */
export function withoutTwins(things: readonly Thing[]): Thing[] {
  const first = new Map<string, Thing>();
  for (const thing of things) if (!first.has(thing.text)) first.set(thing.text, thing);
  return [...first.values()];
}
