// A name server for tests: answers every question for an IPv4 address as it was told, one answer after the other.
import type { Socket } from 'node:dgram';

export type NameServer = {
  /** Where it listens, as resolvers want it. */
  readonly address: string;
  /** The answers to the next questions; the last one stays. */
  readonly answerWith: (answers: readonly (readonly string[])[]) => void;
  /** How often it was asked since then. */
  readonly questions: () => number;
  readonly stop: () => Promise<void>;
};

export async function startNameServer(socket: Socket): Promise<NameServer> {
  let answers: readonly (readonly string[])[] = [];
  let asked = 0;
  socket.on('message', (question, { address, port }) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    socket.send(answerTo(question, answer), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    answerWith: (wanted) => {
      answers = wanted;
      asked = 0;
    },
    questions: () => asked,
    stop: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
}

/** RFC 1035: the header with our counts, the question as it came, then one record for each address. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const nameEnd = question.indexOf(0, 12);
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    // The name of the question, type A, class IN, not to be remembered, four bytes.
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question.subarray(12, nameEnd + 5), ...records]);
}
