/** Reads lists of which each line is an entry, Dockerfiles, and what is found in YAML. No zod and no Node: pages load it. */
import { readImageValue, readText, type Item } from '../index/item.ts';
import { findName, type Names } from '../index/owners.ts';
import { joinEntries, type ListEntry, type ReadList } from './list.ts';

/** `name 1.2.3`, package URLs, images, in any mixture. `images`: those of a file of YAML, by the number of their line. */
export function readLines(
  text: string,
  names: Names,
  images?: ReadonlyMap<number, readonly string[]>,
): ReadList {
  const stages = text.matchAll(/^\s*FROM\s.+\s(?:AS|as)\s+(\S+)/gm);
  const noImages = ['scratch', ...Array.from(stages, ([, stage = '']) => stage)];
  const entries = text.split('\n').flatMap((full, index): ListEntry[] => {
    const line = index + 1;
    const content = full.slice(0, 1000);
    const stated = images?.get(line) ?? baseForm.exec(content)?.slice(1);
    if (stated) {
      return stated.map((image) => ({ line, text: image, items: readImageValue(image) }));
    }
    // Of a file of Compose, Kubernetes or Helm, only images: other keys are no entries.
    if ((images && isKey(content, names)) || noEntry.test(content) || instruction.test(content)) {
      return [];
    }

    const entry = cleanLine(content);
    return [{ line, text: entry, items: readLine(entry, names) }];
  });
  return joinEntries(entries.filter(({ text }) => text !== '' && !noImages.includes(text)));
}

/** The image on which a Dockerfile builds, or of which it copies files. */
const baseForm = /^\s*(?:FROM\s+(?:--\S+\s+)*|COPY\s.*?--from=)(\S+)/;

/** Options of pip, what gradle.lockfile says of nothing, words of Maven, and lines without a letter or a digit. */
const noEntry =
  /^\s*(?:empty=|-(?:[a-z]|-[a-z][a-z-]*)(?:[\s=]|$)|\[(?:INFO|WARNING)\](?!.*\S:\S+:\S)|[^\p{L}\p{N}]*$)/iu;

/** What a Dockerfile says without a number. */
const instruction =
  /^\s*(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|HEALTHCHECK|LABEL|ONBUILD|RUN|SHELL|USER|VOLUME|WORKDIR)\s\D*$/;

/** A key of YAML, unless it begins with a name of the index and has a value. */
function isKey(line: string, names: Names): boolean {
  const isNamed = !/:\s*$/.test(line) && findName(line.toLowerCase(), names) !== undefined;
  return /^\s|^---|^(?:- +)?[\w.-]+:(?:\s|$)/.test(line) && !isNamed;
}

/** Usually one entry; several where each part behind a comma has a version. */
function readLine(text: string, names: Names): readonly Item[] | undefined {
  const parts = text.split(/[,;]\s+/).map((part) => readText(part, names));
  const areEntries = parts.every((part) => part?.every(({ version }) => /\d/.test(version ?? '')));
  return areEntries ? parts.flatMap((part) => part ?? []) : readText(text, names);
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
  // The trees of Maven, Gradle, npm and Cargo: `|  +- a`, `├── a@1.0`
  [/^[|│\s]*[+\\`├└][-─┬]+\s+/, ''],
  // The version that Gradle took instead: `org.example:a:1.0 -> 1.1`
  [/^([\w.-]+:[\w.-]+)(?::\{.*?\}|:[^:\s]+)? -> ([\w.+-]+)/, '$1:$2'],
  // What Gradle says of it: `org.example:a:1.0 (*)`
  [/ \([*cn]\)$/, ''],
  // The mark of a list: `- a 1.0`
  [/^[-*]\s+/, ''],
  // Quotes and commas: `"a 1.0",`
  [/(?<!["',;])["',;]+$|^["']/g, ''],
];

function cleanLine(line: string): string {
  return replacements.reduce(
    (text, [form, replacement]) => text.replace(form, replacement).trim(),
    line,
  );
}
