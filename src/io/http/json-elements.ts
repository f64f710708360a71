const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [list, listEnd, object, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** How many elements a JSON document has in all, and in the longest of its lists and objects; without parsing it. */
export function countElements(body: Buffer): { longest: number; all: number } {
  const lengths = [1];
  let depth = 0;
  let longest = 0;
  let all = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === quote) {
      for (index += 1; index < body.length && body[index] !== quote; index += 1) {
        if (body[index] === backslash) index += 1;
      }
    } else if (byte === comma) {
      all += 1;
      longest = Math.max(longest, (lengths[depth] = lengths[depth]! + 1));
    } else if (byte === list || byte === object) {
      all += 1;
      lengths[(depth += 1)] = 1;
    } else if (byte === listEnd || byte === objectEnd) depth = Math.max(0, depth - 1);
  }
  return { longest, all };
}
