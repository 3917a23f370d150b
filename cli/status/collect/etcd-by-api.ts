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

/** Asks a member, by etcdctl in its own container: so the API's rights are enough, and no etcd key leaves a controller. */
export async function askEtcd(url: string, credentials: Credentials, { name, options }: EtcdPod): Promise<EtcdFacts> {
    const etcdctl = async (...args: string[]) => {
        const command = ["etcdctl", ...args, ...options];
        const exec = { namespace: "kube-system", pod: name, container: ETCD, command };
        const { stdout, stderr } = await podExec(url, credentials, exec);
        // A member that does not answer makes the exit code bad; the others' answers are there all the same.
        if (!/^[[{]/.test(stdout)) {
            throw new Error(`etcdctl ${args.join(" ")}: ${lastError(stderr)}`);
        }
        return stdout;
    };
    const [members, statuses, alarms] = await Promise.all([
        etcdctl("member", "list"),
        etcdctl("endpoint", "status", "--cluster"),
        etcdctl("alarm", "list"),
    ]);
    return etcdFacts(
        parseEtcdJson<MemberList>(members),
        parseEtcdJson<readonly { Status: MemberStatus }[]>(statuses).map(({ Status }) => Status),
        parseEtcdJson<AlarmList>(alarms),
    );
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
