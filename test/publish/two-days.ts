import { expect } from 'vitest';
import { addComponent, copyFolder, createIndex } from '../harness/index-folder.ts';

/** Two days of a signed site: a component comes, another goes, a third changes. */
export async function makeTwoDays(): Promise<{ oldSite: string; newSite: string }> {
  const index = createIndex();
  const makeSite = async () => {
    for (const verb of ['build', 'sign']) {
      expect(await index.run(verb)).toMatchObject({ status: 0 });
    }
    return copyFolder(index.out);
  };
  const oldSite = await makeSite();
  index.write('components/edge-node.json', undefined);
  addComponent(index, 'agent', ['1.0']);
  addComponent(index, 'svc', ['2027.1']);
  return { oldSite, newSite: await makeSite() };
}
