/** Finds the images that a file of Compose, Kubernetes or Helm names. No zod and no Node: pages load it. */

type Values = Readonly<Record<string, string | undefined>>;

/** The keys of a block beside each other, and the index of the line of its repository. */
interface Block {
  place: number;
  readonly values: Record<string, string>;
}

/** A key with its value, and the mark of an item before it: `  - image: "nginx:1.28"`. */
const keyForm = /^[\s-]*["']?(image|repository|registry|tag|digest)["']?:(?:\s+(.*))?$/;

/** The images by the index of the line that states them. */
export function listYamlImages(text: string): Map<number, string[]> {
  const images = new Map<number, string[]>();
  const blocks = new Map<number, Block>();
  // The last line ends all blocks.
  for (const [place, line] of `${text}\n.`.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) {
      continue;
    }

    // The mark of an item belongs to its indent.
    const [start] = /^[\s-]*/.exec(line)!;
    for (const [indent, block] of blocks) {
      if (indent > start.length || (indent === start.length && start.includes('-'))) {
        const image = nameImage(block.values);
        if (image !== undefined) {
          images.set(block.place, [image]);
        }
        blocks.delete(indent);
      }
    }

    const flow = listFlowImages(line);
    const [, key, stated] = keyForm.exec(line) ?? [];
    const value = readValue(stated);
    if (flow.length > 0) {
      images.set(place, flow);
    } else if (key === 'image' && value !== '') {
      images.set(place, [value]);
    } else if (key !== undefined) {
      const block = blocks.get(start.length) ?? { place, values: {} };
      block.values[key] = value;
      block.place = key === 'repository' ? place : block.place;
      blocks.set(start.length, block);
    }
  }
  return images;
}

/** `{ image: "nginx:1.28.0" }`, and `{repository: nginx, tag: 1.28.0}`. */
function listFlowImages(line: string): string[] {
  const [, ...maps] = line.split(/[{}]/);
  return maps.flatMap((map) => {
    const entries = map.split(',').map((entry) => entry.split(/:(.*)/, 2));
    const values = entries.map(([key = '', value]) => [
      key.replaceAll(/[\s"']/g, ''),
      readValue(value),
    ]);
    return nameImage(Object.fromEntries(values)) ?? [];
  });
}

/** Undefined for a repository alone, which may be of anything. */
function nameImage({ image, registry, repository, tag, digest }: Values): string | undefined {
  if (image) {
    return image;
  }
  if (!repository || (tag ?? digest) === undefined) {
    return undefined;
  }

  const name = registry ? `${registry}/${repository}` : repository;
  return `${name}${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`;
}

/** Without its quotes and a comment behind it. */
function readValue(value = ''): string {
  const [, quoted, plain = ''] = /^\s*(?:["']([^"']*)["']|(.*?))(?:\s+#.*)?\s*$/.exec(value) ?? [];
  return quoted ?? plain;
}
