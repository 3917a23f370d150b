import { parse } from "yaml";
import { ports } from "../../../cluster/network/ports";
import { paths } from "../../../cluster/paths";

/** What the checkpointer writes after each reconciliation. */
const checkpointerStatus = `${paths.checkpointerState}/status.json`;

const etcd = `https://127.0.0.1:${ports.etcdClient}/v3`;
const member = `${paths.etcdPki}/member`;
const asMember = `-s -m 1 --cacert ${paths.etcdPki}/ca.crt --cert ${member}.crt --key ${member}.key`;

/**
 * Each part of the report begins with a line `--- <name>`; every query takes at most a second. Only controllers list running
 * containers: workers run no control plane, and this query is the most expensive. etcd is queried over one connection, and
 * not again after the first failure.
 */
export const reportScript = `
part() { printf '\\n--- %s\\n' "$1"; }
pem() { sed -n '/BEGIN CERTIFICATE/,/END CERTIFICATE/p' "$1" 2>/dev/null; }
part kubelet; curl -s -m 1 http://127.0.0.1:${ports.kubeletHealthz}/healthz || echo 'does not answer'
part containerd; systemctl is-active containerd 2>/dev/null
if test -e ${paths.checkpointerState} || test -e ${member}.crt; then
    part tasks; ctr --connect-timeout 1s --timeout 1s -n k8s.io tasks ls 2>/dev/null
    part containers; ls /var/log/containers 2>/dev/null
    part saved; ls -d ${paths.checkpoints}/*/*/current/pod.json 2>/dev/null
fi
for file in ${paths.staticPods}/*; do part "manifest $file"; cat "$file" 2>/dev/null; done
part checkpointer; cat ${checkpointerStatus} 2>/dev/null
part "certificate kubelet client"; pem /var/lib/kubelet/pki/kubelet-client-current.pem
if test -e ${member}.crt; then
    part "certificate etcd CA"; pem ${paths.etcdPki}/ca.crt
    part etcd-members
    curl --fail-early ${asMember} -w '\\n--- etcd-status\\n' -d '{"linearizable":false}' ${etcd}/cluster/member/list \\
        --next ${asMember} -w '\\n--- etcd-alarms\\n' -d '{}' ${etcd}/maintenance/status \\
        --next ${asMember} -d '{"action":"GET"}' ${etcd}/maintenance/alarm
fi
true`;

/** A running container, by its Kubernetes names. */
export interface RunningContainer {
    readonly pod: string;
    readonly namespace: string;
    readonly name: string;
}

export interface MachineReport {
    readonly kubelet: string;
    readonly containerd: string;
    /** Undefined on a worker, or if the runtime does not answer. */
    readonly running?: readonly RunningContainer[];
    /** Annotations of the kubelet's static pods, by the name of the pod. */
    readonly staticPods: ReadonlyMap<string, Readonly<Record<string, string>>>;
    readonly checkpointer?: unknown;
    /** Components with a checkpoint on its disk; undefined on a worker. */
    readonly saved?: readonly string[];
    /** PEM, by the name of the certificate. */
    readonly certificates: Readonly<Record<string, string>>;
    readonly etcdMembers?: string;
    readonly etcdStatus?: string;
    readonly etcdAlarms?: string;
}

export function parseReport(text: string): MachineReport {
    const parts = new Map(
        text
            .split(/^--- /m)
            .slice(1)
            .map((part) => {
                const end = part.indexOf("\n");
                return [part.slice(0, end), part.slice(end + 1).trim()] as const;
            }),
    );
    const of = (name: string) => parts.get(name) || undefined;
    const named = (kind: string) =>
        [...parts]
            .filter(([name, part]) => name.startsWith(`${kind} `) && part !== "")
            .map(([name, part]) => [name.slice(kind.length + 1), part] as const);
    return {
        kubelet: of("kubelet") ?? "does not answer",
        containerd: of("containerd") ?? "unknown",
        running: of("tasks") && runningContainers(of("tasks")!, of("containers") ?? ""),
        staticPods: new Map(named("manifest").flatMap(([, manifest]) => staticPod(manifest))),
        checkpointer: json(of("checkpointer")),
        saved: parts.get("saved")?.match(/[^/]+(?=\/current\/pod\.json)/g) ?? (parts.has("saved") ? [] : undefined),
        certificates: Object.fromEntries(named("certificate")),
        etcdMembers: of("etcd-members"),
        etcdStatus: of("etcd-status"),
        etcdAlarms: of("etcd-alarms"),
    } as MachineReport;
}

/** containerd lists running containers by ID; the kubelet's log symlinks map the IDs to names. */
function runningContainers(tasks: string, logs: string): RunningContainer[] {
    const ids = new Set(tasks.split("\n").flatMap((line) => /^(\S+)\s+\d+\s+RUNNING/.exec(line)?.[1] ?? []));
    return logs.split("\n").flatMap((file) => {
        const [, pod, namespace, name, id] = /^([^_]+)_([^_]+)_(.+)-([0-9a-f]{64})\.log$/.exec(file) ?? [];
        return id && ids.has(id) ? [{ pod: pod!, namespace: namespace!, name: name! }] : [];
    });
}

function staticPod(manifest: string): [string, Readonly<Record<string, string>>][] {
    try {
        const { name, annotations = {} } = parse(manifest).metadata;
        return [[name, annotations]];
    } catch {
        // A truncated file or not a pod: the kubelet does not run it either.
        return [];
    }
}

function json(text: string | undefined): unknown {
    try {
        return text === undefined ? undefined : JSON.parse(text);
    } catch {
        return undefined;
    }
}
