/** Finds the images that a file of Compose, Kubernetes or Helm names. No zod and no Node: pages load it. */

/** A key, with what stands before it and its value: `  - image: "nginx:1.28"`. */
const keyForm = /^([\s-]*)["']?(image|repository|registry|tag|digest)["']?:(?:\s+(.*))?$/;

/** The keys of a block beside each other. */
interface Block {
  /** The index of the line of its repository. */
  place: number;
  values: Record<string, string>;
}

/** The images by the index of the line that states them; empty where no line does. */
export function listYamlImages(text: string): Map<number, string[]> {
  const images = new Map<number, string[]>();
  const blocks = new Map<number, Block>();
  for (const [place, line] of `${text}\n.`.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) {
      continue;
    }

    // The mark of an item belongs to its indent.
    const indent = /^[\s-]*/.exec(line)![0].length;
    for (const [depth, block] of blocks) {
      if (depth > indent || (depth === indent && /^\s*-/.test(line))) {
        const { repository, tag, digest } = block.values;
        if (repository && (tag ?? digest) !== undefined) {
          images.set(block.place, [joinImage(block.values)]);
        }
        blocks.delete(depth);
      }
    }

    const [, , key = '', stated] = keyForm.exec(line) ?? [];
    const value = readValue(stated);
    const flow = listFlowImages(line);
    if (flow.length > 0) {
      images.set(place, flow);
    } else if (key === 'image' && value !== '') {
      images.set(place, [value]);
    } else if (key !== '') {
      const block = blocks.get(indent) ?? { place, values: {} };
      block.values[key] = value;
      block.place = key === 'repository' ? place : block.place;
      blocks.set(indent, block);
    }
  }
  return images;
}

/** `{ image: "nginx:1.28.0" }`, and `{repository: nginx, tag: 1.28.0}`. */
function listFlowImages(line: string): string[] {
  const direct = line.matchAll(/[{,]\s*["']?image["']?\s*:\s*("[^"]*"|'[^']*'|[^\s,{}"']+)/g);
  const joined = Array.from(line.matchAll(/\{([^{}]*)\}/g), ([, inside = '']) => {
    const entries = inside.split(',').map((entry) => entry.split(/:(.*)/, 2));
    const values = Object.fromEntries(
      entries.map(([key = '', value]) => [key.replaceAll(/[\s"']/g, ''), readValue(value)]),
    );
    return values['repository'] && values['tag'] ? [joinImage(values)] : [];
  });
  return [...Array.from(direct, ([, value]) => readValue(value)), ...joined.flat()];
}

function joinImage(parts: Readonly<Record<string, string>>): string {
  const { registry, repository = '', tag, digest } = parts;
  const name = registry ? `${registry}/${repository}` : repository;
  return `${name}${tag ? `:${tag}` : ''}${digest ? `@${digest}` : ''}`;
}

/** Without its quotes and a comment behind it. */
function readValue(value = ''): string {
  const [, quoted, plain = ''] = /^\s*(?:["']([^"']*)["']|(.*?))(?:\s+#.*)?\s*$/.exec(value) ?? [];
  return quoted ?? plain;
}
