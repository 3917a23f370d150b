/** The processes of a control plane, by their kernel names of at most 15 characters. */
const PROCESSES = [
    "etcd",
    "kube-apiserver",
    "haproxy",
    "kube-controller-manager",
    "kube-scheduler",
    "kubelet",
    "containerd",
].map((name) => name.slice(0, 15));

/**
 * Prints name and memory of every process in grep's output format. Uses proportional memory, so that pages shared between
 * processes count once.
 */
export const MEMORY_SCRIPT = `grep --no-messages '' /proc/[0-9]*/comm
grep --no-messages '^Pss:' /proc/[0-9]*/smaps_rollup
true`;

/** MiB of each control plane process. */
export function controlPlaneMemory(printed: string): Record<string, number> {
    const names = new Map(
        [...printed.matchAll(/^(\/proc\/\d+)\/comm:(.*)$/gm)].map(([, process, name]) => [process, name]),
    );
    const sums: Record<string, number> = {};
    for (const [, process, kibibytes] of printed.matchAll(/^(\/proc\/\d+)\/smaps_rollup:Pss:\s+(\d+) kB$/gm)) {
        const name = names.get(process) ?? "";
        if (PROCESSES.includes(name)) {
            sums[name] = (sums[name] ?? 0) + Number(kibibytes) / 1024;
        }
    }
    return sums;
}

/** Total MiB. */
export function totalMemory(memory: Readonly<Record<string, number>>): number {
    return Object.values(memory).reduce((sum, each) => sum + each, 0);
}
