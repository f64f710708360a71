import { purlTypes } from '../../core/model/purl.ts';
import { withoutInvisible } from '../../core/text/text.ts';
import { entryOf, longestText, statedItems, type Entry } from './items.ts';
import { versionOrRange } from './build-lines.ts';
import { readLine } from './read-line.ts';

/** The positions of the columns in a table; -1 for a missing column. */
interface Columns {
  readonly purl: number;
  readonly name: number;
  readonly version: number;
}

/** The statements of the lines of a list, a table, a build file or a sentence, each with its line. Stops behind `most`. */
export function readTextLines(text: string, most = Infinity): Entry[] {
  const entries: Entry[] = [];
  const values = new Map<string, string>();
  let columns: Columns | undefined;
  let comment: RenovateComment | undefined;

  const visible = withoutInvisible(text).replaceAll('\u00a0', ' ');

  for (const [index, raw] of visible.split(/\r?\n/).entries()) {
    for (const whole of cutLine(raw)) {
      if (entries.length > most) {
        return entries;
      }

      const ownComment = renovateComment(whole);

      comment = ownComment?.comment ?? comment;

      const content = withoutComment(ownComment?.rest ?? whole);
      if (!/[\p{L}\d]/u.test(content)) {
        continue;
      }

      const cells = columns || headingWords.test(content) ? cellsOf(content) : [];
      const headings = cells.length > 0 ? columnsOf(cells) : undefined;
      if (headings) {
        columns = headings;
        continue;
      }

      const filled = withValues(content, values);
      let read = columns && cells.length > 1 ? readRow(cells, columns) : readLine(filled);

      if (comment) {
        read = belowComment(comment, read, content);
        comment = undefined;
      }

      entries.push(...read.map((entry) => entry.map((item) => ({ ...item, line: index + 1 }))));
    }
  }

  return entries;
}

/** A line, or the parts of a line that is too long, such as a list in an address. */
function cutLine(line: string): string[] {
  if (line.length <= longestText) {
    return [line];
  }

  return line
    .split(/[,;]+/)
    .map((part) => (part.length <= longestText ? part : part.slice(0, longestText + 1)));
}

function withoutComment(line: string): string {
  let content = line.trim();
  if (content.includes('-->')) {
    content = content.replace(/<!--.*?-->/g, '');
  }

  if (content.includes('#') || content.includes('//')) {
    content = content.replace(/(?:^|\s)(?:#|\/\/).*$/, '');
  }

  if (content.includes('](')) {
    content = content.replaceAll(/\[([^[\]]{1,200})\]\([^()]{0,500}\)/g, '$1');
  }

  return content.replace(/^(?:[-*+•]|\d+[.)])\s+/, '').trim();
}

function cellsOf(content: string): string[] {
  return content
    .replace(/^\||\|$/g, '')
    .split(/[,;\t|]/)
    .map((cell) => cell.trim().replaceAll(/^[`"'*_]+|[`"'*_]+$/g, ''));
}

/** A row of headings has one of these. */
const headingWords = /\b(?:version|purl|installed|current)\b/i;

/** Undefined if the cells are not headings. */
function columnsOf(cells: readonly string[]): Columns | undefined {
  const headings = cells.map((cell) => cell.toLowerCase());
  const columnOf = (...names: string[]) =>
    names.map((name) => headings.indexOf(name)).find((column) => column >= 0) ?? -1;

  const columns = {
    purl: columnOf('purl'),
    name: columnOf('component', 'name', 'package', 'product', 'software', 'dependency'),
    version: columnOf('version', 'installed', 'current'),
  };

  const isTable = columns.purl >= 0 || (columns.name >= 0 && columns.version >= 0);

  return isTable ? columns : undefined;
}

/** The statements of a row below headings. */
function readRow(cells: readonly string[], columns: Columns): Entry[] {
  const {
    [columns.purl]: purl = '',
    [columns.name]: name = '',
    [columns.version]: versionCell = '',
  } = cells;

  const { version, range } = versionOrRange(versionCell);

  if (purl !== '') {
    return [entryOf({ name, version: version ?? range, purls: [purl] })];
  }

  if (versionCell === '') {
    return readLine(name);
  }

  if (/^pkg:/i.test(name)) {
    return [entryOf({ name: '', version: version ?? range, purls: [name] })];
  }

  const text = `${name}@${versionCell}`;
  const [entry] = readLine(`${name}=${versionCell}`);
  const isOne = entry?.some((item) => item.name === name || item.purl) === true;
  const items = isOne ? entry! : statedItems(text, name, version, range);

  return [items.map((item) => ({ ...item, text }))];
}

/** The greatest length of an argument that is filled in: a line may name many. */
const longestValue = 100;

/** Fills the values of Dockerfile arguments above into a line, and keeps those of this line. A long one stays unread. */
function withValues(line: string, values: Map<string, string>): string {
  const [, name, value] = /^(?:ARG|ENV)\s+(\w+)[=\s]["']?([^\s"']+)/.exec(line) ?? [];
  if (name !== undefined && value !== undefined) {
    values.set(name, value.length > longestValue ? `\${${name}}` : value);
  }

  if (!line.includes('$')) {
    return line;
  }

  return line
    .replaceAll(/\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)/g, (written, braced, other, bare) => {
      return values.get((braced ?? bare) as string) ?? (other as string | undefined) ?? written;
    })
    .slice(0, longestText);
}

/** A comment for Renovate, which names what the version below it belongs to. */
interface RenovateComment {
  readonly datasource: string;
  readonly name: string;
}

const renovateOption = /\b(\w+)\s?=\s?["']?([^\s"']+)["']?/g;
const renovateOptions = new Set(
  'datasource depName packageName versioning registryUrl extractVersion depType'.split(' '),
);

/** The comment in a line, and what follows its options: a field of one line joins the lines of a pasted text. */
function renovateComment(line: string): { comment: RenovateComment; rest: string } | undefined {
  const at = line.indexOf('renovate:');
  if (at < 0 || !/(?:#|\/\/|<!--|--)\s*$/.test(line.slice(0, at))) {
    return undefined;
  }

  const options = new Map<string, string>();
  let end = at + 'renovate:'.length;

  for (const { 0: option, 1: key = '', 2: value = '', index } of line.matchAll(renovateOption)) {
    if (index >= at && renovateOptions.has(key)) {
      options.set(key, value);
      end = index + option.length;
    }
  }

  const name = options.get('packageName') ?? options.get('depName');
  const datasource = options.get('datasource');
  if (name === undefined || datasource === undefined) {
    return undefined;
  }

  return { comment: { datasource, name }, rest: line.slice(end).replace(/^[\s*/]*-->/, '') };
}

/** The version of the line below a comment, as one of the package that the comment names. */
function belowComment(
  { datasource, name }: RenovateComment,
  entries: readonly Entry[],
  text: string,
): Entry[] {
  const items = entries.flat();
  const firstItem = items.find(({ version }) => version !== undefined) ?? items[0];
  const { version, range, digests, isImage } = firstItem ?? {};
  const shared = { text, version, range, digests, isImage };
  const type = purlTypes[datasource];
  if (type === undefined) {
    return [[{ ...shared, name }]];
  }

  const path = type === 'maven' ? name.replace(':', '/') : name;
  const slash = path.lastIndexOf('/');
  const namespace = slash < 0 ? undefined : path.slice(0, slash);

  return [[{ ...shared, purl: { type, namespace, name: path.slice(slash + 1), version } }]];
}
