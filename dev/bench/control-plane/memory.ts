/** The processes of a control plane as the kernel names them: at most 15 characters. */
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
 * Prints name and memory of every process, as grep shows lines of files. Proportional memory, so that pages which
 * several processes share count once.
 */
export const MEMORY_SCRIPT = `grep --no-messages '' /proc/[0-9]*/comm
grep --no-messages '^Pss:' /proc/[0-9]*/smaps_rollup
true`;

/** MiB by process, of those that make up a control plane. */
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

/** MiB of them all. */
export function totalMemory(memory: Readonly<Record<string, number>>): number {
    return Object.values(memory).reduce((sum, each) => sum + each, 0);
}
