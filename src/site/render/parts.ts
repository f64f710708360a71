import type { SiteFile } from './site-context.ts';

/** Hosts take files up to 25 MiB, so that a longer document of all components is published in parts. */
const maxPartLength = 20 * 2 ** 20;

/** Documents with an entry for every component: `all.json`, `search.json`. */
export const documentsInParts = ['all', 'search'] as const;
export type DocumentInParts = (typeof documentsInParts)[number];

/**
 * Writes `all.json` if everything fits into it, otherwise `all/1.json` and so on, and a list of these in `all.json`. All
 * parts have the same form. A part is written as soon as it is full, because all together may exceed the memory.
 */
export function openParts(
  document: DocumentInParts | 'lines',
  write: (file: SiteFile) => void,
  limit = maxPartLength,
) {
  const whole = `${document}.json`;
  const parts: string[] = [];
  let members: string[] = [];
  let length = 0;
  const close = (path: string) => {
    write({ path, body: `{"components": {${members.join(',')}${members.length > 0 ? '\n' : ''}}}\n` });
    members = [];
    length = 0;
  };
  const closePart = () => close(parts[parts.push(`${document}/${parts.length + 1}.json`) - 1]!);
  return {
    /** In the order of names. `body`: the entry of a component. */
    add(name: string, body: string): void {
      const bytes = Buffer.byteLength(body);
      if (length + bytes > limit && members.length > 0) closePart();
      members.push(`\n${JSON.stringify(name)}: ${body.trimEnd()}`);
      length += bytes;
    },
    finish(): void {
      if (parts.length === 0) return close(whole);
      closePart();
      write({ path: whole, body: `${JSON.stringify({ components: {}, parts })}\n` });
    },
  };
}
