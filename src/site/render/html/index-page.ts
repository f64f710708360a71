import { nextEnd } from '../../../decide/ends.ts';
import { freshnessInWords } from '../../../decide/sentences.ts';
import { releasedLately, type RecentRelease } from '../../../decide/recent.ts';
import type { Day } from '../../../core/model/dates.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { counted, listed } from '../../../core/text/text.ts';
import { releaseAnchor } from '../../../core/text/anchors.ts';
import type { SiteContext } from '../site-context.ts';
import { phraseExamples } from '../../../ask/answers/phrases.ts';
import { announcedEnd, endsAhead, mostRows, drawEnds } from './end-rows.ts';
import { describeGroups, describeLetters } from './component-rows.ts';
import { labelNames } from './labels.ts';
import { groupByMonth } from './months.ts';
import { renderPage } from './templates.ts';
import { isSoon } from './time-axis.ts';

const maxNews = 5;
const maxActions = 12;
const maxNames = 2;
/** A longer table has groups by letter, and browsers skip the layout of rows that are not visible. */
const maxRowsAtOnce = 100;

/** `index.html`. It changes only with verdicts, news and the quarter. */
export function renderIndexPage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const { day, config } = site;
  const ahead = endsAhead(summaries, day);
  const isLong = summaries.length > maxRowsAtOnce;
  const isStrip = ahead.length > mostRows;
  const due = ahead.filter((end) => isSoon(day, end.day)).length;
  const shown = Math.min(due, maxActions);
  const actions = ahead.slice(0, Math.max(shown, maxNews));
  const later = ahead.length - due;
  const farthest = ahead.at(-1);
  const released = newestOfEach(releasedLately(summaries)).slice(0, maxNews);

  return renderPage(site, 'index', {
    ...config,
    count: counted(summaries.length, 'component'),
    question: summaries.some(hasStatedSupport)
      ? 'Is your version still supported?'
      : 'Which version do you run?',
    examples: chooseExamples(summaries, day),
    // A page that grows old shows those that have come near.
    actions: actions.map((end, index) => ({
      ...announcedEnd(end, day),
      isLater: index >= due,
      tone: index >= due ? 'ok' : 'soon',
    })),
    due: due > 0 && counted(due, 'end'),
    moreDue: due > shown && counted(due - shown, 'more end'),
    later: later > 0 && farthest && { size: counted(later, 'more end'), day: farthest.day },
    released,
    plan: !isStrip && drawEnds(ahead, day),
    ends: ahead.length > 0 && counted(ahead.length, 'end'),
    twelve: isStrip && groupByMonth(ahead, day),
    groups: isLong ? describeLetters(summaries, day) : describeGroups(summaries, day),
    groupings: isLong ? labelNames(summaries) : [],
    isLong,
    presetLine: `"extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}]`,
    freshness: freshnessInWords(summaries.map((summary) => summary.freshness)),
  });
}

/** Whether an end of support is known, or that there is none yet. */
function hasStatedSupport({ lines }: ComponentSummary): boolean {
  return lines.some(({ phases = [], isSupported }) => phases.length > 0 || isSupported);
}

/** The first example is about the next end; the others fit every index. */
function chooseExamples(summaries: readonly ComponentSummary[], day: Day): string[] {
  const next = nextEnd(summaries, day);
  const released = summaries.find(({ latest }) => latest);
  const ofLatest = released && `${released.definition.title} ${released.latest!.version}`;
  const ofEnd = next ? `${next.component.definition.title} ${next.lines[0].name}` : ofLatest;

  // Where no end is stated, nothing ends.
  const others = phraseExamples.filter((text) => next !== undefined || !text.startsWith('ends '));

  return ofEnd === undefined ? [] : [ofEnd, ...others.slice(0, 1)];
}

/** The usable releases of each component on its last release day, newest day first. */
function newestOfEach(released: readonly RecentRelease[]): object[] {
  const usable = released.filter(({ isDeprecated }) => !isDeprecated);

  return Array.from(
    Map.groupBy(usable, ({ component }) => component),
    ([component, of]) => {
      const [newest] = of;
      const versions = of.filter(({ day }) => day === newest.day).map(({ version }) => version);

      return {
        ...newest,
        subject: listed(versions, maxNames),
        href: `${component}.html#${releaseAnchor(newest.version)}`,
      };
    },
  );
}
