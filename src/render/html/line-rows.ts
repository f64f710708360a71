import { isLineSupported, type JudgedLine } from '../../policy/judge.ts';
import { escapeHtml } from './escape.ts';
import { counted, sentence } from '../../text.ts';

/** What the list of release lines says of one. */
export interface LineRow {
  anchor: string;
  name: string;
  status: 'supported' | 'unsupported';
  /** What is known of its end, in a sentence. */
  support: string;
  facts: string;
}

export function lineRow(line: JudgedLine): LineRow {
  const isSupported = isLineSupported(line);
  return {
    anchor: `line-${line.name}`,
    name: line.name,
    status: isSupported ? 'supported' : 'unsupported',
    support: isSupported ? openEnd(line) : pastEnd(line),
    facts: factsOf(line),
  };
}

function openEnd({ eolFrom }: JudgedLine): string {
  return eolFrom === undefined ? 'No end of its support is stated.' : `Leaves support on ${eolFrom}.`;
}

function pastEnd({ isSupported, eolFrom, reason }: JudgedLine): string {
  if (isSupported) return 'Every release of it is deprecated.';
  if (eolFrom !== undefined) return `Left support on ${eolFrom}.`;
  return reason ? sentence(reason.text) : 'Since when is not stated.';
}

function factsOf({ firstReleaseDay, releases }: JudgedLine): string {
  const newest = releases.findLast((release) => !release.isPrerelease) ?? releases.at(-1)!;
  const first =
    firstReleaseDay === undefined ? 'First release on an unknown day' : `First release ${firstReleaseDay}`;
  return `${first}, newest is ${newest.version}, ${counted(releases.length, 'release')}.`;
}

/** `{{> line-rows}}` in a template; there can be as many as there are releases. */
export function renderLineRows(lines: readonly LineRow[]): string {
  let html = '';
  for (const { anchor, name, status, support, facts } of lines) {
    html +=
      `<li id="${anchor}" data-status="${status}"><strong>${name}</strong> <span class="status">${status}</span> ` +
      `<span class="line-support">${escapeHtml(support)}</span> <span class="line-facts">${escapeHtml(facts)}</span></li>\n`;
  }
  return html;
}
