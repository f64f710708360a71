import { removeInvisible } from '../../core/text/foreign-text.ts';

/**
 * Fills the place of text that a colon replaces, such as `</groupId><artifactId>`, so that later characters keep their positions. It
 * is a private character of Unicode, which is removed from texts first.
 */
export const filler = '\uE000';

/** The text as a person sees it, with one form for the coordinates of packages. Each line keeps its place. */
export function simplifyText(written: string): string {
  const visible = removeInvisible(written)
    .replaceAll(filler, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll('\r\n', '\n');
  // Escapes may hide a comment, and a comment may be inside a coordinate.
  const unescaped = replaceJsonEscapes(visible);
  const uncommented = removeMarkupComments(unescaped);
  const joined = joinCoordinates(uncommented).replaceAll(spacedSuffix, '-');
  const lines = markHeadings(blankLinkAddresses(joined)).split('\n').map(removeLineComment);
  return markComments(visible, lines).join('\n');
}

/** The blanks in `1.2 rc 1`, which is `1.2-rc-1`. Without a number, the word may be the name of an environment. */
const spacedSuffix =
  /(?<=\d) (?=(?:alpha|beta|rc)[ .-]?\d+(?!\d|[\w.-]*\w))|(?<=\d[ -](?:alpha|beta|rc)) (?=\d+(?!\d|[\w.-]*\w))/gi;

/** Marks the lines that had only a comment by a filler: an empty line would end a statement. */
function markComments(written: string, lines: readonly string[]): string[] {
  const writtenLines = written.split('\n');
  return lines.map((line, index) =>
    line.trim() === '' && writtenLines[index]?.trim() !== '' ? line + filler : line,
  );
}

function replaceJsonEscapes(text: string): string {
  return text
    .replaceAll(/\\u00([2-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    )
    .replaceAll('\\/', '/');
}

/** Keeps the line ends, and comments for Renovate. */
function removeMarkupComments(text: string): string {
  let plain = '';
  let from = 0;

  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start < 0 ? -1 : text.indexOf('-->', start);
    if (end < 0) {
      return plain + text.slice(from);
    }

    const comment = text.slice(start, end + 3);
    plain += text.slice(from, start);
    plain += comment.includes('renovate:') ? comment : comment.replaceAll(/[^\n]/g, ' ');
    from = end + 3;
  }
}

/** Gradle: the key between a group and a name, as in `group: "org.example", name: "agent"`. */
const keyOfName = /["'],\s{0,9}["']?name["']?\s{0,9}[:=]\s{0,9}["'](?=[\w.-]+["'])/g;
const groupBefore = /\bgroup["']?\s?[:=]\s?["'][\w.-]+$/;

/** Maven: the elements of a name before its group. */
const nameBeforeGroup =
  /(<artifactId>[^<\n]{1,200}<\/artifactId>)(\s{0,200})(<groupId>[^<\n]{1,200}<\/groupId>)/g;

/** Joins group and name by a colon in the elements of Maven, the keys of Gradle and the terms of sbt. */
function joinCoordinates(text: string): string {
  return text
    .replaceAll(nameBeforeGroup, '$3$2$1')
    .replaceAll(/<\/groupId>\s{0,200}<artifactId>/g, writeColon)
    .replaceAll(keyOfName, (key, offset: number, whole: string) =>
      groupBefore.test(whole.slice(Math.max(0, offset - 100), offset)) ? writeColon(key) : key,
    )
    .replaceAll(/"\s?%{1,3}\s?"(?=[\w.-]+"\s?%)/g, writeColon);
}

/** A colon, filled up to the length of the text that it replaces. */
function writeColon(replaced: string): string {
  return `:${replaced.slice(1).replaceAll(/[^\n]/g, filler)}`;
}

/** The addresses of links in Markdown. */
function blankLinkAddresses(text: string): string {
  return text.replaceAll(/\]\([^()\s]{0,500}\)/g, (link) => ' '.repeat(link.length));
}

/**
 * Writes a heading of Markdown such as `# Server 2025.1` with `##`, so that it is not removed as a comment. A heading has empty lines
 * around it, or lines of blanks, and no sign; a pin that is commented out has other lines around it or a sign, as in `# svc==2025.1`.
 */
function markHeadings(text: string): string {
  return text.replaceAll(/(?<=^|\n[ \t]*\n)# (?=[^\n=:@]*(?:$|\n[ \t]*(?:\n|$)))/g, '##');
}

/** Keeps comments for Renovate, headings of Markdown below the first (`##`) and numbers of tickets (`#12`). */
function removeLineComment(line: string): string {
  return line.replace(/(^|\s)(?:#(?![#\d])|\/\/).*/, (comment, before: string) =>
    comment.includes('renovate:') ? comment : before,
  );
}

/** A part of a text, from its start to the character before its end. */
type Span = readonly [start: number, end: number];

/** The text with a bar in place of each character of the spans, except for the ends of lines. Spans are in the order of their starts, and may overlap. */
export function blankSpans(text: string, spans: readonly Span[]): string {
  let result = '';
  for (const [start, end] of spans) {
    result += text.slice(result.length, start);
    result += text.slice(result.length, end).replaceAll(/[^\n]/g, '|');
  }
  return result + text.slice(result.length);
}
