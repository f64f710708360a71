/** `mine.html`: a list or a bill of materials becomes a table of verdicts. Nothing leaves the browser. */
import { readList } from '../../core/read-list.ts';
import { drawVerdicts, findComponent, judge, loadIndex, type Verdict } from './find.ts';

const form = document.querySelector<HTMLFormElement>('[data-list]')!;
const text = form.querySelector('textarea')!;
const file = form.querySelector<HTMLInputElement>('[type=file]')!;
const place = document.getElementById('found')!;

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show(text.value);
});
file.addEventListener('change', async () => {
  const [chosen] = file.files ?? [];
  if (chosen) {
    await show(await chosen.text());
  }
});

async function show(content: string): Promise<void> {
  try {
    const { components } = await loadIndex();
    const names = components.flatMap((component) =>
      component.names.map((name) => name.toLowerCase()),
    );
    const { items, problems } = readList(content, names);
    const verdicts: Verdict[] = [];
    const unknown = [...problems];
    for (const { text: written, name, purl, version } of items) {
      const component = findComponent(components, purl ?? name ?? '');
      if (component === undefined || version === undefined) {
        unknown.push(written);
      } else {
        verdicts.push(judge(component, version));
      }
    }

    const note = document.createElement('p');
    note.textContent = `${verdicts.length} of ${items.length} entries are in this index.`;
    const left = document.createElement('p');
    left.className = 'note';
    left.textContent =
      unknown.length > 0 ? `Not known here: ${unknown.slice(0, 20).join(', ')}` : '';
    place.replaceChildren(note, ...(verdicts.length > 0 ? [drawVerdicts(verdicts)] : []), left);
  } catch (error) {
    place.textContent = (error as Error).message;
  }
}
