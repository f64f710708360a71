import { lineStatus, newestRelease, supportInShort } from '../../../decide/words/line-words.ts';
import { addDays } from '../../../core/dates.ts';
import { isLineOpen, type JudgedLine } from '../../../decide/judge.ts';
import type { Component } from '../../../decide/component.ts';
import { counted } from '../../../core/text.ts';
import { releaseAnchor } from '../addresses.ts';
import { daysIn } from './days-in-text.ts';
import { endsSoon, lineAxis, linePicture } from './line-picture.ts';

/** More are a burden for a browser; `details/` has all. */
const maxLines = 60;
/** Of lines that nobody promises to support, as many as a first look takes. */
const maxListed = 12;
/** Lines that ended last, for comparison. */
const maxEnded = 3;

/** The release lines as a table with a picture on one axis, newest first. */
export function lineTables({ name, definition, judgement }: Component, anchors: ReadonlySet<string>): object {
  const { shown, older, left } = divide(judgement.lines.toReversed());
  const axis = lineAxis(shown, judgement.day);
  const pictureOf = (line: JudgedLine) => axis && linePicture(line, axis, judgement.day);
  return {
    component: name,
    title: definition.title,
    axis: axis && { ...axis, firstYear: axis.start.slice(0, 4), lastYear: addDays(axis.end, -1).slice(0, 4) },
    rows: shown.map((line) => ({
      ...rowOf(line, anchors),
      picture: pictureOf(line),
      isSoon: endsSoon(line, judgement.day),
    })),
    older: older.map((line) => rowOf(line, anchors)),
    olderSize: olderSize(older),
    left: left > 0 ? counted(left, 'older release line') : '',
  };
}

interface Division {
  shown: JudgedLine[];
  older: JudgedLine[];
  /** How many the page has no place for. */
  left: number;
}

/** Newest first. What is supported is seen at once, as far as a page can hold it. */
function divide(lines: readonly JudgedLine[]): Division {
  const open = lines.filter(isLineOpen);
  const isPromised = open.some((line) => line.isSupported);
  const first = open.slice(0, isPromised ? maxLines : maxListed);
  const others = lines.filter((line) => !isLineOpen(line));
  const ended = others.slice(0, Math.min(open.length === 0 ? maxListed : maxEnded, maxLines - first.length));
  const chosen = new Set([...first, ...ended]);
  const shown = lines.filter((line) => chosen.has(line));
  const older = lines.filter((line) => !chosen.has(line)).slice(0, maxLines - shown.length);
  return { shown, older, left: lines.length - shown.length - older.length };
}

function olderSize(older: readonly JudgedLine[]): string {
  const size = counted(older.length, 'older line');
  if (older.some(isLineOpen)) return size;
  return `${size}, ${older.length > 1 ? 'all ' : ''}${older.some((line) => line.isSupported !== false) ? 'deprecated' : 'ended'}`;
}

function rowOf(line: JudgedLine, anchors: ReadonlySet<string>): object {
  const newest = newestRelease(line.releases).version;
  const anchor = releaseAnchor(newest);
  return {
    anchor: `line-${line.name}`,
    name: line.name,
    newest,
    newestAnchor: anchors.has(anchor) ? anchor : '',
    size: line.releases.length > 1 ? counted(line.releases.length, 'release') : '',
    status: lineStatus(line),
    support: daysIn(supportInShort(line)),
  };
}
