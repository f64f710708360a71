import { debounce, find, findAll, make, makeButton, on, withDays } from './dom.ts';
import { describeFailure, loadAnswers, readDetails, readDocument, readStatus } from './documents.ts';
import { readQuestion, type ListedComponent, type Question } from './question.ts';
import { releaseAddress } from './release-address.ts';
import { makeReleasesTable } from './tables.ts';

const maxChoices = 10;

interface ComponentRow extends ListedComponent {
  readonly row: HTMLElement;
}

/** The box above the components: it finds them, gives the verdict on a version, and answers queries. */
export function setUpAsking(form: HTMLFormElement): void {
  const input = find<HTMLInputElement>('input', form);
  const status = find('#ask-answer');
  const results = find('#ask-results');
  const groups = findAll('#component-table tbody');
  const components = findAll('tr[data-component]').map((row): ComponentRow => {
    const name = row.dataset['component']!;
    const title = find('th a', row).textContent;
    return { row, name, title, words: `${name} ${title} ${row.dataset['description']}` };
  });
  const readInput = () => readQuestion(input.value.trim(), components);

  const answerLater = debounce(async () => {
    const text = input.value;
    const showIt = await answer(text.trim(), readInput()).catch((error: Error) => () => {
      show(components, describeFailure(error));
    });
    // The text may have changed in the meantime.
    if (input.value === text) showIt?.();
  });

  form.hidden = false;
  on(input, 'input', ask);
  on(input, 'keydown', ({ key }) => {
    if (key === 'Escape') askFor('');
  });
  on(form, 'submit', (event) => {
    event.preventDefault();
    const question = readInput();
    if (question.kind === 'query' || question.components.length !== 1) return;
    const { name } = question.components[0]!;
    location.assign(question.kind === 'version' ? releaseAddress(name, question.version) : `${name}.html`);
  });
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) askFor(asked);

  function askFor(text: string): void {
    input.value = text;
    ask();
  }

  /** Shows at once what the list itself can answer. */
  function ask(): void {
    const text = input.value.trim();
    const question = readInput();
    history.replaceState(null, '', text ? addressOf(text) : location.pathname);
    if (question.kind === 'query') show(components, '');
    else if (question.kind === 'components') {
      const { length } = question.components;
      show(question.components, text && `${length} of ${components.length} components match.`);
    } else if (question.components.length > 1) {
      show(question.components, 'Which one?', choicesOf(question.components, question.version));
    } else show(question.components, '');
    answerLater();
  }

  /** Shows this message, and these components and no others. */
  function show(shown: readonly ComponentRow[], message: string, ...more: (Node | string)[]): void {
    for (const { row } of components) row.hidden = true;
    for (const { row } of shown) row.hidden = false;
    for (const group of groups) group.hidden = !find('[data-component]:not([hidden])', group);
    status.replaceChildren(...withDays(message));
    results.replaceChildren(...more);
    if (shown.length === 0) results.append(makeButton('', 'Show all components', () => askFor('')));
  }

  /** How to show the answer, as soon as it is there; undefined where the list has shown it. */
  async function answer(text: string, question: Question<ComponentRow>): Promise<(() => void) | undefined> {
    if (question.kind === 'components') return undefined;
    if (question.kind === 'version') {
      const [component, another] = question.components;
      if (!component || another) return undefined;
      const { name } = component;
      const [{ answerVersion }, index, details] = await Promise.all([
        loadAnswers(),
        readStatus(),
        readDetails(name),
      ]);
      const { text, version } = answerVersion(index, details, question.version);
      const link = make('a', { href: releaseAddress(name, version) }, 'Why, and what comes after it');
      return () => show([component], text, link);
    }
    const [{ answerQuery }, index] = await Promise.all([loadAnswers(), readStatus()]);
    const { releases, text: message } = await answerQuery(text, index, readDocument);
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

/** Address of the page that answers this. */
function addressOf(question: string): string {
  return `?q=${encodeURIComponent(question)}`;
}
