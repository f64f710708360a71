import type { PublishedLineOn } from '../../ask/answers/component-on.ts';
import { cutDay } from '../../core/model/dates.ts';
import { describeEnd } from '../../core/model/words.ts';
import { markDays, markup, type Markup } from '../render/html/markup.ts';
import { drawPicture } from '../render/html/picture-markup.ts';
import { layOutPicture, type PictureRow } from '../render/html/picture.ts';
import type { ShownVersion } from './find-answer.ts';

/** With more lines, there is no picture. */
const maxLines = 12;

/** A picture of the line to move to, the line of the question, and the supported lines, each with its end. */
export function drawLinePicture({ answer, judged, details }: ShownVersion): Markup | string {
  const { lines = [], day = '' } = details ?? {};
  const { line: ownLine, target } = judged ?? {};
  const captions = { highlight: 'yours', goal: answer.moveTo ? 'move here' : 'newest', pale: '' };
  const rows = lines
    .filter((line) => line.line === target?.line || hasShownEnd(line, ownLine))
    .reverse()
    .map((line) => {
      const otherMark = line.line === target?.line ? 'goal' : 'pale';
      const mark: keyof typeof captions = line === ownLine ? 'highlight' : otherMark;
      return {
        ...createPictureRow(line),
        isRun: line === ownLine,
        name: markup`${line.line} <small>${captions[mark]}</small>`,
        until: markDays(describeEnd(line)),
        mark,
      };
    });

  return rows.length === 0 || rows.length > maxLines
    ? ''
    : drawPicture(layOutPicture(rows, day), 'Lines and the ends of their support');
}

/** Whether the picture shows a line: its end is known, and it may still be supported or is the line of the question. */
function hasShownEnd(line: PublishedLineOn, ownLine: PublishedLineOn | undefined): boolean {
  const hasEnd = (line.supportedUntil ?? line.supportedUntilAtMost) !== undefined;
  return hasEnd && (line.isSupported !== false || line === ownLine);
}

/** The row of a line in a picture. */
function createPictureRow(line: PublishedLineOn): PictureRow {
  const { state, phases, firstReleaseDate, firstReleaseDateAtMost, releases } = line;
  const timestamps = releases.map(({ releaseTimestamp }) => releaseTimestamp);
  return {
    state,
    phases,
    began: { from: firstReleaseDate, atMost: firstReleaseDateAtMost },
    releaseDays: timestamps
      .filter((timestamp) => timestamp !== undefined)
      .map(cutDay)
      .sort(),
  };
}
