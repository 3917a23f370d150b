/** Process name of a machine's own member if it gives way to an API-managed pod: docs/levels.md. */
export const standbyName = "etcd-standby";

/** Process name of the member in that pod. */
export const podName = "etcd-pod";

/** What started a member: a plain static pod, a static pod that gives way, or an API-managed pod. */
export type Runner = "plain" | "standby" | "pod";

/** Whether a static pod's command makes its member give way to an API-managed pod. */
export function isStandbyCommand(command: readonly string[]): boolean {
    return runnerOf(command) === "standby";
}

/** The runner that a command line belongs to: `/bin/sh -c <script> <name> …`. */
export function runnerOf([, , , name]: readonly string[]): Runner {
    return name === standbyName ? "standby" : name === podName ? "pod" : "plain";
}

/** etcd's flags in a static pod's command: after the script's name and images, if it has them. */
export function flagsOf(command: readonly string[]): readonly string[] {
    return command.slice(isStandbyCommand(command) ? 5 : 1);
}

/**
 * The word before the flags, which identifies the pod's images. It shows which pod a process belongs to: the kubelet
 * does not restart a pod when only the image of a volume changes.
 */
export function imagesWord(shell: string, etcd: string): string {
    return `${shell},${etcd}`;
}

/** The image of etcd that a static pod's container runs. */
export function etcdImageOf(image: string, command: readonly string[]): string {
    return isStandbyCommand(command) ? (command[4]?.split(",")[1] ?? "") : image;
}

/** Lock of an agent that works on a machine's member, for `takeLock`. */
export function memberLock(data: string): string {
    return `${data}.agent`;
}

/** Lock of an agent during whose work only the machine's own static pod may run the member, for `takeLock`. */
export function handBackLock(data: string): string {
    return `${data}.hand-back`;
}
