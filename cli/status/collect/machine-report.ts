import { basename } from "node:path";
import { parse } from "yaml";
import { strayFiles } from "../../../agents/etcd/member/static-pod-files";
import { redact } from "../../../agents/harness/redact";
import { checkpointCheck } from "../../../cluster/machines/controller";
import { damagedFiles } from "../../../cluster/machines/kept-files";
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
${checkpointCheck}part() { printf '\\n--- %s\\n' "$1"; }
pem() { sed -n '/BEGIN CERTIFICATE/,/END CERTIFICATE/p' "$1" 2>/dev/null; }
words() { part "words $1"; journalctl "_SYSTEMD_UNIT=$1.service" -n 60 -o cat --no-pager 2>/dev/null | cut -c -2000; }
health=$(curl -s -m 1 http://127.0.0.1:${ports.kubeletHealthz}/healthz || echo 'does not answer')
part kubelet; printf '%s\\n' "$health"; [ "$health" = ok ] || words kubelet
state=$(systemctl is-active containerd 2>/dev/null)
part containerd; printf '%s\\n' "$state"; [ "$state" = active ] || words containerd
if test -e ${paths.checkpointerState} || test -e ${member}.crt; then
    part tasks; ctr --connect-timeout 1s --timeout 1s -n k8s.io tasks ls 2>/dev/null
    part containers; ls /var/log/containers 2>/dev/null
    part saved; for each in ${paths.checkpoints}/*/*/current; do ! is_whole "$each" || echo "$each"; done
fi
for file in ${paths.staticPods}/*; do part "manifest $file"; cat "$file" 2>/dev/null; done
part damaged; ${damagedFiles}
part checkpointer; cat ${checkpointerStatus} 2>/dev/null
part "certificate kubelet client"; pem /var/lib/kubelet/pki/kubelet-client-current.pem
if test -e ${member}.crt; then
    part "certificate etcd CA"; pem ${paths.etcdPki}/ca.crt
    part etcd-members
    curl --fail-early ${asMember} -w '\\n--- etcd-status\\n' -d '{"linearizable":false}' ${etcd}/cluster/member/list \\
        --next ${asMember} -w '\\n--- etcd-alarms\\n' -d '{}' ${etcd}/maintenance/status \\
        --next ${asMember} -d '{"action":"GET"}' ${etcd}/maintenance/alarm ||
        { part "words etcd"; tail -qn 20 /var/log/containers/etcd-*_kube-system_etcd-*.log 2>/dev/null | cut -c -2000; }
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
    /** What failed programs printed last, by name. */
    readonly lastWords: Readonly<Record<string, string>>;
    /** Files that the kubelet reads as static pods, and that are not the stack's. */
    readonly strayManifests: readonly string[];
    readonly checkpointer?: unknown;
    /** Files that a power cut left empty, short or with other bytes. */
    readonly damaged: readonly string[];
    /** Components with a whole checkpoint on its disk; undefined on a worker. */
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
        lastWords: Object.fromEntries(named("words").map(([name, part]) => [name, lastWordsOf(part)])),
        strayManifests: strayManifests([...parts]),
        checkpointer: json(of("checkpointer")),
        damaged: of("damaged")?.split("\n") ?? [],
        saved: parts.get("saved")?.match(/[^/]+(?=\/current$)/gm) ?? (parts.has("saved") ? [] : undefined),
        certificates: Object.fromEntries(named("certificate")),
        etcdMembers: of("etcd-members"),
        etcdStatus: of("etcd-status"),
        etcdAlarms: of("etcd-alarms"),
    } as MachineReport;
}

/** Files that are not the stack's, with the pods that they define. */
function strayManifests(parts: readonly (readonly [string, string])[]): string[] {
    const files = new Map(
        parts.flatMap(([name, text]) =>
            name.startsWith("manifest ") ? [[basename(name.slice(9)), text] as const] : [],
        ),
    );
    // Without files the pattern itself remains.
    return strayFiles([...files.keys()].filter((name) => name !== "*")).map((name) => {
        const pod = staticPod(files.get(name) ?? "")[0]?.[0];
        return `${paths.staticPods}/${name}${pod === undefined ? "" : ` (pod ${pod})`}`;
    });
}

/** Maximum characters of a program's last words. */
const mostWords = 400;

/** Errors of klog, logrus and zap, or of a program that ends. */
const isError = /^[EF]\d{4} |level=(error|fatal|panic)|"level":"(error|fatal|panic)"|^(error|fatal|panic|failed)\b/i;
/** The reason of a kubelet's end, among errors about its pods. */
const isEnd = /"command failed"|^F\d{4} |level=fatal|"level":"(fatal|panic)"|^(panic|error|fatal)\b/i;

/** The line of a log that most likely says why the program failed: one about its end, else an error, else the last. */
export function lastWordsOf(log: string): string {
    const lines = log
        .split("\n")
        // The runtime's prefix of a line of a container.
        .map((line) => line.replace(/^\d{4}-\S+ std(out|err) [FP] /, "").trim())
        .filter((line) => line !== "");
    const line =
        lines.findLast((each) => isEnd.test(each)) ??
        lines.findLast((each) => isError.test(each)) ??
        lines.at(-1) ??
        "";
    const { msg, error } = (json(line) ?? {}) as { readonly msg?: unknown; readonly error?: unknown };
    const plain = typeof msg === "string" ? [msg, error].filter(Boolean).join(": ") : line;
    // Of klog: severity, time, process and source.
    const words = redact(plain.replace(/^[IWEF]\d{4} \S+\s+\d+ \S+\] /, ""));
    return words.length > mostWords ? `${words.slice(0, mostWords)}…` : words;
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
