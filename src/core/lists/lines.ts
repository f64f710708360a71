/** Reads lists of which each line is an entry, and what is found in YAML. No zod and no Node: pages load it. */
import { readImageValue, readText, type Item, type ReadList } from '../index/item.ts';
import { findName, type Names } from '../index/owners.ts';

/** Options of pip, what gradle.lockfile says of nothing, and lines without a letter or a digit. */
const noEntry = /^\s*(?:empty=|-(?:[a-z]|-[a-z][a-z-]*)(?:[\s=]|$)|[^\p{L}\p{N}]*$)/iu;

/** `name 1.2.3`, package URLs, images, in any mixture. `images`: of a file of YAML, by the index of their line. */
export function readLines(
  text: string,
  names: Names,
  images: ReadonlyMap<number, string[]>,
): ReadList {
  const lines = text.split('\n');
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
      const read = ofYaml ? readImageValue(entry) : readLine(entry, names);
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
