import type { Answer } from '../../ask/answers/ask.ts';
import type { Choice } from '../../ask/answers/choices.ts';
import type { AnsweredVersion } from '../../ask/answers/version-answer.ts';
import { linkPlan } from '../../ask/plan/plan-link.ts';
import { describeResults } from '../../ask/search/search-releases.ts';
import { describeDayRange, findTone, moveLabel, stateLabels } from '../../core/model/words.ts';
import type { Row } from '../../core/query/fields.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { formatNumber } from '../../core/text/wording.ts';
import { nameReleaseAnchor } from '../render/html/anchors.ts';
import { describeSearch } from './answer-options.ts';
import { describeDistance } from './distance.ts';
import {
  drawLink,
  drawTable,
  drawVerdict,
  markDays,
  markup,
  type Markup,
} from '../render/html/markup.ts';
import { renderDay } from '../render/html/release-table.ts';
import { drawLinePicture } from './line-picture.ts';
import type { MovedPairs } from './moved-pairs.ts';
import { drawEvidence, listOtherGrounds, type CitedSite } from './support-evidence.ts';
import { drawUpgradePath } from './upgrade-path.ts';

/** The facts that a card needs and the answer lacks. */
interface CardContext {
  /** The related components before and after the move; undefined without a move. */
  readonly moves: MovedPairs | undefined;
  readonly site: CitedSite;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An answer as a card, the same on every page. `box.ts` adds the handlers of its buttons. */
export function drawAnswer(answer: Answer, context: CardContext): Markup {
  switch (answer.kind) {
    case 'version':
      return drawVersion(answer, context);
    case 'choices':
      return drawPlainCard('Which one?', drawChoices(answer.choices));
    case 'releases': {
      const { releases, total } = answer;
      const more = total - releases.length;
      const note = more > 0 ? markup`<p class="note">and ${formatNumber(more)} more</p>` : '';
      return drawPlainCard(describeResults(answer), drawReleases(releases), note);
    }
    case 'page': {
      const link = markup`<p><a href="${answer.page}">Open the page</a></p>`;
      return drawPlainCard(answer.text, link);
    }
    case 'search': {
      const button = markup`<p class="actions"><button class="main-action" data-search>${describeSearch(answer.releases)}</button></p>`;
      return drawPlainCard('This answer needs many releases.', button);
    }
    case 'problem': {
      const links = answer.examples.map((text) => drawLink(text, createQuestionLink(text)));
      const examples = links.length > 0 ? markup`<p class="suggestions">Try:${links}</p>` : '';
      return drawPlainCard(answer.message, examples);
    }
  }
}

function drawCard(tone: string, ...parts: readonly (Markup | string)[]): Markup {
  return markup`<section class="answer card tone-${tone}" tabindex="-1" aria-label="Answer">${parts}</section>`;
}

/** A card without a verdict. */
function drawPlainCard(words: string, ...parts: readonly (Markup | string)[]): Markup {
  return drawCard('none', markup`<h2 class="sentence">${markDays(words)}</h2>`, ...parts);
}

function createQuestionLink(question: string): string {
  return `?q=${encodeURIComponent(question)}`;
}

function drawChoices(choices: readonly Choice[]): Markup {
  const items = choices.map(({ title, question, answer }) => {
    const name = answer ? `${title} ${answer.version}` : title;
    const words = answer ? `${answer.label}. ${answer.advice}` : '';
    return markup`<li><a href="${createQuestionLink(question)}"><b>${name}</b>${markDays(words)}</a></li>`;
  });
  return markup`<ul class="choices">${items}</ul>`;
}

/** The releases that a query selected; empty if there are none. */
function drawReleases(releases: readonly Row[]): Markup | string {
  const rows = releases.map((row) => {
    const { component, title, version, state, supportedUntil: from } = row;
    const end = describeDayRange({ from, atMost: row.supportedUntilAtMost });
    const link = createQuestionLink(`${component} ${version}`);
    const name = markup`<a href="${link}">${`${title} ${version}`}</a>`;
    return [name, stateLabels[state], renderDay(row), markDays(end)];
  });
  const headings = ['Release', 'Support', 'Released', 'Support ends'];
  return rows.length > 0 ? drawTable('results', headings, rows) : '';
}

function drawVersion(result: AnsweredVersion, context: CardContext): Markup {
  const { answer } = result;
  return drawCard(
    findTone(answer.state),
    markup`<div class="halves">${drawState(result, context)}${drawTarget(result)}</div>`,
    drawLinePicture(result),
    drawChanges(answer, context.moves),
    drawEvidence(result, context.site),
    drawUpgradePath(result),
  );
}

function drawState(result: AnsweredVersion, { now }: CardContext): Markup {
  const {
    state,
    label,
    sentence,
    advice,
    notes = [],
    component,
    title,
    with: pairs = [],
    supportedUntil,
    supportedUntilAtMost = supportedUntil,
  } = result.answer;
  const alarm = state === 'ended' || state === 'withdrawn' ? 'alarm' : '';
  const ended = state === 'ended' ? supportedUntilAtMost : undefined;
  const ago = ended === undefined ? '' : markup`<span>${describeDistance(ended, now)}</span>`;
  const stateLine = markup`<p class="state"><span class="${alarm}">${label}</span>${ago}</p>`;
  const verdict = { sentence, advice, because: [...listOtherGrounds(result), ...notes] };
  const link = markup` <a href="${component}.html">All of ${title}</a>`;
  return markup`<div>${stateLine}${pairs.map(drawPair)}${drawVerdict('h2', verdict, link)}</div>`;
}

/** The version to move to, else the newest one, with its release notes and those of the version in question. */
function drawTarget({ answer, judged: { release }, details }: AnsweredVersion): Markup | string {
  const { moveTo, component, version, newest } = answer;
  const choice = moveTo ?? (newest === undefined ? undefined : { component, version: newest });
  if (!choice) {
    return '';
  }

  const isOwn = choice.component === component;
  const listed = details.releases.find((each) => isOwn && each.version === choice.version);
  const page = `${choice.component}.html#${nameReleaseAnchor(choice.version)}`;
  const notes = [drawLink(choice.version, listed?.changelogUrl ?? page)];
  const isSame = isOwn && version === choice.version;
  if (release?.changelogUrl !== undefined && !isSame) {
    notes.push(',', drawLink(version, release.changelogUrl));
  }

  const name = isOwn ? '' : markup`<p>${choice.component}</p>`;
  const copied = markup`<p><b data-copy="${choice.version}">${choice.version}</b></p>`;
  const words = listed?.notes === undefined ? '' : markup` <bdi>${listed.notes}</bdi>`;
  return markup`<div class="take"><p>${moveTo ? moveLabel : 'Newest'}</p>${name}${copied}<p class="note">Release notes: ${notes}${words}</p></div>`;
}

/** A table of the related components, and whether each can stay after the move, as both sides state it. */
function drawChanges(
  { component, title, version }: VersionAnswer,
  moves: MovedPairs | undefined,
): Markup | string {
  if (!moves || moves.pairs.length === 0) {
    return '';
  }

  const rows = moves.pairs.map(({ name, before, after, effect, url }) => {
    return [name, before, after, markup`${markDays(effect)}${drawLink('Source', url)}`];
  });
  const headings = [`Beside ${title}`, `With ${version}`, `With ${moves.version}`, 'What to do'];
  const plan = markup`<a href="${linkPlan([`${component}@${version}`])}">Plan with the versions that you run</a>`;
  const note = markup`<p class="note">As both sides state it: <a href="compatibility.json">all statements</a>. ${plan}</p>`;
  return markup`<h3>What the move changes</h3>${drawTable('moved', headings, rows)}${note}`;
}

/** Whether two versions work together, and who says so. */
function drawPair({ sentence, because }: NonNullable<VersionAnswer['with']>[number]): Markup {
  const sources = because.map(({ text, url }) => drawLink(text, url) || ` ${text}`);
  return markup`<p class="sentence">${sentence}</p><p class="note">${sources}</p>`;
}
