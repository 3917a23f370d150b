import WebSocket from "ws";
import type { Credentials } from "./api-client";

export interface PodExec {
    readonly namespace: string;
    readonly pod: string;
    readonly container: string;
    readonly command: readonly string[];
    /** @default 2000 */
    readonly timeoutMilliseconds?: number;
}

export interface ExecResult {
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
}

/** The command timed out: it may or may not be running. */
export class NoAnswer extends Error {
    override readonly name = "NoAnswer";
}

/** Streams of Kubernetes' remote command protocol, by the first byte of each message. */
const STREAM = { stdout: 1, stderr: 2, error: 3 };

/** Runs a command in a container through the API; resolves when it exits, with any exit code. */
export function podExec(url: string, { token, ...tls }: Credentials, options: PodExec): Promise<ExecResult> {
    const { namespace, pod, container, command, timeoutMilliseconds = 2_000 } = options;
    const query = new URLSearchParams({ container, stdout: "true", stderr: "true" });
    for (const word of command) {
        query.append("command", word);
    }
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query}`;
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}${path}`, "v4.channel.k8s.io", { ...tls, headers });
    const output: Record<number, Buffer[]> = { 1: [], 2: [], 3: [] };
    const textOf = (stream: number) => Buffer.concat(output[stream]!).toString("utf8");
    return new Promise<ExecResult>((resolve, reject) => {
        const timer = setTimeout(() => {
            reject(new NoAnswer(`${command[0]} in ${pod}: no answer within ${timeoutMilliseconds / 1000} s`));
            socket.terminate();
        }, timeoutMilliseconds);
        socket.on("message", (message: Buffer) => output[message[0]!]?.push(message.subarray(1)));
        socket.on("error", (error) => {
            clearTimeout(timer);
            reject(error);
        });
        socket.on("close", () => {
            clearTimeout(timer);
            try {
                const exitCode = exitCodeOf(textOf(STREAM.error));
                resolve({ exitCode, stdout: textOf(STREAM.stdout), stderr: textOf(STREAM.stderr) });
            } catch (error) {
                reject(new Error(`${command[0]} in ${pod}: ${(error as Error).message}`));
            }
        });
    });
}

/** Exit code in the Status object sent at the end of a command. */
export function exitCodeOf(text: string): number {
    if (text === "") {
        throw new Error("the connection closed before the command exited");
    }
    const { status, message, details } = JSON.parse(text);
    const causes: readonly { reason?: string; message?: string }[] = details?.causes ?? [];
    const code = status === "Success" ? 0 : Number(causes.find(({ reason }) => reason === "ExitCode")?.message);
    if (Number.isNaN(code)) {
        throw new Error(message ?? text);
    }
    return code;
}
