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

/** Prints `<process> <KiB>` for every process; proportional, so that pages which several share count once. */
export const MEMORY_SCRIPT = `for process in /proc/[0-9]*; do
    memory=$(awk '$1 == "Pss:" { print $2 }' "$process/smaps_rollup" 2>/dev/null) || continue
    [ -z "$memory" ] || echo "$(cat "$process/comm") $memory"
done`;

/** MiB by process, of those that make up a control plane. */
export function controlPlaneMemory(printed: string): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const line of printed.split("\n")) {
        const [name, kibibytes] = line.split(" ");
        if (PROCESSES.includes(name)) {
            sums[name] = (sums[name] ?? 0) + Number(kibibytes) / 1024;
        }
    }
    return sums;
}
