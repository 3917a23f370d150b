import { request } from "node:http";
import { DockerError } from "./docker";

export interface EngineCall {
    readonly socket: string;
    /** In the words of the client, for errors. */
    readonly what: readonly string[];
    /** When there must be an answer: milliseconds since 1970. */
    readonly deadline: number;
}

interface Wire extends EngineCall {
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly body?: object;
}

/** Asks the engine over its socket: the Docker client is a process, which takes longer to start than the answer does. */
export async function askEngine<T>(call: EngineCall, path: string): Promise<T> {
    return JSON.parse(String(await send({ ...call, method: "GET", path })));
}

/** Runs a command in a container; what it wrote to standard output. */
export async function execByApi(call: EngineCall, container: string, command: readonly string[]): Promise<string> {
    const post = (path: string, body: object) => send({ ...call, method: "POST", path, body });
    const made = { AttachStdout: true, AttachStderr: true, Cmd: command };
    const { Id } = JSON.parse(String(await post(`/containers/${container}/exec`, made)));
    const output = streamsOf(await post(`/exec/${Id}/start`, { Detach: false, Tty: false }));
    const { ExitCode } = await askEngine<{ ExitCode: number }>(call, `/exec/${Id}/json`);
    if (ExitCode !== 0) {
        throw new DockerError(call.what, ExitCode, output.stderr);
    }
    return output.stdout;
}

/** Frames, each with its stream in the first byte and its length in the last four of eight. */
export function streamsOf(frames: Buffer): { readonly stdout: string; readonly stderr: string } {
    const parts: Record<number, Buffer[]> = { 1: [], 2: [] };
    for (let start = 0; start + 8 <= frames.length; ) {
        const end = start + 8 + frames.readUInt32BE(start + 4);
        parts[frames[start]!]?.push(frames.subarray(start + 8, end));
        start = end;
    }
    const [stdout, stderr] = [1, 2].map((stream) => Buffer.concat(parts[stream]!).toString("utf8"));
    return { stdout: stdout!, stderr: stderr! };
}

function send({ socket: socketPath, what, deadline, method, path, body }: Wire): Promise<Buffer> {
    const payload = body === undefined ? "" : JSON.stringify(body);
    const headers = {
        host: "docker",
        ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(payload) }),
    };
    const milliseconds = Math.max(1, deadline - Date.now());
    return new Promise((resolve, reject) => {
        const signal = AbortSignal.timeout(milliseconds);
        const fail = (error: Error) =>
            reject(new DockerError(what, undefined, signal.aborted ? "no answer in time" : error.message));
        const sent = request({ socketPath, method, path, headers, signal, agent: false }, (answer) => {
            const chunks: Buffer[] = [];
            answer.on("data", (chunk) => chunks.push(chunk));
            answer.on("error", fail);
            answer.on("end", () => {
                const all = Buffer.concat(chunks);
                const status = answer.statusCode ?? 0;
                if (status >= 200 && status <= 299) resolve(all);
                else reject(new DockerError(what, status, messageOf(String(all))));
            });
        });
        sent.on("error", fail);
        sent.end(payload);
    });
}

function messageOf(text: string): string {
    try {
        return JSON.parse(text).message;
    } catch {
        return text;
    }
}
