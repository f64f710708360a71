import { isDay } from '../../core/model/dates.ts';
import { parseImage } from '../../core/model/purl.ts';
import { parseVersion } from '../../core/model/version.ts';
import { longestText, readItem, statedItems, type Entry } from './items.ts';

/** Words around names and versions in a sentence or a build file. */
const fillers = new Set(
  'a also an and are arg at env export have i in is it my on our release run runs still the then to use uses using v version versions we with'.split(
    ' ',
  ),
);

/** Between two versions of one name. */
const between = /^(?:to|-|–|—|→|->)$/i;
/** In place of a version. */
const floating = /^(?:latest|stable|lts|current|newest|main|master)$/i;

/**
 * The pieces of a line: the range of Maven, package URLs and words, which end before operators, quotes, brackets and the ends of
 * cells.
 */
const pieces =
  /([[(][\w.+-]*,[\w.+-]*[\])])|(pkg:[^\s"'`|,;?#]+(?:\?[^\s"'`|;#]*)?(?:#[^\s"'`|,;]*)?)|([,;\t|]+)|([=<>~^!]+|:(?=\s|$))|([^\s,;|"'`()<>=[\]{}^]+)/giu;

/** The statements in a line of a list, a build file or a sentence, in its order. The line has no comment. */
export function readLine(written: string): Entry[] {
  // In some countries a comma stands in a version.
  const line = written.trim().replace(/^([^,;]*\s\d+),(\d+)$/, '$1.$2');
  if (line.length > longestText) {
    return [[{ text: line.slice(0, longestText) }]];
  }

  return readKnownLine(line) ?? readPieces(line);
}

/** Whether a text reads as a version. A single number may have a suffix only behind a sign: `7zip` is a name. */
function isVersionText(text: string): boolean {
  if (!/^v?\d/i.test(text)) {
    return false;
  }

  const plain = text.replace(/(?:\.[x*])+$/i, '');
  if (isDay(plain) || !parseVersion(plain)) {
    return false;
  }

  return plain.includes('.') || /^v?\d+(?:[-+~]|$)/i.test(plain);
}

/** The statements of a line in a form of build files; undefined for a line of another form. */
function readKnownLine(line: string): Entry[] | undefined {
  return readImageLine(line) ?? readGradlePlugin(line) ?? readMavenElements(line) ?? readKeys(line);
}

/** `FROM image`, `COPY --from=image`, `image: name`, `uses: owner/action@v1`. */
function readImageLine(line: string): Entry[] | undefined {
  const [, image] =
    /^(?:FROM(?:\s+--\S+)*|COPY\s+--from=|(?:-\s*)?image:|(?:-\s*)?uses:)\s*["']?([^\s"']+)/i.exec(
      line,
    ) ?? [];
  if (image === undefined) {
    return undefined;
  }

  const isInstruction = /^(?:FROM|COPY)\b/.test(line);
  const reference = parseImage(image);
  if (isInstruction && !reference) {
    return [[{ text: image, name: image }]];
  }

  if (isInstruction && (reference?.tag ?? reference?.digest) === undefined) {
    return [[{ text: image, purl: reference?.purl, isImage: true }]];
  }

  const entry = readItem(image);
  if (!entry || !reference || entry.some(({ purl }) => purl)) {
    return entry && [entry];
  }

  // Without a path, it is an image of Docker Hub, unless the index knows the name.
  const [first] = entry;
  const { tag: version, purl } = reference;

  return [
    [
      ...entry,
      { ...first!, name: undefined, purl: { ...purl, version }, isOtherwise: true, isImage: true },
    ],
  ];
}

