/** Reads lists of which each line is an entry, and what is found in YAML. No zod and no Node: pages load it. */
import {
  readImageValue,
  readText,
  refuseEntry,
  type Item,
  type ListProblem,
  type ReadList,
} from '../index/item.ts';
import { findName, type Names } from '../index/owners.ts';

/** Options of pip, what gradle.lockfile says of nothing, words of Maven, and lines without a letter or a digit. */
const noEntry =
  /^\s*(?:empty=|-(?:[a-z]|-[a-z][a-z-]*)(?:[\s=]|$)|\[(?:INFO|WARNING)\](?!.*\S:\S+:\S)|[^\p{L}\p{N}]*$)/iu;

/** What a Dockerfile says without a number. */
const instruction =
  /^\s*(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|HEALTHCHECK|LABEL|ONBUILD|RUN|SHELL|USER|VOLUME|WORKDIR)\s\D*$/;

/** The image on which a Dockerfile builds, or of which it copies files. */
const baseForm = /^\s*(?:FROM\s+(?:--\S+\s+)*|COPY\s.*?--from=)(\S+)/;

/** `name 1.2.3`, package URLs, images, in any mixture. `images`: of a file of YAML, by the index of their line. */
export function readLines(
  text: string,
  names: Names,
  images: ReadonlyMap<number, string[]>,
): ReadList {
  const lines = text.split('\n');
  const items: Item[] = [];
  const problems: ListProblem[] = [];
  const stages = text.matchAll(/^\s*FROM\s.+\s(?:AS|as)\s+(\S+)/gm);
  const noImages = ['scratch', ...Array.from(stages, ([, stage = '']) => stage)];
  for (const [index, full] of lines.entries()) {
    const raw = full.slice(0, 1000);
    const line = index + 1;
    const [, base] = baseForm.exec(raw) ?? [];
    const ofFile = images.get(index) ?? (base === undefined ? undefined : [base]);
    const isKey = /^\s|^---|^(?:- +)?[\w.-]+:(?:\s|$)/.test(raw);
    // Of a file of Compose, Kubernetes or Helm, only images: other keys are no entries.
    const isNamed = !/:\s*$/.test(raw) && findName(raw.toLowerCase(), names);
    const isOtherKey = images.size > 0 && isKey && !isNamed;
    const isNone = isOtherKey || noEntry.test(raw) || instruction.test(raw);
    const texts = ofFile ?? (isNone ? [] : [cleanLine(raw)]);
    for (const entry of texts.filter((each) => each !== '' && !noImages.includes(each))) {
      const read = ofFile ? readImageValue(entry) : readLine(entry, names);
      if (read) {
        items.push(...read.map((item) => ({ ...item, line })));
      } else {
        problems.push(refuseEntry(line, entry));
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
      // The log and the trees of Maven, Gradle, npm and Cargo, and the version that Gradle took instead.
      .replace(/^\[INFO\]\s+/, '')
      .replace(/^[|│\s]*[+\\`├└][-─┬]+\s+/, '')
      .replace(/^([\w.-]+:[\w.-]+)(?::\{.*?\}|:[^:\s]+)? -> ([\w.+-]+)/, '$1:$2')
      .replace(/ \([*cn]\)$/, '')
      // The mark of a list, then quotes and commas.
      .replace(/^[-*]\s+/, '')
      .replaceAll(/(?<!["',;])["',;]+$|^["']/g, '')
  );
}
