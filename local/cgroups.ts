import { docker } from "../machines";

/** Warns of a version of cgroups that Kubernetes is going to drop; local machines share that of this machine. */
export async function warnOfCgroups(say: (line: string) => void): Promise<void> {
    const notice = cgroupNotice((await docker(["info", "--format", "{{.CgroupVersion}}"])).trim());
    if (notice !== undefined) say(notice);
}

/** @param version - `1` or `2`, or empty if the engine does not say */
export function cgroupNotice(version: string): string | undefined {
    if (version !== "1") return undefined;
    return "this machine has cgroup v1, which Kubernetes is about to drop: boot Linux with systemd.unified_cgroup_hierarchy=1";
}
