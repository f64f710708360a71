import { addDays, countDaysBetween, formatDay, toDay } from '../../core/model/dates.ts';
import { findTone, stateTones } from '../../core/model/words.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import { nameLineAnchor, readLineAnchor } from '../render/html/anchors.ts';
import { createEndView } from '../render/html/end-view.ts';
import { drawMove, markDays, markRelativeDays, markup } from '../render/html/markup.ts';
import { addCopyButton } from './copy-button.ts';
import { describeDistance } from './distance.ts';
import {
  announce,
  fill,
  find,
  findAll,
  ignoreFailure,
  makeElement,
  makeMarkup,
  on,
} from './dom.ts';
import { loadAnswers, setUpAsking, setUpList } from './forms.ts';
import { describeFailure, readDocumentText } from './site-index.ts';

// Pages are complete without script. This script shows its own controls, which are hidden without it.

/** An older index warns. Indexes are updated every day, and may miss a weekend. */
const maxDaysOld = 2;

const now = Date.now();
const today = toDay(new Date(now));
// The stylesheet has the day of the build: otherwise each page would change every day. Without it, the page stays as it was built.
const days = getComputedStyle(document.documentElement).getPropertyValue('--today');
const builtOn = days === '' ? today : addDays('1970-01-01', Number(days));
const isOld = countDaysBetween(builtOn, today) > maxDaysOld;
const { component } = find('main').dataset;

showControls();
showToday();
setUpAsking();
findAll<HTMLFormElement>('#list').forEach(setUpList);
findAll('#older').forEach(setUpOlderReleases);

addEventListener('hashchange', reveal);
reveal();

/** Shows the controls that need no other script. */
function showControls(): void {
  findAll('[data-copy]').forEach(addCopyButton);
  for (const element of findAll('.suggestions')) {
    element.hidden = false;
  }
}

/** Brings the page, which is as of the day of the build, to today. */
function showToday(): void {
  if (isOld) {
    warnOfAge();
  }
  findAll('[data-until], [data-at-most]').forEach(updateEnd);
  // After the ends, of which some are near only today.
  findAll<HTMLTimeElement>('[data-relative]').forEach(addDistance);
  findAll('[data-move]').map(updateMove).forEach(ignoreFailure);
  findAll('[data-use]').map(updateUse).forEach(ignoreFailure);
  ignoreFailure(showLastChecks(findAll('[data-checked]')));
}

/** A button that adds the older releases, which the page omits for its size. */
function setUpOlderReleases(section: HTMLElement): void {
  const button = makeElement(markup`<button type="button">Show them here, by year</button>`);
  on(button, 'click', async () => {
    try {
      const { listOlderYears } = await loadAnswers();
      button.replaceWith(...(await listOlderYears(component!)));
    } catch (error) {
      button.textContent = describeFailure(error as Error);
      announce(button.textContent);
    }
  });
  section.append(button);
}

/** The page may come from a cache, or from an index that is no longer updated. */
function warnOfAge(): void {
  const words = `This index was last updated on ${formatDay(builtOn)}, ${describeDistance(builtOn, now)}. Releases since then are missing.`;
  find('.site-header').before(
    makeMarkup(markup`<div class="age-warning"><p class="container">${words}</p></div>`),
  );
}

/** Shows an end of support whose state has changed since the build. */
function updateEnd(element: HTMLElement): void {
  const { until, atMost: untilAtMost } = element.dataset;
  if (!updateTone(element, { until, untilAtMost })) {
    return;
  }

  const { state, words, isNear } = createEndView({ until, untilAtMost }, today);
  fill(element, isNear ? markRelativeDays(words) : markDays(words));
  // In the list of near ends, an end is hidden before it is near.
  const later = element.closest('li[hidden]');
  if (later) {
    later.removeAttribute('hidden');
    document.getElementById('nothing-due')?.remove();
  }
  if (element.closest('summary')) {
    if (state === 'ended' || state === 'may-have-ended') {
      // The words say the latest possible end, and no phase is known to run.
      findAll('small', element.parentElement!).forEach((note) => note.remove());
    }
    ignoreFailure(updateVerdict(element.closest('details')!));
  }
}

