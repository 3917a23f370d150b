import { createSocket, type Socket } from "node:dgram";
import type { AddressInfo } from "node:net";

const types = { A: 1, NS: 2 } as const;
const codes = { NXDOMAIN: 3, REFUSED: 5 } as const;

/** Its answers, by `<type> <name>`. @default none, with the code of its `otherwise` */
export type Records = Readonly<Record<string, readonly string[]>>;

/** A name server on localhost that counts its queries. */
export class NameServer {
    readonly asked: string[] = [];
    private readonly socket: Socket = createSocket("udp4");

    private constructor(
        public records: Records,
        private readonly otherwise: keyof typeof codes,
    ) {
        this.socket.on("message", (query, { port, address }) => this.socket.send(this.answer(query), port, address));
    }

    static async open(records: Records, otherwise: keyof typeof codes = "NXDOMAIN"): Promise<NameServer> {
        const server = new NameServer(records, otherwise);
        await new Promise<void>((resolve) => server.socket.bind(0, "127.0.0.1", resolve));
        return server;
    }

    /** Its address in a resolver's format. */
    get address(): string {
        return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
    }

    close(): Promise<void> {
        return new Promise((resolve) => this.socket.close(() => resolve()));
    }

    /** Source of the format: RFC 1035. */
    private answer(query: Buffer): Buffer {
        const labels: string[] = [];
        let at = 12;
        while (query[at] !== 0) {
            labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!));
            at += 1 + query[at]!;
        }
        const type = query.readUInt16BE(at + 1);
        const name = labels.join(".").toLowerCase();
        const question = query.subarray(12, at + 5);
        const key = `${Object.entries(types).find(([, code]) => code === type)?.[0]} ${name}`;
        this.asked.push(key);
        const answers = this.records[key] ?? [];
        const header = Buffer.alloc(12);
        query.copy(header, 0, 0, 2);
        // An authoritative response.
        header.writeUInt16BE(0x8400 | (answers.length > 0 ? 0 : codes[this.otherwise]), 2);
        header.writeUInt16BE(1, 4);
        header.writeUInt16BE(answers.length, 6);
        return Buffer.concat([header, question, ...answers.map((each) => record(type, each))]);
    }
}

/** A record of the queried name. */
function record(type: number, value: string): Buffer {
    const data = type === types.A ? Buffer.from(value.split(".").map(Number)) : encoded(value);
    const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 30, 0, 0]);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
}

function encoded(name: string): Buffer {
    const labels = name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
    return Buffer.concat([...labels, Buffer.from([0])]);
}
