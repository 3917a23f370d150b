import { ETCD } from "../components";
import type { Container, Pod } from "./objects";

/** An etcd member's pod that a command can run in. */
export interface EtcdPod {
    readonly name: string;
    /** Where the member answers, from its own command line. */
    readonly endpoint?: string;
    /** etcdctl's options for asking a member as this one, from its own command line. */
    readonly options: Readonly<Record<string, string | undefined>>;
    /** Whether its kubelet finds it ready. */
    readonly isReady: boolean;
}

/** The pods of members, ready ones first. */
export function etcdPods(pods: readonly Pod[]): EtcdPod[] {
    return pods
        .flatMap(({ metadata: { name }, spec, status }) => {
            const container = spec.containers.find((each) => each.name === ETCD);
            // Of a machine that is gone, the containers stay ready.
            const isReady = (status.conditions ?? []).some((each) => each.type === "Ready" && each.status === "True");
            return container && status.phase === "Running" ? [{ name, ...clientOptions(container), isReady }] : [];
        })
        .sort((a, b) => Number(b.isReady) - Number(a.isReady));
}

/** How etcdctl reaches the member of a container. */
function clientOptions({ command = [] }: Container): Pick<EtcdPod, "endpoint" | "options"> {
    const own = (name: string) =>
        command.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + "--=".length);
    const options = { cacert: own("trusted-ca-file"), cert: own("cert-file"), key: own("key-file") };
    return { endpoint: own("advertise-client-urls"), options };
}
