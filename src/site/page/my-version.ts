import type { DetailedRelease } from '../../ask/details-on.ts';
import { stateTones } from '../../core/words.ts';
import { describeFailure, loadAnswers, readDocument, readStatus } from './documents.ts';
import { copyButton, debounce, find, findAll, make, on, openAround, releaseRow, withDays } from './dom.ts';
import { askedIn, hashOf } from './release-address.ts';
import { andMore, maxShown } from './tables.ts';

/** The verdict on the version that somebody has, and the releases between it and the one to move to. */
export function setUpMyVersion(form: HTMLFormElement, component: string): void {
  const mine = find<HTMLInputElement>('#mine-version');
  const targetBox = find<HTMLInputElement>('#mine-target');
  const box = find('#mine-answer');
  const way = find('#mine-way');
  const offered = findAll('.lines th a');
  find('#versions').append(...offered.map(({ textContent }) => make('option', { value: textContent })));
  const hash = () => {
    const version = mine.value.trim();
    return version && hashOf(version, targetBox.value.trim());
  };

  const answerLater = debounce(async () => {
    const asked = hash();
    mark('');
    way.hidden = asked === '';
    const shown = asked ? await answerTo(asked).catch((error: Error) => [describeFailure(error)]) : [];
    if (asked === hash()) box.replaceChildren(...shown);
  });

  form.hidden = false;
  on(form, 'submit', (event) => event.preventDefault());
  on(form, 'input', () => {
    history.replaceState(null, '', hash() || location.pathname);
    answerLater();
  });
  addEventListener('hashchange', readAddress);
  readAddress();

  function readAddress(): void {
    const asked = askedIn(location.hash);
    if (!asked) return;
    mine.value = asked.version;
    targetBox.value = asked.target ?? '';
    answerLater();
  }

  async function answerTo(asked: string): Promise<(Node | string)[]> {
    const wanted = targetBox.value.trim();
    const [{ answerVersion }, status] = await Promise.all([loadAnswers(), readStatus()]);
    const answer = await answerVersion(status, readDocument, component, mine.value.trim(), {
      wanted: wanted || undefined,
    });
    const { state, label, sentence, advice, because, notes = [], version, moveTo, target, between } = answer!;
    // The recommended version is shown as a hint, so that somebody can write another one.
    targetBox.placeholder = moveTo?.version ?? '';
    mark(version);
    const link = make('a', { href: asked }, 'Link to this answer');
    return [
      make(
        'div',
        { className: stateTones[state] },
        make('p', { className: 'state' }, label),
        make('p', {}, make('b', {}, ...withDays(`${sentence} ${advice}`))),
        make('p', { className: 's' }, ...withDays([...because, ...notes].join(' '))),
      ),
      ...(target ? [wayTo(target, between, wanted !== '')] : []),
      !target && wanted ? make('p', {}, `There is no release ${wanted} to move to.`) : '',
      make(
        'p',
        { className: 's' },
        link,
        ' ',
        copyButton(link, 'the address', () => link.href),
      ),
    ];
  }
}

function wayTo(target: DetailedRelease, between: readonly DetailedRelease[], isOpen: boolean): HTMLElement {
  const summary = `Changes on the way to ${target.version}: ${between.length + 1}`;
  return make('details', { open: isOpen }, make('summary', {}, summary), listOf([...between, target]));
}

/** Releases on the way, each with its notes. */
function listOf(releases: readonly DetailedRelease[]): HTMLElement {
  const items = releases
    .slice(0, maxShown)
    .map(({ version, isDeprecated, changelogUrl: href }) =>
      make('li', {}, href ? make('a', { href }, version) : version, isDeprecated && ' deprecated'),
    );
  const more = andMore(releases.length - items.length);
  return make('ol', {}, ...items, more && make('li', {}, more));
}

/** Marks the row of a release, if the page has it, and no other one. */
function mark(version: string): void {
  find('tr.mine')?.classList.remove('mine');
  const row = releaseRow(version);
  row?.classList.add('mine');
  openAround(row);
}
