/** Paragraphs of pages: `notes.hbs` draws them. */

/** A text, perhaps with a link behind it. `kind`: its class. */
interface Note {
  kind?: string;
  text?: string | false | undefined;
  url?: string | undefined;
  link?: string;
}

/** Those that say something. */
export function listNotes(...notes: readonly Note[]) {
  const shown = notes.filter(({ text, url }) => text || url);
  return shown.map(({ kind = 'note', text, url, link }) => ({ kind, text: text || '', url, link }));
}
