import type { Credentials } from "../../../clients/kubernetes/api-client";
import { type Container, isReady, type Pod } from "../../../clients/kubernetes/objects";
import { NoAnswer, podExec } from "../../../clients/kubernetes/pod-exec";
import { ETCD } from "../facts";
import { parseEtcdJson } from "./etcd-json";

/** Queries a member, from within the container of one. */
export type Ask = <T>(question: Question, ...command: string[]) => Promise<T>;

export interface Question {
    readonly by: EtcdPod;
    /** @default - `by` */
    readonly of?: EtcdPod;
    /** Timeout in milliseconds, including half a second of overhead. */
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

/** Whether the only known problem is a timeout. */
export function isLate(error: unknown): boolean {
    return error instanceof NoAnswer || (error as Error).message.includes("deadline exceeded");
}

/** etcdctl logs JSON lines before its error line. */
function lastError(stderr: string): string {
    return (
        stderr
            .trim()
            .split("\n")
            .at(-1)
            ?.replace(/^Error: /, "") || "no answer"
    );
}

/** The pod of an etcd member that can run commands. */
export interface EtcdPod {
    readonly name: string;
    /** The member's client URL, from its command line. */
    readonly endpoint?: string;
    /** etcdctl options to authenticate as this member, from its command line. */
    readonly options: Readonly<Record<string, string | undefined>>;
    /** Whether its kubelet reports it as ready. */
    readonly isReady: boolean;
}

/** The pods of members, ready ones first. */
export function etcdPods(pods: readonly Pod[]): EtcdPod[] {
    return pods
        .flatMap(({ metadata: { name }, spec, status }) => {
            const container = spec.containers.find((each) => each.name === ETCD);
            // If a machine is down, its containers still have the status ready.
            return container && status?.phase === "Running"
                ? [{ name, ...clientOptions(container), isReady: isReady(status) }]
                : [];
        })
        .sort((a, b) => Number(b.isReady) - Number(a.isReady));
}

/** How etcdctl connects to the member in a container. */
function clientOptions({ command = [] }: Container): Pick<EtcdPod, "endpoint" | "options"> {
    const own = (name: string) =>
        command.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + "--=".length);
    const options = { cacert: own("trusted-ca-file"), cert: own("cert-file"), key: own("key-file") };
    return { endpoint: own("advertise-client-urls"), options };
}
