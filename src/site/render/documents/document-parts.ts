import type { SiteFile } from '../site-context.ts';

/** Hosts accept files up to 25 MiB. A longer document is published in parts, or leaves out its oldest entries. */
export const maxDocumentMebibytes = 20;

/**
 * Writes `all.json` or `search.json` if every entry fits, otherwise its parts (`all/1.json`, `all/2.json` …) and a document that
 * lists them. Writes each part as soon as it is full, because all parts together may exceed the memory.
 */
export function openParts(
  document: 'all' | 'search',
  write: (file: SiteFile) => void,
  limit = maxDocumentMebibytes * 2 ** 20,
) {
  const parts: string[] = [];
  let members: string[] = [];
  let length = 0;

  return { add, finish };

  /** Call it in the order of names. `body`: the entry of a component. */
  function add(name: string, body: string): void {
    const member = renderMember(name, body);
    const bytes = Buffer.byteLength(member);
    if (length + bytes > limit && members.length > 0) {
      writePart();
    }

    members.push(member);
    length += bytes;
  }

  function writePart(): void {
    const path = `${document}/${parts.length + 1}.json`;
    write({ path, body: joinMembers(members) });
    parts.push(path);
    members = [];
    length = 0;
  }

  function finish(): void {
    const path = `${document}.json`;
    if (parts.length === 0) {
      write({ path, body: joinMembers(members) });
      return;
    }

    writePart();
    write({ path, body: `${JSON.stringify({ isComplete: false, parts, components: {} })}\n` });
  }
}

/** A document with an entry for every component, whatever its length. */
export function renderWhole(entries: readonly (readonly [name: string, body: string])[]): string {
  return joinMembers(entries.map(([name, body]) => renderMember(name, body)));
}

function renderMember(name: string, body: string): string {
  return `\n${JSON.stringify(name)}: ${body.trimEnd()}`;
}

function joinMembers(members: readonly string[]): string {
  return `{"components": {${members.join(',')}${members.length > 0 ? '\n' : ''}}}\n`;
}
