import type { PublishedLineOn } from '../../ask/answers/component-on.ts';
import type { AnsweredVersion } from '../../ask/answers/version-answer.ts';
import { cutDay } from '../../core/model/dates.ts';
import { describeEnd } from '../../core/model/words.ts';
import { markDays, markup, type Markup } from '../render/html/markup.ts';
import { drawPicture, type DrawnRow } from '../render/html/picture-markup.ts';
import { layOutPicture, type PictureRow } from '../render/html/picture.ts';

/** With more lines, there is no picture. */
const maxLines = 12;

/**
 * A picture of release lines, the newest first: the line of the target, the line of the question, and all lines that may be supported.
 * Only the line of the target is drawn without a known end. Empty without lines, and with too many.
 */
export function drawLinePicture({ answer, judged, details }: AnsweredVersion): Markup | string {
  const { lines, day } = details;
  const { line: ownLine, target } = judged;
  const advised = answer.goal ?? answer.moveTo;
  const isAdvised = advised?.component === answer.component && advised.version === target?.version;
  const captions = {
    highlight: markup` <small>yours</small>`,
    goal: markup` <small>${isAdvised ? 'move here' : 'wanted'}</small>`,
    pale: '',
  };
  const rows: (PictureRow & DrawnRow)[] = [];

  for (const line of lines.toReversed()) {
    const isOwn = line === ownLine;
    const isTarget = line.line === target?.line;
    if (!isTarget && !hasShownEnd(line, isOwn)) {
      continue;
    }

    const otherEmphasis = isTarget ? 'goal' : 'pale';
    const emphasis = isOwn ? 'highlight' : otherEmphasis;
    rows.push({
      ...createPictureRow(line),
      isRun: isOwn,
      name: markup`${line.line}${captions[emphasis]}`,
      until: markDays(describeEnd(line)),
      emphasis,
    });
  }

  return rows.length === 0 || rows.length > maxLines
    ? ''
    : drawPicture(layOutPicture(rows, day), 'Lines and the ends of their support');
}

/** Whether the end of a line is known, and it may still be supported or is the line of the question. */
function hasShownEnd(line: PublishedLineOn, isOwn: boolean): boolean {
  const hasEnd = (line.supportedUntil ?? line.supportedUntilAtMost) !== undefined;
  return hasEnd && (line.isSupported !== false || isOwn);
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
