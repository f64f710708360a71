import { changeAnchor, type ChangedSubject } from '../../core/anchors.ts';
import { toTimestamp } from '../../core/dates.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { escapeMarkup, withoutIllegalCharacters } from '../../core/text.ts';

/** One change, or several of one type. */
interface Change
  extends Pick<PublishedChange, 'id' | 'at' | 'component' | 'text' | 'url'>, ChangedSubject {
  /** The single changes behind an entry that may concern several components. */
  readonly group?: {
    readonly components: readonly string[];
    readonly sentences: readonly string[];
  };
}

export interface Feed {
  /** Unique among the feeds of the site. It never changes. */
  readonly id: string;
  /** The prefix of every id (RFC 4151), unique even if the address is given up. The year is when this id scheme began. */
  readonly tag: string;
  readonly title: string;
  readonly subtitle: string;
  readonly author: string;
  /** The address of the site, without a slash at its end. */
  readonly baseUrl: string;
  /** Path and query of the feed. */
  readonly path: string;
  /** The page with the same content. */
  readonly alternate: string;
  /** Newest first. */
  readonly changes: readonly Change[];
  /** Titles of components by name. Components that have left the index have none. */
  readonly titles: ReadonlyMap<string, string>;
  /** The day of the last update if the feed has no changes. */
  readonly restDay: string;
}

/** Atom, RFC 4287. `updated` follows the data, not the clock, so readers fetch only new entries. */
export function writeAtom(feed: Feed): string {
  const { id, tag, title, subtitle, author, baseUrl, path, alternate, changes, restDay } = feed;
  const text = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${escapeMarkup(`${tag}feed/${id}`)}</id>
  <title>${escapeMarkup(title)}</title>
  <subtitle>${escapeMarkup(subtitle)}</subtitle>
  <updated>${toTimestamp(changes[0]?.at ?? restDay)}</updated>
  <link rel="self" type="application/atom+xml" href="${escapeMarkup(`${baseUrl}/${path}`)}"/>
  <link rel="alternate" type="text/html" href="${escapeMarkup(alternate)}"/>
  <author><name>${escapeMarkup(author)}</name><uri>${escapeMarkup(baseUrl)}/</uri></author>
${changes.map((change) => entryOf(change, feed)).join('')}</feed>
`;
  return withoutIllegalCharacters(text);
}

function entryOf(change: Change, { tag, baseUrl, titles }: Feed): string {
  const { id, at, type } = change;
  const { title, page, content, url } = change.group
    ? partsOfGroup(change.text, change.group)
    : partsOf(change, titles);
  const related =
    url === undefined ? '' : `\n    <link rel="related" href="${escapeMarkup(url)}"/>`;
  return `  <entry>
    <id>${escapeMarkup(tag + id)}</id>
    <title>${escapeMarkup(title)}</title>
    <published>${toTimestamp(at)}</published>
    <updated>${toTimestamp(at)}</updated>
    <link rel="alternate" type="text/html" href="${escapeMarkup(`${baseUrl}/${page}`)}"/>${related}
    <category term="${type}"/>
    <content type="text">${escapeMarkup(content.join('\n'))}</content>
  </entry>
`;
}

function partsOfGroup(text: string, { components, sentences }: NonNullable<Change['group']>) {
  const page = components.length === 1 ? `${components[0]}.html` : 'changes.html';
  return { title: text, page, content: [text, ...sentences], url: undefined };
}

function partsOf(change: Change, titles: Feed['titles']) {
  const { component, type, text, version, line, url, subjects } = change;
  const name = titles.get(component) ?? component;
  const what = type.replaceAll('-', ' ');
  const subject = version ?? (line === undefined ? '' : `release line ${line}`);
  const title = subjects
    ? `${name}: ${subjects.length} ${what}`
    : [name, subject, what].filter(Boolean).join(' ');
  const names = subjects?.length && type !== 'added' ? [`All: ${subjects.join(', ')}`] : [];
  return {
    title,
    page: `${component}.html${changeAnchor(change)}`,
    content: [text, ...names, ...(url === undefined ? [] : [url])],
    url,
  };
}
