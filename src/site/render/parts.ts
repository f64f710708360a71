import type { SiteFile } from './site-context.ts';

/** Hosts accept files up to 25 MiB, so a longer document is published in parts. */
const maxPartLength = 20 * 2 ** 20;

/** Documents with an entry for every component: `all.json`, `search.json`. */
export const documentsInParts = ['all', 'search'] as const;
export type DocumentInParts = (typeof documentsInParts)[number];

/**
 * Writes `all.json` or `search.json` if every entry fits, otherwise its parts (`all/1.json`, `all/2.json` …) and a document that
 * lists them. Writes each part as soon as it is full, because all parts together may exceed the memory.
 */
export function openParts(
  document: DocumentInParts,
  write: (file: SiteFile) => void,
  limit = maxPartLength,
) {
  const whole = `${document}.json`;
  const parts: string[] = [];
  let members: string[] = [];
  let length = 0;

  const close = (path: string) => {
    write({ path, body: joinComponents(members) });
    members = [];
    length = 0;
  };

  const closePart = () => {
    const path = `${document}/${parts.length + 1}.json`;
    parts.push(path);
    close(path);
  };

  return {
    /** Call in the order of names. `body`: the entry of a component. */
    add(name: string, body: string): void {
      const member = renderMember(name, body);
      const bytes = Buffer.byteLength(member);
      if (length + bytes > limit && members.length > 0) {
        closePart();
      }

      members.push(member);
      length += bytes;
    },
    finish(): void {
      if (parts.length === 0) {
        return close(whole);
      }

      closePart();
      const listing = { isComplete: false, parts, components: {} };
      write({ path: whole, body: `${JSON.stringify(listing)}\n` });
    },
  };
}

/** A document with an entry for every component, whatever its length. */
export function wholeDocument(entries: readonly (readonly [name: string, body: string])[]): string {
  return joinComponents(entries.map(([name, body]) => renderMember(name, body)));
}

function joinComponents(members: readonly string[]): string {
  return `{"components": {${members.join(',')}${members.length > 0 ? '\n' : ''}}}\n`;
}

function renderMember(name: string, body: string): string {
  return `\n${JSON.stringify(name)}: ${body.trimEnd()}`;
}
