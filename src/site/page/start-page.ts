// Pages are complete without script. This script shows its own controls, which are hidden without it.

import { countDaysBetween, formatDay, toDay, type Day } from '../../core/model/dates.ts';
import { stateTones } from '../../core/model/words.ts';
import {
  describeDistance,
  drawMove,
  createEndView,
  markDays,
  markup,
} from '../render/html/markup.ts';
import { setUpLabels } from './component-groups.ts';
import {
  addCopyButton,
  announce,
  fill,
  find,
  findAll,
  makeButton,
  makeMarkup,
  on,
  openAround,
} from './dom.ts';
import { loadAnswers, setUpAsking } from './forms.ts';
import { setUpList } from './list-form.ts';
import { describeFailure, readStatus } from './site-index.ts';

const msPerDay = 86_400_000;
/** An older index warns. Indexes are updated every day, and may miss a weekend. */
const maxDaysOld = 2;

const now = Date.now();
// The stylesheet has the day of the build: otherwise each page would change every day.
const days = getComputedStyle(document.documentElement).getPropertyValue('--today');
const builtOn = toDay(new Date(Number(days) * msPerDay));
const today = toDay(new Date(now));
const isOld = countDaysBetween(builtOn, today) > maxDaysOld;
const { component } = find('main').dataset;

for (const element of findAll('[data-copy]')) {
  addCopyButton(element);
}
for (const element of findAll('.suggestions')) {
  element.hidden = false;
}

if (isOld) {
  warnOfAge(builtOn);
}
for (const end of findAll('[data-until], [data-at-most]')) {
  updateEnd(end);
}
// After the ends, of which some are near only today.
for (const time of findAll('[data-relative]')) {
  addDistance(time);
}
// Where today's facts cannot be read, the page stays as it was built.
for (const element of findAll('[data-move]')) {
  updateMove(element).catch(() => {});
}
for (const head of findAll('[data-use]')) {
  updateUse(head, component!).catch(() => {});
}
const checks = findAll('[data-checked]');
if (checks.length > 0) {
  showLastChecks(checks).catch(() => {});
}

setUpAsking(component);
for (const chips of findAll('#group-by')) {
  setUpLabels(chips);
}
for (const form of findAll<HTMLFormElement>('#list')) {
  setUpList(form);
}
for (const section of findAll('#older')) {
  setUpOlderReleases(section, component!);
}

on(document, 'keydown', (event) => {
  const box = find<HTMLInputElement>('#ask-text, #mine-version, .finder input');
  if (!box || event.key !== 'k' || !(event.ctrlKey || event.metaKey)) {
    return;
  }

  event.preventDefault();
  box.select();
});

addEventListener('hashchange', reveal);
reveal();

/** A button that adds the older releases, which the page omits for its size. */
function setUpOlderReleases(section: HTMLElement, component: string): void {
  const button = makeButton('', 'Show them here, by year', async () => {
    try {
      const { listOlderYears } = await loadAnswers();
      button.replaceWith(...(await listOlderYears(component)));
    } catch (error) {
      button.textContent = describeFailure(error as Error);
      announce(button.textContent);
    }
  });
  section.append(button);
}

/** The page may come from a cache, or from an index that is no longer updated. */
function warnOfAge(day: Day): void {
  const words = `This index was last updated on ${formatDay(day)}, ${describeDistance(day, now)}. Releases since then are missing.`;
  find('.site-header').before(
    makeMarkup(markup`<div class="age-warning"><p class="container">${words}</p></div>`),
  );
}

/** Shows an end of support as of today, if the page is older. */
function updateEnd(element: HTMLElement): void {
  const { until, atMost: untilAtMost } = element.dataset;
  const createViewOn = (day: Day) => createEndView({ until, untilAtMost }, day);
  const before = createViewOn(builtOn);
  const { state, words, isNear } = createViewOn(today);
  if (state === before.state) {
    return;
  }

  fill(element, markDays(words));

  for (const time of findAll('time', element)) {
    if (isNear) {
      time.dataset['relative'] = until;
    } else {
      delete time.dataset['relative'];
    }
  }

  element.closest('li')?.removeAttribute('hidden');

  if (element.closest('summary')) {
    updateVerdict(element.closest('details')!).catch(() => {});
  }

  const tone = stateTones[before.state];
  element.closest(`.tone-${tone}`)?.classList.replace(`tone-${tone}`, `tone-${stateTones[state]}`);
}

/** Shows the verdict of today on a line, or on the newest of several, as in every answer. */
async function updateVerdict(line: HTMLElement): Promise<void> {
  const name = find('summary b', line).firstChild!.textContent!.trim().split(' ').at(-1)!;
  const { renderVerdictToday } = await loadAnswers();
  const verdict = await renderVerdictToday(component!, name);
  find('.sentence + .note', line)?.remove();
  find('.sentence', line).replaceWith(verdict);
}

/** Names what to move to as of today, if the page is older: the goal itself may have got a reason to move since. */
async function updateMove(element: HTMLElement): Promise<void> {
  const { move: name, line, end: until, endAtMost: untilAtMost } = element.dataset;
  const stateOn = (day: Day) => createEndView({ until, untilAtMost }, day).state;
  const findToneOn = (day: Day) => `tone-${stateTones[stateOn(day)]}`;
  if (stateOn(today) === stateOn(builtOn) && !(isOld && element.textContent)) {
    return;
  }

  element.closest('li')?.classList.replace(findToneOn(builtOn), findToneOn(today));

  const { findLineMove } = await loadAnswers();
  const goal = await findLineMove(name!, line!);
  fill(element, goal === undefined ? '' : drawMove(goal));
}

/** The head of an older page offers no version to copy that there is a reason to move off by now. */
async function updateUse(head: HTMLElement, name: string): Promise<void> {
  const { use: version, changesOn = '' } = head.dataset;
  const isChanged = changesOn !== '' && changesOn > builtOn && changesOn <= today;
  if (!isOld && !isChanged) {
    return;
  }

  const { judgeUse } = await loadAnswers();
  const { isToUse, sentence } = await judgeUse(name, version!);
  if (isToUse) {
    return;
  }

  find('.state', head).textContent = `Newest version on ${formatDay(builtOn)}`;
  for (const button of findAll('.copy', head)) {
    button.remove();
  }

  find('.sentence', head)?.remove();
  find('.headline', head).after(makeMarkup(markup`<p class="sentence">${markDays(sentence)}</p>`));
}

function addDistance(element: HTMLElement): void {
  const distance = describeDistance((element as HTMLTimeElement).dateTime, now);
  element.after(makeMarkup(markup` <span class="distance">${distance}</span>`));
}

/** Shows the days of the last checks. Only status.json has them, because they change every day. */
async function showLastChecks(elements: readonly HTMLElement[]): Promise<void> {
  const { components } = await readStatus();
  for (const element of elements) {
    const day = components[element.dataset['checked']!]?.lastChecked;
    if (day) {
      fill(element, markDays(day));
    }
  }
}

/** Shows the target of a link in a closed part of the page. */
function reveal(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (openAround(target)) {
    target!.scrollIntoView();
  }
}