/** `id("com.example.agent") version "1.0"`. */
function readGradlePlugin(line: string): Entry[] | undefined {
  const [, id, version] =
    /(?:^|[\s(])id\s?\(?\s?["']([\w.-]+)["']\s?\)?(?:\s+version\s?\(?\s?["']([^"']+)["'])?/.exec(
      line,
    ) ?? [];

  return id === undefined ? undefined : [pluginEntry(line, id, version)];
}

/** The statements of a Gradle plugin, which is also published as an artifact. */
function pluginEntry(text: string, id: string, versionText: string | undefined): Entry {
  const { version, range } = versionOrRange(versionText);
  const marker = { type: 'maven', namespace: id, name: `${id}.gradle.plugin`, version };
  const dot = id.lastIndexOf('.');
  const artifact = { type: 'maven', namespace: id.slice(0, dot), name: id.slice(dot + 1), version };

  return [
    ...statedItems(text, id, version, range),
    { text, purl: marker, version, range },
    { text, purl: artifact, version, range, isOtherwise: true },
  ];
}

/** `<artifactId>agent</artifactId><version>1.0</version>`. */
function readMavenElements(line: string): Entry[] | undefined {
  const content = (name: string) => {
    const start = line.indexOf(`<${name}>`);
    const end = line.indexOf(`</${name}>`);

    return start >= 0 && end > start ? line.slice(start + name.length + 2, end).trim() : undefined;
  };

  const name = content('artifactId');
  if (name === undefined) {
    return undefined;
  }

  return [mavenEntry(line, content('groupId'), name, content('version'))];
}

export function mavenEntry(
  text: string,
  namespace: string | undefined,
  name: string,
  versionText: string | undefined,
): Entry {
  const { version, range } = versionOrRange(versionText);

  if (namespace === undefined) {
    return statedItems(text, name, version, range);
  }

  return [{ text, purl: { type: 'maven', namespace, name, version }, version, range }];
}

const keyForm =
  /\b(group|name|module|id|version)["']?\s?[:=]\s?(?:["']([^"']*)["']|([^\s"',{}]+))/g;

/** `group: 'com.example', name: 'agent', version: '1.0'`, `{ module = "com.example:agent", version = "1.0" }`. */
function readKeys(line: string): Entry[] | undefined {
  if (!/\b(?:module|version)\b/.test(line)) {
    return undefined;
  }

  const keys = new Map(
    Array.from(line.matchAll(keyForm), ([, key, quoted, bare]) => [key, quoted ?? bare ?? '']),
  );
  const [group, name] = [keys.get('group'), keys.get('name')];
  const [id, versionText] = [keys.get('id'), keys.get('version')];
  const module = keys.get('module') ?? (group && name ? `${group}:${name}` : undefined);
  if (module?.includes(':')) {
    const [namespace = '', artifact = ''] = module.split(':');
    return [mavenEntry(line, namespace, artifact, versionText)];
  }

  if (versionText === undefined || (id ?? name) === undefined) {
    return undefined;
  }

  if (id !== undefined) {
    return [pluginEntry(line, id, versionText)];
  }

  const { version, range } = versionOrRange(versionText);

  return [statedItems(line, name!, version, range)];
}

/** A version, or a range of versions: `^2.0.1`, `>=1 <2`, `*`. Neither for an empty text. */
export function versionOrRange(versionText: string | undefined): {
  version?: string;
  range?: string;
} {
  const text = versionText?.trim() ?? '';
  if (text === '') {
    return {};
  }

  if (/^v?\d[\w.+~!-]*(?:@\S+)?$/i.test(text) && !/\.[x*]$/i.test(text)) {
    return { version: text };
  }

  // Two signs of equality are pip's sign for one version.
  const exact = /^={1,3}\s*(v?\d[\w.+~!-]*)$/i.exec(text)?.[1];

  return exact === undefined ? { range: text } : { version: exact };
}

/** The words of a name, and their place in the line. */
interface Words {
  readonly words: string[];
  readonly start: number;
}

/** Names with versions in any usual form, several on a line, too. */
function readPieces(line: string): Entry[] {
  const entries: Entry[] = [];
  const remarks: Entry[] = [];
  let pending: Words | undefined;
  let sign = '';
  let isNewCell = false;
  let isPair = false;

  const leaveWords = () => {
    if (pending) {
      remarks.push(wordsEntry(pending.words));
    }

    pending = undefined;
  };

  for (const match of line.matchAll(pieces)) {
    const [, maven, purl, cellEnd, versionText, word = ''] = match;
    const end = match.index + match[0].length;

    if (cellEnd !== undefined) {
      isNewCell = true;
      sign = '';
      continue;
    }

    if (versionText !== undefined) {
      sign += versionText;
      continue;
    }

    if (purl !== undefined) {
      leaveWords();
      entries.push(readItem(purl) ?? [{ text: purl }]);
      continue;
    }

    const text = maven ?? trimmed(word);
    const usedSign = sign;

    sign = '';

    if (maven !== undefined || isVersionText(text) || text.includes('..')) {
      const range = rangeOf(usedSign, text, maven);
      const last = entries.at(-1);

      if (isPair && last && !pending) {
        entries[entries.length - 1] = inRange(last, `to ${text}`);
      } else if (pending) {
        const written = line.slice(pending.start, end);
        const name = line.slice(pending.start, match.index).replace(/[\s"'`=:<>~^!,;|]+$/, '');
        const version = range === undefined ? text : undefined;

        entries.push(namedEntry({ written, name, words: pending.words, version, range, usedSign }));
        pending = undefined;
      } else {
        addNameless(entries, text, range);
      }

      isPair = false;
      continue;
    }

    isPair = between.test(text) && entries.length > 0 && !pending;

    if (isPair || isIgnored(text)) {
      continue;
    }

    if (pending && line[match.index - 1] === '=' && !text.includes('@')) {
      // A tag or a commit in place of a version.
      const { words, start } = pending;
      const written = line.slice(start, end);

      entries.push(namedEntry({ written, name: words.join(' '), words, version: text }));
      pending = undefined;
      continue;
    }

    const joined = readJoined(text, pending?.words ?? []);

    if (joined) {
      entries.push(joined);
      pending = undefined;
    } else if (pending && !isNewCell) {
      pending.words.push(text);
    } else {
      leaveWords();
      pending = { words: [text], start: match.index };
    }

    isNewCell = false;
  }

  leaveWords();

  if (entries.length === 0) {
    return remarks.length > 0 ? remarks : [[{ text: line }]];
  }

  return [...entries, ...remarks.map(asRemark)];
}

function asRemark(entry: Entry): Entry {
  return entry.map((item) => ({ ...item, isRemark: true }));
}

/** Without emphasis of Markdown and punctuation at the ends. */
function trimmed(word: string): string {
  if (!/^[*_]|[*_.!?:]$/.test(word)) {
    return word;
  }

  return word
    .replace(/^[*_]+(?=[\p{L}\d@])/u, '')
    .replace(/(?<=[\p{L}\d])(?:[*_]{2,}|[.!?:]+)+$/u, '');
}

/** Addresses, days and punctuation. */
function isIgnored(word: string): boolean {
  return /^https?:\/\//i.test(word) || isDay(word) || !/[\p{L}\d]/u.test(word);
}

/** The range that a sign and a version state; undefined for one version. */
function rangeOf(sign: string, text: string, maven: string | undefined): string | undefined {
  if (maven !== undefined) {
    return maven;
  }

  return /^[=:]*$/.test(sign) && !text.includes('..')
    ? undefined
    : `${sign.replace(/^[:=]+(?=[<>~^!])/, '')}${text}`;
}

/** A version without a name: a further bound of the range before it, or a second version of the name before it. */
function addNameless(entries: Entry[], text: string, range: string | undefined): void {
  const last = entries.at(-1);
  if (last && range !== undefined && last.some((item) => item.range !== undefined)) {
    entries[entries.length - 1] = inRange(last, range);
    return;
  }

  const beside = last?.find((item) => item.name !== undefined)?.name;

  entries.push([
    { text: range ?? text, version: text, beside, isRemark: last === undefined ? undefined : true },
  ]);
}

/** The entry with a range in place of its version. */
function inRange(entry: Entry, more: string): Entry {
  return entry.map(({ version, range, purl, text, ...item }) => ({
    ...item,
    text: `${text} ${more}`,
    range: `${range ?? version ?? ''} ${more}`.trim(),
    purl: purl && { ...purl, version: undefined },
  }));
}

interface NamedVersion {
  readonly written: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly version?: string | undefined;
  readonly range?: string | undefined;
  readonly usedSign?: string;
}

/** The readings of a name with a version: as written, then without the words around a name. */
function namedEntry({ written, name, words, version, range, usedSign = '' }: NamedVersion): Entry {
  const items = [...statedItems(written, name, version, range)];

  // pip writes one version with two signs.
  if (words.length === 1 && /^(?:===?|~=|!=)$/.test(usedSign)) {
    items.push({ text: written, purl: { type: 'pypi', name, version }, version, range });
  }

  const short = withoutFillers(words);
  if (words.length === 1 && (short.length === 0 || words[0] === name)) {
    return items;
  }

  for (const other of new Set([words.join(' '), short.join(' ')])) {
    if (other !== '' && other !== name) {
      const readings = statedItems(written, other, version, range);
      items.push(...readings.map((item) => ({ ...item, isOtherwise: true as const })));
    }
  }

  return items;
}

/** The readings of words without a version: a name, or a name with a version behind a dash. */
function wordsEntry(words: readonly string[]): Entry {
  const text = words.join(' ');
  const names = new Set([text, withoutFillers(words).join(' ')]);

  if (words.length > 1 && floating.test(words.at(-1)!)) {
    names.add(words.slice(0, -1).join(' '));
  }

  const items = [...names].filter((name) => name !== '').flatMap((name) => statedItems(text, name));
  const [, before, version] = /^(.*[^\s/_-])[-/_](v?\d[\w.+~*-]*)$/i.exec(text) ?? [];
  if (before !== undefined && version !== undefined && isVersionText(version)) {
    items.push(...statedItems(text, before, version));
  }

  return items.map((item, place) => (place === 0 ? item : { ...item, isOtherwise: true }));
}

/** A word with a name and a version, which may end a name of several words: `The server@2025.1`. */
function readJoined(text: string, words: readonly string[]): Entry | undefined {
  if (!/[@:/=]/.test(text)) {
    return undefined;
  }

  const at = text.indexOf('@');
  if (words.length > 0 && at > 0 && isVersionText(text.slice(0, at))) {
    return readItem(`${words.join(' ')}@${text}`);
  }

  const entry = readItem(text);
  const [item, another] = entry ?? [];
  if (!item || another || item.name === undefined || words.length === 0) {
    return entry;
  }

  const { name, version, range } = item;
  const all = [...words, name];
  const whole = { written: `${words.join(' ')} ${text}`, name: all.join(' '), words: all };

  return [...namedEntry({ ...whole, version, range }), { ...item, isOtherwise: true }];
}

function withoutFillers(words: readonly string[]): readonly string[] {
  const isFiller = (word = '') => fillers.has(word.toLowerCase());
  let [start, end] = [0, words.length];

  while (start < end && isFiller(words[start])) {
    start += 1;
  }

  while (end > start && isFiller(words[end - 1])) {
    end -= 1;
  }

  return words.slice(start, end);
}
