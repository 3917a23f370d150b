/** Prints the kernel's record of every process. */
export const CPU_SCRIPT = "cat /proc/[0-9]*/stat 2>/dev/null; true";

/** Ticks of the kernel's clock a second, on every Linux that Kubernetes supports. */
const TICKS = 100;

/** CPU time by process so far. Unit: seconds. A process is its ID and its start: IDs are used again. */
export function cpuTimes(printed: string): Map<string, number> {
    // Source: proc_pid_stat(5). A name may contain blanks and parentheses; utime, stime and starttime are 14, 15 and 22.
    const lines = [...printed.matchAll(/^(\d+) \(.*\) (\S+ .*)$/gm)];
    return new Map(
        lines.map(([, id, rest = ""]) => {
            const fields = rest.split(" ");
            return [`${id} ${fields[19]}`, (Number(fields[11]) + Number(fields[12])) / TICKS];
        }),
    );
}

/** Thousandths of a core that a machine's processes used between two moments. Those that started since count in full. */
export function millicores(before: string, after: string, seconds: number): number {
    const earlier = cpuTimes(before);
    const used = [...cpuTimes(after)].reduce((sum, [process, time]) => sum + time - (earlier.get(process) ?? 0), 0);
    return (used / seconds) * 1000;
}