/** Gives the part around an end the tone of today. Returns whether the state has changed since the build. */
function updateTone(element: HTMLElement, end: Parameters<typeof createEndView>[0]): boolean {
  const before = createEndView(end, builtOn).state;
  const { state } = createEndView(end, today);
  const former = `tone-${stateTones[before]}`;
  // The head of a component marks an end more strongly.
  const tone = element.closest('.hero') ? findTone(state) : stateTones[state];
  element.closest(`.${former}`)?.classList.replace(former, `tone-${tone}`);
  return state !== before;
}

/** Shows the verdict of today on a line, or on the newest of several. */
async function updateVerdict(line: HTMLElement): Promise<void> {
  // A row of several lines has a place for each, the newest first.
  const { id } = line.id === '' ? find(`[id^="${nameLineAnchor('')}"]`, line) : line;
  const { renderLineVerdict } = await loadAnswers();
  const verdict = await renderLineVerdict(component!, readLineAnchor(id));
  line.querySelector('.sentence + .note')?.remove();
  find('.sentence', line).replaceWith(verdict);
}

/**
 * Names the version to move to today: if the state has changed since the build, or if the page is old, so that the version that it
 * names may have a successor.
 */
async function updateMove(element: HTMLElement): Promise<void> {
  const { move: name, line, end: until, endAtMost: untilAtMost } = element.dataset;
  const isChanged = updateTone(element, { until, untilAtMost });
  const mayBeOutdated = isOld && element.textContent !== '';
  if (!isChanged && !mayBeOutdated) {
    return;
  }

  const { findLineMove } = await loadAnswers();
  const target = await findLineMove(name!, line!);
  fill(element, target === undefined ? '' : drawMove(target));
}

/** Removes the version to copy from the head of an old page, if there is a reason to move off it by now. */
async function updateUse(head: HTMLElement): Promise<void> {
  const { use: version, changesOn = '' } = head.dataset;
  const isChanged = changesOn > builtOn && changesOn <= today;
  if (!isOld && !isChanged) {
    return;
  }

  const { judgeShownVersion } = await loadAnswers();
  const { isRecommended, sentence } = await judgeShownVersion(component!, version!);
  if (isRecommended) {
    return;
  }

  find('.state', head).textContent = `Newest version on ${formatDay(builtOn)}`;
  for (const button of findAll('.copy', head)) {
    button.remove();
  }

  head.querySelector('.sentence')?.remove();
  find('.headline', head).after(makeMarkup(markup`<p class="sentence">${markDays(sentence)}</p>`));
}

function addDistance(element: HTMLTimeElement): void {
  const distance = describeDistance(element.dateTime, now);
  element.after(makeMarkup(markup` <span class="distance">${distance}</span>`));
}

/** Shows the days of the last checks. Only status.json has them, because they change every day. */
async function showLastChecks(elements: readonly HTMLElement[]): Promise<void> {
  if (elements.length === 0) {
    return;
  }

  const { components } = JSON.parse(await readDocumentText('status.json')) as StatusFile;
  for (const element of elements) {
    const day = components[element.dataset['checked']!]?.lastChecked;
    if (day) {
      fill(element, markDays(day));
    }
  }
}

/** Opens the closed parts of the page around the target of a link, and shows it. */
function reveal(): void {
  const target = document.getElementById(location.hash.slice(1));
  const closed = findAll<HTMLDetailsElement>('details:not([open])').filter((part) =>
    part.contains(target),
  );
  if (closed.length > 0) {
    for (const part of closed) {
      part.open = true;
    }
    target!.scrollIntoView();
  }
}
