import type { Credentials } from "../../../agents/common/api-client";
import { podExec } from "../../pod-exec";
import { ETCD } from "../components";
import type { EtcdFacts } from "../facts";
import { type AlarmList, etcdFacts, type MemberList, type MemberStatus, parseEtcdJson } from "./etcd-json";
import type { Container, Pod } from "./objects";

/** An etcd member's pod that a command can run in. */
export interface EtcdPod {
    readonly name: string;
    /** etcdctl's options for asking this member, from its own command line. */
    readonly options: readonly string[];
}

/** The pods of members, ready ones first. */
export function etcdPods(pods: readonly Pod[]): EtcdPod[] {
    const isReady = ({ status }: Pod) => status.containerStatuses?.some(({ name, ready }) => name === ETCD && ready);
    return pods
        .flatMap((pod) => {
            const container = pod.spec.containers.find(({ name }) => name === ETCD);
            return container && pod.status.phase === "Running" ? [{ pod, container }] : [];
        })
        .sort((a, b) => Number(isReady(b.pod) ?? false) - Number(isReady(a.pod) ?? false))
        .map(({ pod, container }) => ({ name: pod.metadata.name, options: clientOptions(container) }));
}

/** How etcdctl reaches the member of a container. */
function clientOptions({ command = [] }: Container): string[] {
    const flag = (name: string) =>
        command.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + "--=".length);
    const options: Record<string, string | undefined> = {
        endpoints: flag("advertise-client-urls"),
        cacert: flag("trusted-ca-file"),
        cert: flag("cert-file"),
        key: flag("key-file"),
        "dial-timeout": "1s",
        "command-timeout": "1500ms",
        "write-out": "json",
    };
    return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
}

/**
 * Asks each member by etcdctl in its own container: so the API's rights are enough, no etcd key leaves a controller,
 * and a member that is gone costs the others no time.
 */
export async function askEtcd(
    url: string,
    credentials: Credentials,
    pods: readonly [EtcdPod, ...EtcdPod[]],
): Promise<EtcdFacts> {
    const ask = async <T>({ name, options }: EtcdPod, ...args: string[]): Promise<T> => {
        const command = ["etcdctl", ...args, ...options];
        const exec = { namespace: "kube-system", pod: name, container: ETCD, command };
        const { exitCode, stdout, stderr } = await podExec(url, credentials, exec);
        if (exitCode !== 0) {
            throw new Error(lastError(stderr));
        }
        return parseEtcdJson<T>(stdout);
    };
    // As long as etcd works, one of a majority is there to tell of all.
    const majority = pods.slice(0, Math.floor(pods.length / 2) + 1);
    const [members, alarms, statuses] = await Promise.all([
        first(majority.map((pod) => ask<MemberList>(pod, "member", "list"))),
        first(majority.map((pod) => ask<AlarmList>(pod, "alarm", "list"))),
        Promise.allSettled(pods.map((pod) => ask<[{ Status: MemberStatus }]>(pod, "endpoint", "status"))),
    ]);
    const answers = statuses.flatMap((each) => (each.status === "fulfilled" ? [each.value[0].Status] : []));
    return etcdFacts(members, answers, alarms, (member) => {
        const failed = statuses[pods.findIndex(({ name }) => name === `${ETCD}-${member}`)];
        return failed?.status === "rejected" ? (failed.reason as Error).message : "it has no pod that runs";
    });
}

/** The first good answer, or why there was none. */
function first<T>(asked: readonly Promise<T>[]): Promise<T> {
    return Promise.any(asked).catch((error: AggregateError) => Promise.reject(error.errors[0]));
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
