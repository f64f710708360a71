export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** The messages with data in the text of a stream. */
export function messagesOf(text: string): Message[] {
  const blocks = text.split('\n\n').filter((block) => block.includes('data: '));
  return blocks.map((block) => {
    const [id = '', event = '', data = ''] = ['id', 'event', 'data'].map(
      (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1],
    );
    return { id, event, data: JSON.parse(data) as unknown };
  });
}
