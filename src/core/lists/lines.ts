/** Reads lists of which each line is an entry, trees, and the images of YAML. No zod and no Node: pages load it. */
import { readImageValue, readText, type Item } from '../index/item.ts';
import type { Names } from '../index/owners.ts';
import { parseImage } from '../purl.ts';
import { parseVersion } from '../version.ts';
import { joinEntries, type ListEntry, type ReadList } from './list.ts';

/** `name 1.2.3`, package URLs, images, in any mixture. */
export function readLines(text: string, names: Names): ReadList {
  const isTree = treeForm.test(text);
  const isYaml = /(?:^[\s-]*|[{,]\s*)["']?image["']?:\s/m.test(text);
  const entries = text.split('\n').flatMap((full, index): ListEntry[] => {
    const line = index + 1;
    const content = full.slice(0, 1000);
    const images = Array.from(content.matchAll(imageForm), ([, image = '']) => image);
    if (images.length > 0) {
      return images.map((image) => ({ line, text: image, items: readImageValue(image) }));
    }
    // Of a file of Compose or Kubernetes, only images: other keys are no entries.
    const [reference, file] = referenceForm.exec(content) ?? [];
    if ((isYaml && isKey(content, names)) || (file === undefined && noEntry.test(content))) {
      return [];
    }

    const entry = reference ?? cleanLine(content);
    const items = file === undefined ? readLine(entry, names) : undefined;
    return entry === '' || (isTree && isBesideTree(content, items))
      ? []
      : [{ line, text: entry, items, file }];
  });
  return joinEntries(entries);
}

/** The images that a line of YAML names: `image: "nginx:1.28"`, `{ image: nginx:1.28 }`. */
const imageForm = /(?:^[\s-]*|[{,]\s*)["']?image["']?:[ \t]+["']?(\{\{.*\}\}|[^\s"',]+)/gi;

/** Options of pip, folders, what gradle.lockfile says of nothing, words of Maven and gem, and lines without a letter or a digit. */
const noEntry =
  /^\s*(?:empty=|(?:-e|--editable)[\s=]+(?:file:|[./])|(?!-e|--editable)-(?:[a-z]|-[a-z][a-z-]*)(?:[\s=]|$)|\[(?:INFO|WARNING)\](?!\s+(?:[|\s]*[+\\`]-\s+)?[\w.-]+:[\w.-]+:[a-z])|\*\*\* .* \*\*\*$|[^\p{L}\p{N}]*$)/iu;

/** Another list. */
const referenceForm = /^(?:-[rc]|--(?:requirement|constraint))[\s=]*(\S+)/;

/** A branch of the trees of Maven, Gradle, npm and Cargo: `|  +- a`, `├── a@1.0`. */
const branchForm = /^(?:\[INFO\]\s+)?[|│\s]*[+\\`├└][-─┬]+\s+/;
const treeForm = new RegExp(branchForm, 'm');

/** The folder that a tree is of, others of it, and what is not installed. */
const folderForm =
  /^\[INFO\]\s+\w\S*$|\s(?:[-=]>\s+|\()?(?:\.{0,2}\/|[a-z]:\\)|\sproject :|UNMET /i;

/** Beside its branches, a tree has its root and headings; that of Yarn also ranges, and elsewhere the version that each got. */
function isBesideTree(line: string, items: readonly Item[] = []): boolean {
  const isVersion = items.some(({ version }) => parseVersion(version ?? ''));
  const isRange = items.some(({ range }) => range !== undefined);
  return folderForm.test(line) || isRange || (!branchForm.test(line) && !isVersion);
}

/** A key of YAML, unless it is a name of the index and has a value. */
function isKey(line: string, names: Names): boolean {
  const [, key = ''] = /^[\s-]*(.+?):\s+\S/.exec(line.toLowerCase()) ?? [];
  return /^\s|^(?:- +)?[\w.-]+:(?:\s|$)/.test(line) && !names.has(key);
}

/** Usually one entry; several where each part behind a comma has a version, or where all words are images. */
function readLine(text: string, names: Names): readonly Item[] | undefined {
  const words = text.split(/\s+/);
  const areImages = words.length > 1 && words.every(parseImage);
  const parts = (areImages ? words : text.split(/[,;]\s+(?![^(]*\))/)).map((part) =>
    readText(part, names),
  );
  const areEntries = parts.every((part) => part?.every(({ version }) => /\d/.test(version ?? '')));
  return areImages || areEntries
    ? parts.flatMap((part) => part ?? [])
    : (readText(text, names) ?? readName(text));
}

/** A name alone, perhaps with a version that nothing parts from it: `flask`, `nginx-1.24.0-1.el9.x86_64`. */
function readName(text: string): Item[] | undefined {
  const [, name, glued] = /^(@?[a-z][\w./@+~-]*?)(-v?\d+\.\d\S*)?$/i.exec(text) ?? [];
  return name === undefined ? undefined : [{ text, name, version: glued && text }];
}

/** What is no part of an entry: replaced in this order, and white space around it dropped each time. */
const replacements: readonly [form: RegExp, replacement: string][] = [
  // A comment, a hash, and the sign that a line goes on: `a==1.0 # ours`, `a==1.0 --hash=sha256:0f`, `a==1.0 \`
  [/(?:^|\s)(?:#|\/\/|--hash=|\\\s*$).*/, ''],
  // The marker of a requirement: `a==1.0; python_version < "3.9"`
  [/;[\s(]*[a-z_]+\s*(?:[<>=!~]|(?:not )?in ).*/, ''],
  // Its extras: `a[b,c]==1.0`
  [/^([\w.-]+)\s*\[(?!\s*\d)[\w\s,.-]*\]/, '$1'],
  // The log of Maven: `[INFO] org.example:a:jar:1.0:compile`
  [/^\[INFO\]\s+/, ''],
  [branchForm, ''],
  // Yarn names the protocol, and npm what an alias stands for: `a@npm:1.0`, `a@npm:b@1.0`
  [/^\S+@npm:(?=@?[a-z])/, ''],
  [/@npm:/, '@'],
  // Where a package of Python or Go comes from: `a @ https://…`, `a v1.0 => b v1.0`, `a v1.0 => ../a`
  [/^([\w.-]+) @ \S+:.*$/, '$1'],
  [/^\S+ v\S+ => (?:(?=\S+ v)|[./].*)/, ''],
  // The version that Gradle took instead: `org.example:a:1.0 -> 1.1`
  [/^([\w.-]+:[\w.-]+)(?::\{.*?\}|:[^:\s]+)? -> ([\w.+-]+)/, '$1:$2'],
  // What Gradle, npm and Cargo say of it: `org.example:a:1.0 (*)`, `a@1.0 deduped`
  [/(?: (?:\([*a-z][\w -]*\)|deduped|extraneous|overridden|invalid:.*))+$/, ''],
  // The mark of a list: `- a 1.0`
  [/^[-*]\s+/, ''],
  // Quotes around it, and commas: `"a 1.0",`
  [/^["'](.*[^"',;])["',;]*$|(?<![,;])[,;]+$/, '$1'],
];

function cleanLine(line: string): string {
  return replacements.reduce(
    (text, [form, replacement]) => text.replace(form, replacement).trim(),
    line,
  );
}
