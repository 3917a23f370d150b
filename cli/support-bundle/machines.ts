import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { auditLogDirectory } from "../../cluster/manifests/control-plane/audit-log";
import { paths } from "../../cluster/paths";
import { resolveCluster } from "../../cluster/resolve";
import { clusterState } from "../../local/state";
import { collectLogs } from "../../machines";
import type { ReachedCluster } from "../reach/cluster";
import type { Controller } from "../reach/controller";
import { currentControllers } from "../reach/controllers";
import type { Gathered } from "./gathered";
import { harmlessJournal, harmlessStaticPods, isOwnContainer } from "./harmless";

/**
 * Collects from the machines: all of a local cluster; of a cloud cluster the controllers, over SSH.
 *
 * Each part separately, because a first start that failed early leaves machines without a record in the state.
 */
export async function addMachines(
    { access, machines }: ReachedCluster,
    found: Gathered,
    options: MachineOptions = {},
): Promise<void> {
    if (machines === undefined) {
        return found.miss("machines", "use --stack to include them");
    }
    const part = (what: string, add: () => Promise<void>) =>
        add().catch((error: Error) => found.miss(what, error.message));
    const { local } = access;
    if (local !== undefined) {
        await part("machines", async () => {
            await machines.ready();
            await addLogs(local, found);
        });
        const { timeline } = clusterState(local);
        if (existsSync(timeline)) found.add("timeline.json", readFileSync(timeline, "utf8"));
        else found.miss("timeline.json", "no npm start has completed yet");
    }
    await part("controllers", async () => {
        const cluster = resolveCluster((await machines.record()).options);
        const current = await currentControllers({ access, machines }, cluster);
        // A demoted one has logs of the time before.
        const nodes = [...new Set([...cluster.controllers.names, ...current])];
        await Promise.all(nodes.map((node) => askController(machines.controller(node, 60_000), found, options)));
    });
}

/** Logs of every local machine, including stopped ones. */
async function addLogs(cluster: string, found: Gathered): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-support-"));
    try {
        await collectLogs(cluster, folder);
        for (const file of readdirSync(folder, { withFileTypes: true, recursive: true })) {
            const path = join(file.parentPath, file.name);
            const name = relative(folder, path);
            if (!file.isFile() || !isOwnFile(name)) continue;
            const text = readFileSync(path, "utf8");
            found.add(
                join("machines", name),
                /^(?:journal|console)\.log$/.test(file.name) ? harmlessJournal(text) : text,
            );
        }
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/** Whether a file of a machine is not the log of another program's pod, which belongs to its owner. */
export function isOwnFile(path: string): boolean {
    const [, of] = /[\\/]pods[\\/](.*)$/.exec(path) ?? [];
    if (of === undefined) return true;
    const [, pod, container] = /^kube-system_([^_]+)_[^\\/]*[\\/]([^\\/]+)[\\/]/.exec(of) ?? [];
    return pod !== undefined && container !== undefined && isOwnContainer(pod, container);
}

/** Commands run as root on a controller, by the output file. For secrets, only names and sizes. */
const QUESTIONS: Readonly<Record<string, string>> = {
    "journal.log": "journalctl --no-pager --output short-precise --lines 20000",
    "units.txt": "systemctl --no-pager --all list-units 'kubelet*' 'containerd*' 'bootstrap*' 'etcd*' 'checkpoints*'",
    "disks.txt": "df -h; df -i",
    "memory.txt": "free -m; uptime",
    "containers.txt": "ctr -n k8s.io containers ls",
    "processes.txt": "ps -eo pid,ppid,lstart,pcpu,rss,comm",
    "listening.txt": "ss -tlnp",
    "static-pods.txt":
        'ls -l --time-style=full-iso /etc/kubernetes/manifests; for f in /etc/kubernetes/manifests/*; do echo "==> $f"; cat $f; echo; done',
    "checkpoints.txt": `ls -lR --time-style=full-iso /var/lib/tradewind ${paths.checkpoints}; cat ${paths.checkpointerState}/status.json`,
    "bootstrap-stages.jsonl": "cat /var/lib/tradewind/bootstrap/stages.jsonl",
};

/** What is left out of these files. */
const CLEANERS: Readonly<Record<string, (text: string) => string>> = {
    "journal.log": harmlessJournal,
    "static-pods.txt": harmlessStaticPods,
};

/** Newest megabytes of the files of the audit log, oldest entries first. */
const AUDIT_LOG = `{ cat $(ls -tr ${auditLogDirectory}/*.log); } | tail -c 7000000`;

interface MachineOptions {
    /** Whether to include the audit log. @default false */
    readonly auditLog?: boolean;
}

/** Collects from a controller without the API. */
export async function askController(
    controller: Controller,
    into: Gathered,
    { auditLog }: MachineOptions = {},
): Promise<void> {
    for (const [file, script] of Object.entries({ ...QUESTIONS, ...(auditLog && { "audit.log": AUDIT_LOG }) })) {
        const path = `machines/${controller.name}/${file}`;
        try {
            // One failing part must not prevent the others.
            const text = await controller.run(`{ ${script}; } 2>&1 || true`);
            into.add(path, CLEANERS[file]?.(text) ?? text);
        } catch (error) {
            into.miss(path, (error as Error).message);
            if (file === Object.keys(QUESTIONS)[0]) return;
        }
    }
}
