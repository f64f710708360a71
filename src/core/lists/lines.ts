/** Reads lists of which each line is an entry, tables with names of columns, and the images of YAML. No zod and no Node: pages load it. */
import {
  readImage,
  readNamed,
  readPurl,
  readText,
  type Item,
  type ReadList,
} from '../index/item.ts';
import { findName, type Names } from '../index/owners.ts';
import { findColumn, findSeparator, readTable } from '../table.ts';
import { listYamlImages } from './yaml-images.ts';

/** Options of pip, what gradle.lockfile says of nothing, and lines without a letter or a digit. */
const noEntry = /^\s*(?:empty=|-(?:[a-z]|-[a-z][a-z-]*)(?:[\s=]|$)|[^\p{L}\p{N}]*$)/iu;

/** `name 1.2.3`, package URLs, images, in any mixture; or a table. */
export function readLines(text: string, names: Names): ReadList {
  return readColumns(text) ?? readEntries(text, names);
}

function readEntries(text: string, names: Names): ReadList {
  const lines = text.split('\n');
  const images = listYamlImages(lines);
  const items: Item[] = [];
  const problems: string[] = [];
  for (const [index, full] of lines.entries()) {
    const raw = full.slice(0, 1000);
    const line = index + 1;
    const ofYaml = images.get(index);
    const isKey = /^\s|^---|^(?:- +)?[\w.-]+:(?:\s|$)/.test(raw);
    // Of a file of Compose, Kubernetes or Helm, only images: other keys are no entries.
    const isNamed = !/:\s*$/.test(raw) && findName(raw.toLowerCase(), names);
    const isOtherKey = images.size > 0 && isKey && !isNamed;
    const texts = ofYaml ?? (isOtherKey || noEntry.test(raw) ? [] : [cleanLine(raw)]);
    for (const entry of texts.filter((each) => each !== '')) {
      const read = ofYaml ? readYamlImage(entry) : readLine(entry, names);
      if (read) {
        items.push(...read.map((item) => ({ ...item, line })));
      } else {
        problems.push(`line ${line}: ${entry.slice(0, 100)}`);
      }
    }
  }
  return { items, problems };
}

/** Usually one entry; several where each part behind a comma has a version. */
function readLine(text: string, names: Names): readonly Item[] | undefined {
  const parts = text.split(/[,;]\s+/).map((part) => readText(part, names));
  const areEntries = parts.every((part) => part?.every(({ version }) => /\d/.test(version ?? '')));
  return areEntries ? parts.flatMap((part) => part ?? []) : readText(text, names);
}

function cleanLine(raw: string): string {
  return (
    raw
      // A comment, a hash, and the sign that a line goes on.
      .replace(/(?:^|\s)(?:#|\/\/|--hash=|\\\s*$).*/, '')
      // The marker and the extras of a requirement.
      .replace(/;[\s(]*[a-z_]+\s*(?:[<>=!~]|(?:not )?in ).*/, '')
      .replace(/^([\w.-]+)\s*\[(?!\s*\d)[\w\s,.-]*\]/, '$1')
      .trim()
      // The mark of a list, then quotes and commas.
      .replace(/^[-*]\s+/, '')
      .replaceAll(/(?<!["',;])["',;]+$|^["']/g, '')
  );
}

/** Also without a tag: it is never a component of that name. */
function readYamlImage(text: string): readonly Item[] | undefined {
  return /^[\w.-]+$/.test(text) ? readPurl(`pkg:docker/${text}`) : readImage(text);
}

/** The names of columns, by their letters. */
const columnForms = {
  purl: /^(?:purl|packageurl)$/,
  name: /^(?:component|name|package|packagename|product|software|application|app|tool|module|dependency|library|artifact)$/,
  image: /^(?:image|repository)$/,
  version: /^(?:version|installed|installedversion|current|currentversion|tag|release)$/,
};

/** A table of which the first line names columns: a spreadsheet, a table of Markdown, or what commands such as `pip list` print. Undefined for another text. */
function readColumns(text: string): ReadList | undefined {
  const body = text.replace(/^(?:[ \t]*(?:#.*)?\n)+/, '');
  const [first = ''] = body.split('\n', 1);
  const separator = findSeparator(first);
  // Of columns between spaces, the first two: those behind them may be empty.
  const split = (lines: string) =>
    separator
      ? readTable(lines, separator)
      : readTable(lines.replaceAll(/^[ \t]*(\S+)[ \t]+(\S+).*$/gm, '$1\t$2'), '\t');
  const { columns } = split(first);
  const places = {
    purl: findColumn(columns, columnForms.purl),
    name: findColumn(columns, columnForms.name),
    image: findColumn(columns, columnForms.image),
    version: findColumn(columns, columnForms.version),
  };
  const isNamed = Math.max(places.name, places.image) >= 0 && places.version >= 0;
  // `tool release-1.0` is an entry.
  if (columns.length < 2 || /\d/.test(first) || !(isNamed || places.purl >= 0)) {
    return undefined;
  }

  const skipped = text.slice(0, text.length - body.length).split('\n').length - 1;
  const items: Item[] = [];
  const problems: string[] = [];
  for (const { line: lineOfBody, cells } of split(body).rows) {
    const line = lineOfBody + skipped;
    const cell = (place: number) => (cells[place] ?? '').slice(0, 1000);
    const entry = cell(places.purl) || cell(places.name) || cell(places.image);
    const isImage = !cell(places.purl) && !cell(places.name);
    const version = cell(places.version).replace(/^<none>$/, '');
    const read = readRow(entry, version, isImage);
    if (read) {
      items.push(...read.map((item) => ({ ...item, line })));
    } else {
      problems.push(`line ${line}: ${cells.join(' ').slice(0, 100)}`);
    }
  }
  return { items, problems };
}

function readRow(entry: string, version: string, isImage: boolean): readonly Item[] | undefined {
  if (/^pkg:/i.test(entry)) {
    return readPurl(entry, version || undefined);
  }
  if (isImage) {
    return readYamlImage(version ? `${entry}:${version}` : entry);
  }
  return entry === '' ? undefined : readNamed(entry, version);
}
