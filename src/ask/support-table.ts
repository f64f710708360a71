/** Renders the supported release lines of a component as a Markdown table, for the README or SECURITY.md of its maintainers. */
import { describeRange, type Day } from '../core/day.ts';
import { hasLts, isOpen, markEstimated } from '../core/phrases.ts';
import type { Component, Line, Phase } from '../core/schema/published.ts';

/**
 * Returns the rows of the table, newest line first. If support has several phases, each phase has a column. The last row is about all lines
 * whose support has ended. Example:
 *
 *     | Version   | Active     | Security   |
 *     | --------- | ---------- | ---------- |
 *     | 2.4 (LTS) | 2027-01-31 | 2029-01-31 |
 *     | 2.3       | 2026-01-31 | 2027-01-31 |
 *     | older     | ended      | ended      |
 */
export function renderSupportTable({ lines }: Component, asOf: Day): string[] {
  const shown = lines.filter((line) => isShown(line, asOf)).toReversed();
  const columns = listColumns(shown);
  const ended = lines.filter((line) => !shown.includes(line) && !line.isUnreleased);
  return drawTable([
    ['Version', ...columns.map(nameColumn)],
    ...shown.map((line) => [
      nameLine(line, asOf),
      ...columns.map((column) => describeCell(line, column)),
    ]),
    ...(ended.length > 0 ? [[nameRest(lines, shown), ...columns.map(() => 'ended')]] : []),
  ]);
}

/** Tells whether users can stay on a line, perhaps with paid support. */
function isShown(line: Line, asOf: Day): boolean {
  const paidUntil = line.paidUntilAtMost ?? line.paidUntil ?? '';
  return !line.isUnreleased && (isOpen(line) || paidUntil >= asOf);
}

/** A column for a phase of support. Undefined `name`: all support, if no line has several phases. */
interface Column {
  readonly name?: string;
  readonly isPaid?: boolean;
}

function listColumns(lines: readonly Line[]): Column[] {
  // The line with the most phases gives their order.
  const longest = lines.toSorted((a, b) => b.phases.length - a.phases.length);
  const phases = longest.flatMap((line) => line.phases);
  const free = new Set(phases.flatMap(({ name, paid }) => (paid ? [] : name)));
  const paid = new Set(phases.flatMap(({ name, paid }) => (paid ? name : [])));
  const columns: Column[] = [...free].map((name) => ({ name }));
  return [
    ...(columns.length > 1 ? columns : [{}]),
    ...[...paid].map((name) => ({ name, isPaid: true })),
  ];
}

function nameColumn({ name = 'support', isPaid }: Column): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return isPaid ? `${title} (paid)` : title;
}

function nameLine(line: Line, asOf: Day): string {
  const notes = [line.codename, hasLts(line, asOf) && 'LTS'].filter(Boolean).join(', ');
  return notes ? `${line.line} (${escapeMarkdown(notes)})` : line.line;
}

/** Escapes a text from upstream, which must not end the cell or contain markup. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&');
}

function describeCell(line: Line, { name, isPaid = false }: Column): string {
  if (name === undefined) {
    return markEstimated(line.end, line.isInferred);
  }

  const free = line.phases.filter(({ paid }) => !paid);
  const phase = line.phases.find((each) => each.name === name && (each.paid ?? false) === isPaid);
  if (!phase) {
    return '–';
  }
  // Only the words about the whole line say that an unknown end is that of the next line.
  return describePhase(phase, line) ?? (phase === free.at(-1) ? line.end : 'no end announced');
}

/** Returns the last day of a phase. Undefined if it is not known. */
function describePhase({ until, untilAtMost, isOver }: Phase, line: Line): string | undefined {
  if (isOver) {
    return 'ended';
  }
  if (untilAtMost !== undefined) {
    return markEstimated(describeRange({ from: until, atMost: untilAtMost }), line.isInferred);
  }

  return until && markEstimated(until, line.isInferred);
}

/**
 * Names the lines that have no row. They are not all older if a line without long-term support has ended before an older line with such
 * support.
 */
function nameRest(lines: readonly Line[], shown: readonly Line[]): string {
  const oldest = shown.at(-1);
  if (!oldest) {
    return 'all';
  }

  const newer = lines.slice(lines.indexOf(oldest)).filter(({ isUnreleased }) => !isUnreleased);
  return newer.length === shown.length ? 'older' : 'others';
}

/** Draws a Markdown table as Prettier formats it, so that a maintainer's formatter does not change it. */
function drawTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, place) => Math.max(3, ...rows.map((row) => row[place]!.length)));
  const [head, ...body] = rows.map((row) => row.map((cell, place) => cell.padEnd(widths[place]!)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head!, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`);
}
