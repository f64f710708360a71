import { stateTones } from '../../core/words.ts';
import { readQuestion, type NamedComponent, type Packages, type Question } from '../../ask/read-question.ts';
import type { PackagesFile } from '../../core/schemas/published/small-files.ts';
import { debounce, find, findAll, make, makeButton, on, withDays } from './dom.ts';
import { describeFailure, loadAnswers, readDocument, readStatus } from './documents.ts';
import { releaseAddress } from './release-address.ts';
import { makeReleasesTable } from './tables.ts';

const maxChoices = 10;
const patienceMs = 300;
const looking = 'Looking…';
/** More rows at once are felt as a wait on a slow phone. */
const rowsAtOnce = 60;

/** A package URL, a scoped name, a Maven coordinate or an image: no field of a query has a dot or a slash. */
const packageForm = /^(?:pkg:|@|[\w-]+\.[\w.-]+:|[\w.-]+\/)/;

interface ComponentRow extends NamedComponent {
  readonly row: HTMLElement;
  /** All that the list says of it. */
  readonly words: string;
}

/** The box above the components: it finds them, gives the verdict on a version, and answers queries. */
export function setUpAsking(form: HTMLFormElement): void {
  const input = find<HTMLInputElement>('input', form);
  const status = find('#ask-answer');
  const results = find('#ask-results');
  const box = find('.answer');
  const state = find('.state', box);
  const groups = findAll('#component-table tbody');
  const components = findAll('tr[data-component]').map((row): ComponentRow => {
    const name = row.dataset['component']!;
    const title = find('th a', row).textContent;
    const called = row.dataset['aliases'] ?? '';
    const words = `${name} ${title} ${called} ${row.dataset['description']}`.toLowerCase();
    return { row, name, title, aliases: called.split('\n').filter(Boolean), words };
  });
  let packages: Packages | undefined;
  let waiting: ComponentRow[] = [];
  const readInput = () => readQuestion(input.value.trim(), components, packages);
  const listed = (text: string) => {
    const words = text.toLowerCase().split(/\s+/);
    return components.filter((component) => words.every((word) => component.words.includes(word)));
  };

  const answerLater = debounce(async () => {
    const text = input.value;
    const patience = setTimeout(() => {
      if (input.value === text) status.textContent ||= looking;
    }, patienceMs);
    const showIt = await answer(text.trim()).catch((error: Error) => () => {
      show(components, describeFailure(error));
    });
    clearTimeout(patience);
    // The text may have changed in the meantime.
    if (input.value !== text) return;
    if (status.textContent === looking) status.textContent = '';
    showIt?.();
  });

  form.hidden = false;
  on(input, 'input', ask);
  on(input, 'keydown', ({ key }) => {
    if (key === 'Escape') askFor('');
  });
  on(form, 'submit', (event) => {
    event.preventDefault();
    const question = readInput();
    if (question.kind === 'query') {
      const [only, another] = listed(question.query);
      if (question.isPlain && only && !another) location.assign(`${only.name}.html`);
      return;
    }
    const { version } = question;
    const { name } = question.components[0]!;
    location.assign(version === undefined ? `${name}.html` : releaseAddress(name, version));
  });
  for (const link of findAll<HTMLAnchorElement>('.try a[href^="?"]'))
    on(link, 'click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      // The page would load once more, which takes a second on a phone.
      history.pushState(null, '', link.href);
      askFor(questionIn(link));
    });
  addEventListener('popstate', () => askFor(questionIn(location)));
  if (location.search) askFor(questionIn(location));

  function askFor(text: string): void {
    input.value = text;
    ask();
  }

  /** Shows at once what the list itself can answer. */
  function ask(): void {
    const text = input.value.trim();
    const question = readInput();
    history.replaceState(null, '', text ? addressOf(text) : location.pathname);
    const found = listed(text);
    const count = text && `${found.length} of ${components.length} components match.`;
    if (question.kind === 'query') show(found.length > 0 ? found : components, found.length > 0 ? count : '');
    else if (question.version === undefined) show(found.length > 0 ? found : question.components, count);
    else if (question.components.length > 1) {
      show(question.components, 'Which one?', choicesOf(question.components, question.version));
    } else show(question.components, '');
    answerLater();
  }

  function showNext(): void {
    for (const { row } of waiting.splice(0, rowsAtOnce)) row.hidden = false;
    if (waiting.length > 0) setTimeout(showNext);
  }

  /** Shows this message, and these components and no others. */
  function show(shown: readonly ComponentRow[], message: string, ...more: (Node | string)[]): void {
    for (const { row } of components) row.hidden = true;
    waiting = [...shown];
    showNext();
    const shownGroups = new Set(shown.map(({ row }) => row.parentElement));
    for (const group of groups) group.hidden = !shownGroups.has(group);
    box.className = 'answer';
    state.textContent = '';
    status.replaceChildren(...withDays(message));
    results.replaceChildren(...more);
    if (shown.length === 0) results.append(makeButton('', 'Show all components', () => askFor('')));
  }

  /** How to show the answer, as soon as it is there; undefined where the list has shown it. */
  async function answer(text: string): Promise<(() => void) | undefined> {
    if (text === '') return undefined;
    let question: Question<ComponentRow> = readInput();
    // The list has shown them already; the releases are read only where it knows nothing of the words.
    if (question.kind === 'query' && question.isPlain && listed(text).length > 0) return undefined;
    const mayBePackage = question.kind === 'query' && (question.isPlain || packageForm.test(text));
    if (mayBePackage || (question.kind === 'components' && question.isTypo)) {
      packages ??= new Map(Object.entries((await readDocument<PackagesFile>('packages.json')).packages));
      question = readInput();
    }
    if (question.kind === 'components') {
      const [component, another] = question.components;
      if (!component || another) return undefined;
      const { name } = component;
      const [{ answerVersion }, index] = await Promise.all([loadAnswers(), readStatus()]);
      const answer = await answerVersion(index, readDocument, name, question.version, {
        note: question.isTypo && `Read as ${name}.`,
      });
      if (!answer) return undefined;
      const href = releaseAddress(name, answer.version);
      const { sentence, advice, because, notes = [] } = answer;
      const evidence = make('p', { className: 's' }, ...withDays([...because, ...notes].join(' ')));
      const link = make('a', { href, className: 'primary' }, 'See what changes on the way');
      const shown = question.version === undefined ? listed(text) : [];
      return () => {
        show(
          shown.length > 0 ? shown : [component],
          `${sentence} ${advice}`,
          evidence,
          make('p', { className: 'do' }, link),
        );
        box.classList.add(stateTones[answer.state]);
        state.textContent = answer.label;
      };
    }
    const [{ answerQuery }, index] = await Promise.all([loadAnswers(), readStatus()]);
    const { releases, text: message } = await answerQuery(question.query, index, readDocument);
    if (question.isPlain && releases.length === 0) return () => show([], 'No component matches.');
    const found = new Set(releases.map(({ component }) => component));
    const shown = components.filter(({ name }) => found.has(name));
    return () => show(shown, message, ...makeReleasesTable(releases));
  }
}

function choicesOf(components: readonly ComponentRow[], version: string): HTMLElement {
  const choices = components.slice(0, maxChoices).map(({ name }) => {
    const choice = `${name} ${version}`;
    return make('li', {}, make('a', { href: addressOf(choice) }, choice));
  });
  return make('ul', { className: 'chips' }, ...choices);
}

function questionIn({ search }: Location | HTMLAnchorElement): string {
  return new URLSearchParams(search).get('q') ?? '';
}

/** Address of the page that answers this. */
function addressOf(question: string): string {
  return `?q=${encodeURIComponent(question)}`;
}
