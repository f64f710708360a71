/** The lines of a component as a table in GitHub's Markdown, and its place in a file of somebody's repository. */
import { isUtf8 } from 'node:buffer';
import { diff } from 'node:util';
import { describeRange } from '../../core/day.ts';
import { inputError } from '../../core/errors.ts';
import { readNamedFile } from '../../core/files.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { markEstimated } from '../../core/words.ts';
import { alignColumns } from '../report.ts';

/** Of lines with a single end. */
const onlyPhase = 'support';

/** Only what changes with a fact, no state of a day. Prettier leaves it as it is. */
export function renderTable({ title, lines }: Component): string[] {
  const phases = lines.flatMap((line) => line.phases);
  const stated = phases.map(({ name }) => name);
  const names = [...new Set(stated.length > 0 ? stated : [onlyPhase])];
  const headings = names.map((name) =>
    nameColumn(
      name,
      phases.some((phase) => phase.name === name && phase.paid),
    ),
  );
  const rows = lines
    .toReversed()
    .map((line) => [
      describeLine(line),
      describeStart(line),
      ...names.map((name) => describeEnd(name, line)),
    ]);

  const cells = [[title, 'Released', ...headings], ...rows].map((row) => row.map(escapeCell));
  const [head = [], ...others] = alignColumns(cells, 3);
  const rule = head.map(({ length }) => '-'.repeat(length));
  return [head, rule, ...others].map((row) => `| ${row.join(' | ')} |`);
}

/** `Supported until`, `Security until`, `Extended until (paid)`. */
function nameColumn(phase: string, isPaid: boolean): string {
  const word = phase === onlyPhase ? 'supported' : phase;
  return `${word[0]!.toUpperCase()}${word.slice(1)} until${isPaid ? ' (paid)' : ''}`;
}

function describeLine({ line, isLts, ltsFrom }: Line): string {
  const since = ltsFrom === undefined ? '' : ` from ${ltsFrom}`;
  return isLts ? `${line} (LTS${since})` : line;
}

function describeStart({ since: from, sinceAtMost: atMost }: Line): string {
  return from || atMost ? describeRange({ from, atMost }) : '';
}

function describeEnd(name: string, { phases, isInferred, endsWithNextLine }: Line): string {
  const phase = phases.find((each) => each.name === name);
  if (!phase) {
    return phases.length === 0 ? 'not stated' : '';
  }

  const { until: from, untilAtMost: atMost, isOver } = phase;
  if (from || atMost) {
    return markEstimated(describeRange({ from, atMost }), isInferred);
  }
  if (isOver) {
    return 'over';
  }
  return endsWithNextLine ? 'the next line' : 'no end announced';
}

/** A foreign text stays one cell, and no markup, nor a link: GitHub makes one of each address. */
function escapeCell(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&~|$]|:(?=\/\/)/g, String.raw`\$&`);
}

/** The lines in which a text changes: `- ` before those that go, `+ ` before those that come. */
export function listChanges(before: string, after: string): string[] {
  const changed = diff(before.split('\n'), after.split('\n')).filter(([kind]) => kind !== 0);
  return changed.map(([kind, line]) => `${kind > 0 ? '-' : '+'} ${line.trimEnd()}`);
}

/** A place for a table, up to the next mark, which is to be its end. In a fence, marks are text. */
const placeForm =
  /(?<fence>^ {0,3}(?<marks>`{3,}|~{3,})[^\n]*\n(?:(?! {0,3}\k<marks>)[^\n]*\n)*[^\n]*)|(?<begin><!-- release-index: (?<name>\S+) -->)[^]*?(?=<!-- (?<slash>\/?)release-index\b|(?![^]))/gm;

/**
 * The text of a file, and that with the table of a component between each `<!-- release-index: svc -->` and the next
 * `<!-- /release-index -->`. `names`: by which it may be called there. Throws an `InputError` where there is no such place, or where one
 * has no end.
 */
export function fillPlaces(file: string, names: readonly string[], table: readonly string[]) {
  const bytes = readNamedFile(file);
  if (!isUtf8(bytes)) {
    throw inputError(file, 'expected a text in UTF-8. Nothing was written');
  }

  const before = bytes.toString();
  const places = Array.from(before.matchAll(placeForm), ({ groups = {} }) => groups);
  const own = places.filter(({ name = '' }) => names.includes(name));
  if (own.length === 0) {
    throw inputError(
      file,
      `has no place for the table. Write <!-- release-index: ${names[0]} --> and <!-- /release-index --> around it`,
    );
  }
  const open = own.find(({ slash }) => slash !== '/');
  if (open) {
    throw inputError(
      file,
      `${open['begin']} has no <!-- /release-index --> behind it. Nothing was written`,
    );
  }

  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const block = ['', '', ...table, '', ''].join(lineEnd);
  const after = before.replaceAll(placeForm, (place: string, ...rest) => {
    const { begin, name } = rest.at(-1) as Record<string, string>;
    return names.includes(name!) ? begin + block : place;
  });
  return { before, after };
}
