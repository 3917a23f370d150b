import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The registry exits when standard input closes, which is when this process ends, for whatever reason. */
const SERVE_WHILE_WE_LIVE = `exec 3<&0
docker-registry serve "$1" 3<&- & server=$!
{ cat <&3; kill $server; } & wait $server`;

/** Debian's registry on a socket in our own folder: no port conflicts, and no other clients. */
export class Registry {
    private constructor(
        readonly socket: string,
        private readonly server: ChildProcess,
    ) {}

    /** Starts it on a storage folder and waits until it responds. */
    static async start(storage: string, folder: string): Promise<Registry> {
        const socket = join(folder, "registry.sock");
        const config = join(folder, "registry.yml");
        await writeFile(config, settings(storage, socket));
        const server = spawn("sh", ["-c", SERVE_WHILE_WE_LIVE, "sh", config], { stdio: ["pipe", "ignore", "ignore"] });
        let failure: string | undefined;
        server.on("error", (error) => (failure = error.message));
        server.on("exit", (code) => (failure ??= `exited with ${code}`));
        for (const deadline = Date.now() + 10_000; ; await pause(50)) {
            if (failure || Date.now() > deadline) {
                server.stdin.end();
                throw new Error(`docker-registry failed to start: ${failure ?? "no answer within 10 s"}`);
            }
            if ((await send(socket, "GET", "/v2/").catch(() => undefined))?.status === 200) {
                return new Registry(socket, server);
            }
        }
    }

    async stop(): Promise<void> {
        if (this.server.exitCode === null) {
            this.server.stdin?.end();
            await once(this.server, "exit");
        }
    }
}

/** A registry's response. */
export interface Answer {
    readonly status: number;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
}

/** One HTTP request over the socket; `body` is text, or the path of a file to send. */
export async function send(
    socketPath: string,
    method: string,
    path: string,
    { headers, text, file }: { headers?: OutgoingHttpHeaders; text?: string; file?: string } = {},
): Promise<Answer> {
    const outgoing = request({ socketPath, method, path, headers: { host: "localhost", ...headers } });
    const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
    if (file) {
        createReadStream(file, { highWaterMark: 1 << 20 })
            .on("error", (error) => outgoing.destroy(error))
            .pipe(outgoing);
    } else {
        outgoing.end(text);
    }
    const [response] = await answered;
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
        chunks.push(chunk);
    }
    return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

function settings(storage: string, socket: string): string {
    return `version: 0.1
log: {level: error, accesslog: {disabled: true}}
storage:
  filesystem: {rootdirectory: ${JSON.stringify(storage)}}
  delete: {enabled: true}
http: {net: unix, addr: ${JSON.stringify(socket)}}
`;
}
