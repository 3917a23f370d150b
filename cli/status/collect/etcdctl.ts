import type { Credentials } from "../../../agents/common/api-client";
import { NoAnswer, podExec } from "../../pod-exec";
import { ETCD } from "../components";
import { parseEtcdJson } from "./etcd-json";
import type { EtcdPod } from "./etcd-pods";

/** Asks a member something, in the container of one. */
export type Ask = <T>(question: Question, ...command: string[]) => Promise<T>;

export interface Question {
    readonly by: EtcdPod;
    /** @default - `by` */
    readonly of?: EtcdPod;
    /** Milliseconds that the answer may take, of which half a second is for the way there. */
    readonly limit: number;
}

/** Runs etcdctl through the API. */
export function etcdctl(url: string, credentials: Credentials): Ask {
    return async <T>({ by, of = by, limit }: Question, ...command: string[]): Promise<T> => {
        const options = {
            ...by.options,
            endpoints: of.endpoint,
            "dial-timeout": `${limit - 1_000}ms`,
            "command-timeout": `${limit - 500}ms`,
            "write-out": "json",
        };
        const { exitCode, stdout, stderr } = await podExec(url, credentials, {
            namespace: "kube-system",
            pod: by.name,
            container: ETCD,
            command: ["etcdctl", ...command, ...flags(options)],
            timeoutMilliseconds: limit,
        });
        if (exitCode !== 0) {
            throw new Error(lastError(stderr));
        }
        return parseEtcdJson<T>(stdout);
    };
}

function flags(options: Readonly<Record<string, string | undefined>>): string[] {
    return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
}

/** Whether all that is known is that it took long. */
export function isLate(error: unknown): boolean {
    return error instanceof NoAnswer || (error as Error).message.includes("deadline exceeded");
}

/** etcdctl logs JSON lines before its one line of error. */
function lastError(stderr: string): string {
    return (
        stderr
            .trim()
            .split("\n")
            .at(-1)
            ?.replace(/^Error: /, "") || "no answer"
    );
}
